import type { SetupMessages } from "./en.ts";

export const setupPtBR: SetupMessages = {
  your_provider: "seu provedor de DNS",
  copied_what: "Copiado: {what}",
  fix_title: "Uma coisa a corrigir",
  fix_delay: "Há um atraso",
  fix_lede: "{domain} continua assim que isso estiver feito.",
  fix_check: "Verificar de novo",
  fix_remove: "Exclua isto primeiro",
  fix_add: "Isto precisa estar lá",
  fix_leave: "Você pode fechar esta janela e voltar quando estiver feito.",
  check_running: "Perguntando aos servidores de nomes…",
  check_saw: "Verificado às {time}: {found} de {all} registros encontrados.",
  check_saw_one: "Verificado às {time}: o registro está lá.",
  check_saw_none: "Verificado às {time}: o registro ainda não está lá.",
  check_done: "Verificado às {time}.",
  check_still: "Verificado às {time}: continua assim.",
  check_next: "A próxima verificação é às {time}, no máximo.",
  share_subject: "Registros DNS de {domain}",
  share_text:
    "Adicione, por favor, os registros DNS desta página, para que {domain} possa ser usado com {brand}. A página mostra o que já está lá.",
  share_link: "Link",
  share_mail: "Enviar por e-mail",
  share_native: "Compartilhar…",
  share_ready: "O link está pronto",
  manual_delete_first: "Exclua estes primeiro",
  conflict_other_records: "Há outros registros em {name}.",
  conflict_delegated:
    "{name} está entregue a outros servidores de nomes; um registro aqui não teria efeito.",
  conflict_whole_zone:
    "{provider} substitui a zona inteira a cada alteração. Os registros que não são listados se perdem.",
  conflict_managed: "{provider} tem um registro em {name} que não pode ser alterado daqui.",
  conflict_not_writable: "{provider} não aceita este registro.",
  conflict_mail_warning:
    "O registro MX recebe os e-mails de {name}. Sem ele, e-mails para esse nome não chegam mais.",
  conflict_mail_consent: "Ninguém recebe e-mails em {name}; o registro MX pode ser excluído",
  plan_blocked: "Isto não pode ser alterado daqui",
  plan_blocked_lede:
    "Nada foi alterado. Altere em {provider} e veja a prévia de novo, ou adicione os registros você mesmo.",
  refused_auth:
    "{provider} não aceita o que você digitou: está errado, expirou ou falta uma permissão.",
  refused_not_found: "Este acesso não vê {zone} em {provider}. É a conta certa?",
  refused_rate_limited: "{provider} pede para esperar. Tente de novo em um minuto.",
  refused_unavailable: "{provider} não responde no momento. Tente de novo em breve.",
  refused_conflict: "{provider} recusa a alteração, porque outro registro está no caminho.",
  refused_unsupported: "{provider} não aceita um registro assim.",
  refused_invalid: "O que você digitou está incompleto ou não tem a forma certa.",
  refused_other: "Os registros não puderam ser gravados.",
  refused_nothing: "Nada foi alterado.",
  trouble_caa_forbidden: "Um registro CAA proíbe o certificado de {domain}",
  trouble_caa_forbidden_fix:
    "Seu domínio diz quem pode emitir certificados para ele, e a nossa autoridade não está entre elas. Adicione mais um registro CAA em {provider}; os outros podem ficar.",
  trouble_certificate_failed: "Não foi possível obter o certificado de {domain}",
  trouble_certificate_failed_fix:
    "Você não precisa fazer nada: haverá nova tentativa. Se continuar assim por uma hora, fale com o suporte.",
  trouble_check_failed: "Não conseguimos verificar {domain} no momento",
  trouble_check_failed_fix: "Verifique de novo aqui. Se não ajudar, fale com o suporte.",
  trouble_dnssec_bogus: "O DNSSEC de {zone} está quebrado",
  trouble_dnssec_bogus_fix:
    "Onde você comprou {zone}, desligue o DNSSEC (remova o registro DS) ou configure-o de novo. Até lá, muitos visitantes não conseguem chegar.",
  trouble_hostname_conflict: "{domain} está conectado com outra conta",
  trouble_hostname_conflict_fix:
    "As duas contas o provaram, e então a outra fica com ele. Vamos ver quais registros estão lá.",
  trouble_not_registered: "{zone} não está registrado ou expirou",
  trouble_not_registered_fix:
    "Registre ou renove {zone} onde você compra domínios, ou confira a grafia. Depois de uma renovação, pode levar algumas horas.",
  trouble_provider_auth: "{provider} não nos deixou gravar os registros",
  trouble_provider_auth_fix: "Adicione os registros você mesmo, como mostrado aqui.",
  trouble_provider_not_delegated:
    "O DNS de {zone} é gerenciado em outro lugar do que podemos gravar",
  trouble_provider_not_delegated_fix: "Adicione os registros você mesmo, como mostrado aqui.",
  trouble_provider_unsupported: "{provider} não aceita estes registros automaticamente",
  trouble_provider_unsupported_fix: "Adicione os registros você mesmo, como mostrado aqui.",
  cdn_fine: "Seu domínio está atrás de {cdn}, e isso não é problema",
  cdn_set:
    "Em {cdn}, defina o destino de {domain} como o registro mostrado aqui. O proxy pode continuar ligado; defina o modo de criptografia como “Full (strict)”.",
  cdn_keep: "Não há nada a mudar. Em {cdn}, mantenha o modo de criptografia “Full (strict)”.",
  trouble_proxied: "{domain} está atrás de um proxy",
  trouble_proxied_fix:
    "Em {provider}, edite o registro de {domain} e desligue o proxy: “DNS only”, a nuvem cinza. Não conseguimos ver o registro por trás dele.",
  trouble_quota_exceeded: "{domain} aguarda o responsável pelo serviço",
  trouble_quota_exceeded_fix:
    "Você não precisa fazer nada: continua sozinho. Se permanecer assim, fale com o suporte.",
  trouble_record_conflict: "Outros registros estão no caminho em {domain}",
  trouble_record_conflict_fix:
    "Exclua-os ou mova-os em {provider}, se nada precisar deles. Se forem necessários, conecte outro nome.",
  trouble_record_mismatch: "{domain} leva a outro lugar",
  trouble_record_mismatch_fix:
    "Agora leva a {observed}. Em {provider}, substitua isso pelo registro mostrado aqui.",
  trouble_txt_mismatch: "A prova tem outro valor",
  trouble_txt_mismatch_fix:
    "Em {provider}, defina o valor do registro TXT exatamente como mostrado aqui.",
  analysis_guided: "Passo a passo",
  way_minute: "Cerca de um minuto",
  way_manual: "Passo a passo em {provider}",
  way_manual_unknown: "Passo a passo",
  way_manual_lede: "Mostramos o que digitar e onde. Leva cerca de cinco minutos.",
  way_api: "Gerencio o DNS por API",
  way_api_lede:
    "Para desenvolvedores: com uma chave de acesso de {provider}. Nunca é guardada, e perguntamos antes de usar de novo.",
  access_again: "Usar mais uma vez o acesso ao {provider} que você informou antes",
  access_again_mail: "Sem ele mostramos os registros, e você os adiciona.",
  access_again_switch: "Sem isso, você o informa de novo.",
  guide_open: "Abrir {provider}",
  guide_go: "Vá para {path}.",
  guide_add: "Clique em “{label}” para cada registro abaixo e escolha o tipo.",
  guide_add_one: "Clique em “{label}” e escolha o tipo {type}.",
  guide_add_section: "Clique em “{label}” para cada registro abaixo, na seção do seu tipo.",
  guide_add_section_one: "Clique em “{label}” na seção do tipo {type}.",
  guide_add_plain: "Adicione cada registro abaixo com o seu tipo.",
  guide_add_plain_one: "Adicione um registro do tipo {type}.",
  guide_fill:
    "Copie “{host}” e “{value}” como mostrado aqui; {provider} acrescenta {zone} ao nome sozinho.",
  guide_fill_full: "Copie “{host}” e “{value}” como mostrado aqui; o nome é digitado por inteiro.",
  guide_cloud:
    "Mude a nuvem laranja para cinza (“DNS only”) nestes registros, senão não conseguimos vê-los.",
  guide_quotes: "Coloque o valor de um registro TXT entre aspas.",
  guide_addresses_apart: "Os registros A e AAAA têm uma seção própria.",
  guide_no_apex_alias:
    "{provider} não aceita um registro ALIAS ou CNAME para {zone}. Use um nome como {www}.",
  guide_no_wildcard: "{provider} não aceita nomes com asterisco (*).",
  guide_save: "Clique em “{label}” para salvar.",
  token_open: "Abrir {provider}",
  token_which: "O que você tem?",
  token_more: "Mais opções",
  step_open: "Vá para “{label}”.",
  step_press: "Clique em “{label}”.",
  step_choose: "Escolha “{label}”.",
  step_permit: "Dê a ele estas permissões: {label}.",
  step_limit: "Limite-o a {zone} (“{label}”).",
  step_addresses: "Digite nossos endereços em “{label}”: {addresses}.",
  step_addresses_unknown: "Peça a {brand} os endereços a digitar em “{label}”.",
  step_copy: "Copie o que aparece e cole abaixo.",
  error_not_set_up: "Esta página ainda não está configurada",
  error_not_set_up_lede:
    "{brand} precisa concluir a configuração antes que um domínio possa ser conectado aqui. Entre em contato com eles.",
  oauth_sign_in: "Entrar em {provider}",
  oauth_sign_in_retained_lede:
    "Entre em {provider} em uma janela pequena e permita a alteração. A permissão é guardada para que os registros deste domínio possam ser corrigidos depois; ela termina quando você o desconecta.",
  oauth_sign_in_lede:
    "Entre em {provider} em uma janela pequena e permita a alteração. A permissão é usada só para esta configuração.",
};
