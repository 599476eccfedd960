import { type FindingTexts, text } from "./language.ts";

const notYours = "Você não precisa fazer nada. Se continuar assim, fale com o suporte.";
const byItself = "Não há nada a fazer: verificamos de novo por conta própria.";
const addBelow = "Em {provider}, adicione o registro mostrado aqui, exatamente como está.";
const onItsWay = text(
  "Os registros de {domain} estão sendo criados",
  "Não há nada a fazer: isso costuma levar alguns minutos.",
);
const dnssecElsewhere = {
  operator: text("O DNSSEC está com defeito em um nome para o qual {domain} leva", notYours),
  wait: text("O DNSSEC está com defeito acima de {zone}", byItself),
};
const mayExpire = "O certificado de {domain} pode não ser renovado a tempo";

export const ptBR: FindingTexts = {
  provider: "seu provedor de DNS",
  texts: {
    registration_on_hold: text(
      "{zone} está bloqueado ou seu registro venceu",
      "Pergunte à empresa onde você registrou {zone} o que ela precisa de você, e renove-o se tiver vencido. Até lá, os visitantes não conseguem acessá-lo. Status: {status}.",
    ),
    not_registered: text(
      "{zone} não está registrado ou expirou",
      "Registre ou renove {zone} onde você compra domínios, ou confira a grafia. Depois de uma renovação, pode levar algumas horas.",
    ),
    dnssec_ds_stale: text(
      "O DNSSEC de {zone} é de um provedor de DNS anterior",
      "Onde você comprou {zone}, desative o DNSSEC (remova o registro DS). Até lá, muitos visitantes não conseguem chegar.",
      dnssecElsewhere,
    ),
    dnssec_broken: text(
      "O DNSSEC de {zone} está com defeito",
      "Onde você comprou {zone}, desative o DNSSEC (remova o registro DS) ou configure-o de novo com seu provedor de DNS. Até lá, muitos visitantes não conseguem chegar.",
      dnssecElsewhere,
    ),
    ns_unreachable: text(
      "Servidores de nomes de {zone} não respondem",
      "Onde você comprou {zone}, confira a lista de servidores de nomes. Se estiver certa, pergunte ao seu provedor de DNS sobre uma falha.",
    ),
    ns_servfail: text(
      "Servidores de nomes de {zone} respondem com erro",
      "Pergunte ao seu provedor de DNS por que os servidores de nomes de {zone} falham. Muitas vezes o domínio nunca foi configurado lá.",
    ),
    ns_lame: text(
      "Servidores de nomes de {zone} não o conhecem",
      "Onde você comprou {zone}, defina exatamente os servidores de nomes que seu provedor de DNS indica.",
    ),
    ns_disagree: text(
      "Os servidores de nomes de {zone} não concordam entre si",
      "Onde você comprou {zone}, defina exatamente os servidores de nomes que seu provedor de DNS indica. Até lá, parte dos seus visitantes pode não ver uma mudança.",
    ),
    ns_mixed_operators: text(
      "O DNS de {zone} está dividido entre vários provedores",
      "Adicione os registros em cada um deles, ou use os servidores de nomes de um só provedor.",
    ),
    dns_moved: text(
      "O DNS de {zone} agora está em {provider}",
      "Adicione os registros em {provider}. Mudanças no provedor anterior não têm mais efeito.",
    ),
    zone_delegated: text(
      "{zone} tem configurações de DNS próprias",
      "Adicione os registros nas configurações de {zone}, não nas do domínio acima.",
    ),
    hostname_conflict: text(
      "{domain} já está conectado",
      "Se é seu, prove: adicione o registro mostrado aqui. A outra conta terá de provar também, ou o perderá.",
      {
        tenant: text(
          "{domain} fica por enquanto com outra conta",
          "Essa conta o provou de novo. A sua prova volta a contar a partir de {time}: deixe o seu registro até lá.",
        ),
        wait: text(
          "Você provou que {domain} é seu",
          "Ele passa para você em {time}, a menos que a outra conta também prove. Deixe o registro até lá.",
        ),
      },
    ),
    hostname_proven_by_both: text(
      "Duas contas provaram {domain}, e a outra fica com ele",
      "Isso continua assim enquanto os dois registros estiverem lá. Se ele deve ser seu: em {provider}, exclua o registro {type} {name} com o valor {observed} e deixe o outro. Se fizer isso agora, {domain} passa para você em {time}. Se deve ficar com a outra conta, exclua em vez disso o registro com o valor {expected}.",
      {
        wait: text(
          "Outra pessoa também provou {domain}, e ele continua seu",
          "O seu registro está lá: isso decide em poucos minutos, antes de {time}. Mantenha até lá o registro com o valor {expected}. Em {provider}, exclua o registro {type} {name} com o valor {observed}, a menos que {domain} deva passar para outra pessoa.",
        ),
      },
    ),
    hostname_contested: text(
      "Outra pessoa provou que {domain} é dela",
      "Adicione o registro mostrado aqui antes de {time} para ficar com ele.",
      { wait: text("Outra pessoa quer {domain}, e o seu registro está lá", byItself) },
    ),
    ownership_unanswered: text(
      "Poucos servidores de nomes de {zone} respondem",
      "Perguntamos de novo por conta própria. Se continuar assim por uma hora, pergunte ao seu provedor de DNS sobre uma falha.",
    ),
    ownership_cname: text(
      "Há outro registro no lugar da prova",
      "Em {provider}, exclua o registro CNAME {name} e depois adicione o registro mostrado aqui.",
    ),
    ownership_wildcard: text(
      "A prova está em um registro para todos os nomes (*)",
      "Em {provider}, exclua esse registro e adicione o mostrado aqui, com o nome exato.",
    ),
    ownership_partial: text("A prova está a caminho", byItself),
    ownership_altered: text(
      "O valor da prova foi alterado no caminho",
      "Em {provider}, defina o valor de novo exatamente como está aqui, sem aspas nem espaços.",
    ),
    ownership_doubled_name: text(
      "O nome da prova tem {zone} duas vezes",
      "{provider} acrescenta {zone} sozinho. Altere o nome para que fique como mostrado aqui.",
    ),
    ownership_wrong_name: text(
      "A prova está no nome errado",
      "O valor está certo, o nome não: ela está em {observed}. Altere o nome para que fique como mostrado aqui.",
    ),
    ownership_other_token: text(
      "A prova é de uma configuração anterior",
      "Em {provider}, substitua o valor pelo mostrado aqui.",
    ),
    ownership_mismatch: text("A prova tem outro valor", addBelow),
    ownership_missing: text("A prova ainda não está lá", addBelow, { wait: onItsWay }),
    wrong_dns_provider: text(
      "Para {zone} só contam os registros em {provider}",
      "Se você já os adicionou, confira onde: a loja em que comprou {zone} pode mostrar configurações de DNS sem efeito.",
    ),
    ownership_seen: text("A prova está lá", byItself, {
      tenant: text("A prova está lá", "Comece de novo para continuar."),
    }),
    domain_connect_cancelled: text(
      "Nada foi confirmado em {provider}",
      "Volte a {provider} e confirme lá, com a conta que tem {zone}, ou adicione os registros você mesmo.",
    ),
    domain_connect_refused: text(
      "{provider} não criou os registros",
      "Tente de novo em breve, com a conta que tem {zone}, ou adicione os registros você mesmo.",
    ),
    provider_auth: text(
      "{provider} recusa nosso acesso",
      "Adicione os registros você mesmo, como mostrado aqui. O acesso precisa ser renovado pelo site ao qual você se conecta.",
    ),
    credential_failing: text(
      "{provider} recusa nosso acesso",
      "{domain} funciona como está. O acesso precisa ser renovado pelo site ao qual você se conecta.",
    ),
    provider_unsupported: text(
      "Não conseguimos criar os registros em {provider}",
      "Adicione os registros você mesmo, como mostrado aqui.",
    ),
    provider_not_delegated: text(
      "O DNS de {zone} é administrado em outro lugar, onde não podemos escrever",
      "Adicione os registros em {provider}, como mostrado aqui.",
    ),
    provider_busy: text(
      "{provider} não aceita alterações no momento",
      "Tentamos de novo por conta própria. Se tiver pressa, adicione os registros você mesmo.",
    ),
    provider_write_failed: text(
      "Não foi possível criar os registros em {provider}",
      "Tente de novo ou adicione os registros você mesmo.",
    ),
    record_loop: text(
      "{name} anda em círculos",
      "Em {provider}, substitua o registro CNAME {name} pelo que é mostrado aqui.",
    ),
    record_proxied: text(
      "{name} está atrás de um proxy",
      "Em {provider}, edite o registro {name} e desative o proxy (“DNS only”, a nuvem cinza). Não conseguimos ver o registro por trás dele.",
    ),
    cdn_not_forwarding: text(
      "{cdn} ainda não traz os visitantes de {name} para cá",
      "Em {cdn}, defina o destino de {name} como o que é mostrado aqui. O proxy pode continuar ligado. Se o destino estiver certo, veja se nenhuma regra redireciona ou bloqueia as solicitações.",
    ),
    cdn_tls_flexible: text(
      "{cdn} traz os visitantes de {domain} para cá sem criptografia",
      "Em {cdn}, defina o modo de criptografia como “Full (strict)”. Até lá, os visitantes ficam girando em círculo.",
    ),
    cdn_hides_challenge: text(
      "{cdn} nos impede de obter o certificado de {domain}",
      "Em {cdn}, deixe passar as solicitações para /.well-known/acme-challenge/, sem redirecionamento nem cache. Ou adicione o registro mostrado aqui, se houver um.",
    ),
    cdn_caches_probe: text(
      "{cdn} guarda em cache páginas de {domain} que não deve guardar",
      "Em {cdn}, desative a regra que guarda tudo em cache ou faça-a seguir as configurações das páginas.",
    ),
    behind_cdn: text(
      "{domain} está atrás de {cdn}, e isso não é problema",
      "Não há nada a fazer. Em {cdn}, mantenha o modo de criptografia “Full (strict)”.",
    ),
    proxy_to_proxy: text(
      "{name} está atrás de um proxy que não nos deixa passar",
      "Desative o proxy de {name} (“DNS only”, a nuvem cinza) ou fale com o suporte.",
    ),
    record_flattened: text(
      "{name} leva até aqui por endereço em vez de nome",
      "Em {provider}, substitua os registros de endereço pelo que é mostrado aqui.",
    ),
    aaaa_leftover: text(
      "Ainda há um endereço antigo em {name}",
      "Em {provider}, exclua o registro AAAA {observed} de {name}: parte dos seus visitantes vai para lá.",
    ),
    a_leftover: text(
      "Ainda há outro endereço em {name}",
      "Em {provider}, exclua {observed} de {name}: parte dos seus visitantes vai para lá.",
    ),
    https_leftover: text(
      "Ainda há um registro HTTPS antigo em {name}",
      "Em {provider}, exclua o registro do tipo HTTPS em {name}: alguns navegadores o seguem para outro lugar.",
    ),
    policy_duplicate: text(
      "Haveria duas políticas de e-mail em {name}",
      "Em {provider}, acrescente o valor desejado ao registro que já existe em vez de criar um segundo.",
    ),
    record_conflict: text(
      "Outros registros estão no caminho em {name}",
      "Em {provider}, primeiro exclua ou mova o que está listado aqui, se nada precisar disso. Registros do tipo MX recebem seu e-mail: conecte outro nome se quiser mantê-los.",
    ),
    record_target_doubled: text(
      "O destino de {name} termina com {zone}",
      "{provider} entendeu o destino como um nome curto. Digite-o com um ponto no final.",
    ),
    record_doubled_name: text(
      "O nome do registro tem {zone} duas vezes",
      "{provider} acrescenta {zone} sozinho. Altere o nome para que fique como mostrado aqui.",
    ),
    private_address: text(
      "{name} leva a um endereço que só a sua rede conhece",
      "Em {provider}, substitua o que está em {name} pelo que é mostrado aqui.",
    ),
    apex_needs_alias: text(
      "{name} não pode seguir outro nome em {provider}",
      "Procure lá um tipo de registro ALIAS ou ANAME, ou conecte www.{name} e redirecione {name} para ele.",
      {
        operator: text(
          "{name} não pode seguir outro nome em {provider}",
          "Conecte www.{name} em vez dele, ou fale com o suporte.",
        ),
      },
    ),
    record_of_another: text(
      "{name} tem o registro de outra conexão",
      "Em {provider}, substitua o que está em {name} ({observed}) pelo que é mostrado aqui: cada conexão tem seu próprio valor.",
    ),
    record_mismatch: text(
      "{name} leva a outro lugar",
      "Em {provider}, substitua o que está em {name} ({observed}) pelo que é mostrado aqui.",
    ),
    record_missing: text("O registro {type} de {name} ainda não está lá", addBelow, {
      wait: onItsWay,
    }),
    servers_disagree: text(
      "A mudança está a caminho",
      "Alguns servidores de nomes já a têm e os outros costumam acompanhar em alguns minutos. Verificamos de novo por conta própria.",
    ),
    records_unanswered: text(
      "Os servidores de nomes de {zone} não respondem no momento",
      "Perguntamos de novo por conta própria. Se continuar assim por uma hora, pergunte ao seu provedor de DNS sobre uma falha.",
    ),
    resolvers_failing: text(
      "Partes da internet não encontram {zone} no momento",
      "Muitas vezes isso passa. Se continuar, pergunte ao seu provedor de DNS.",
    ),
    wildcard_answers: text(
      "Um registro para todos os nomes (*) responde por {name}",
      "Em {provider}, adicione juntos todos os registros mostrados aqui: o outro deixa de responder por {name}.",
    ),
    caa_forbidden: text(
      "Um registro CAA proíbe o certificado de {domain}",
      "Em {provider}, adicione o registro mostrado aqui. Os outros registros CAA podem ficar.",
      { operator: text("O certificado de {domain} está proibido", notYours) },
    ),
    caa_unanswered: text(
      "Os servidores de nomes de {zone} não respondem a todas as perguntas",
      "Muitas vezes isso passa. Se continuar, pergunte ao seu provedor de DNS por que os servidores de nomes dele não respondem a perguntas sobre registros CAA.",
    ),
    certificate_revoked: text("O certificado de {domain} precisa ser renovado", notYours),
    certificate_expired: text("O certificado de {domain} expirou", notYours),
    certificate_at_risk: text(
      mayExpire,
      "Corrija o que é mostrado aqui; a renovação continua sozinha.",
      {
        operator: text(mayExpire, notYours),
        tenant: text("O certificado de {domain} termina em breve", notYours),
      },
    ),
    ca_rate_limited: text(
      "O certificado precisa esperar a vez",
      "Não há nada a fazer: ele é pedido de novo assim que for permitido. Começar de novo não acelera.",
    ),
    ca_unavailable: text(
      "Nenhum certificado é emitido no momento",
      "Não há nada a fazer: ele é pedido de novo automaticamente.",
    ),
    certificate_cached: text(
      "Os registros antigos ainda podem ser vistos até {time}",
      "Não há nada a fazer: o certificado chega no máximo até {time}.",
    ),
    certificate_failed: text(
      "Não foi possível obter o certificado de {domain}",
      "Tentamos de novo por conta própria. Você não precisa fazer nada; se continuar assim por uma hora, fale com o suporte.",
    ),
    certificate_foreign: text(
      "Outra pessoa obteve um certificado para {domain}",
      "Se você também usa {domain} com uma CDN ou outra hospedagem, ou usava até pouco tempo atrás, não há nada a fazer. Caso contrário, troque a senha onde o seu DNS é gerenciado, verifique quem mais pode entrar lá e peça a {issuer} que revogue o certificado.",
    ),
    origin_unreachable: text("O site por trás de {domain} não responde", notYours),
    origin_missing: text("O site por trás de {domain} ainda não está configurado", notYours),
    registration_expiring: text(
      "O registro de {zone} é válido até {date}",
      "Renove {zone} na empresa onde você o registrou. Se ele é renovado automaticamente, não há nada a fazer.",
    ),
    quota_exceeded: text(
      "{domain} aguarda o responsável pelo serviço",
      "Você não precisa fazer nada: continua sozinho. Se permanecer assim, fale com o suporte.",
    ),
    check_failed: text(
      "Não conseguimos verificar {domain} no momento",
      "Verifique de novo aqui. Se não ajudar, fale com o suporte.",
    ),
    gave_up: text(
      "Paramos de verificar {domain}",
      "Corrija o que está listado aqui e comece de novo. Seus registros continuam válidos.",
    ),
    archived_still_points_here: text(
      "{domain} está desconectado, mas os registros ainda levam até aqui",
      "Em {provider}, exclua os registros listados aqui.",
    ),
    cutover_preparing: text(
      "{domain} fica onde está enquanto a mudança é preparada",
      "Deixe como estão os registros que levam os visitantes ao seu site atual e adicione apenas o que é pedido aqui. Quando tudo estiver pronto, você verá o que mudar.",
    ),
    cutover_ready: text(
      "{domain} está pronto para a troca",
      "Troque quando quiser: em {provider}, substitua os registros antigos pelos novos. Até lá, seu site atual continua no ar.",
    ),
    records_changed: text(
      "{domain} precisa de registros diferentes dos atuais",
      "Em {provider}, substitua os registros antigos pelos mostrados aqui. Seu domínio funciona enquanto isso.",
      { wait: onItsWay },
    ),
    records_cached: text(
      "Está tudo certo; partes da internet ainda lembram os registros antigos",
      "Não há nada a fazer: a mudança logo será vista em toda parte.",
    ),
    slow_to_change: text(
      "Alguns visitantes podem ver o site antigo por um tempo",
      "Os registros antigos são lembrados por até {hours} horas depois de substituídos.",
    ),
    certificate_pending: text(
      "O certificado de {domain} está sendo obtido",
      "Não há nada a fazer: costuma levar menos de um minuto.",
    ),
    apex_by_address: text(
      "{domain} leva até aqui por endereço",
      "Não há nada a fazer agora. Se o endereço mudar um dia, você será avisado.",
    ),
    www_not_connected: text(
      "{name} não leva até aqui",
      "Os visitantes costumam digitar qualquer uma das formas. Conecte também {name}.",
    ),
    email_mx_missing: text(
      "{zone} não recebe e-mail",
      "Em {provider}, adicione os registros MX mostrados aqui ou os que seu provedor de e-mail indica.",
      { wait: onItsWay },
    ),
    email_mx_elsewhere: text(
      "O e-mail de {zone} vai para outro provedor",
      "Se suas caixas de correio mudaram, substitua todos os registros MX; com ambos, parte do seu e-mail se perde.",
    ),
    email_spf_multiple: text(
      "{zone} tem vários registros SPF, e os destinatários ignoram todos",
      "Em {provider}, mantenha um com os remetentes de todos e exclua os outros.",
    ),
    email_spf_missing: text(
      "O registro SPF de {zone} não cita seu provedor de e-mail",
      "Em {provider}, defina o registro SPF como mostrado aqui.",
    ),
    email_spf_broken: text(
      "Os destinatários recusam o registro SPF de {zone}",
      "Em {provider}, retire dele os remetentes que você não usa mais.",
    ),
    email_dkim_missing: text(
      "Falta a {zone} um registro DKIM, por isso seu e-mail não é considerado confiável",
      addBelow,
      { wait: onItsWay },
    ),
    email_dmarc_missing: text(
      "{zone} não tem uma política DMARC válida",
      "Em {provider}, garanta que haja exatamente uma.",
      { wait: onItsWay },
    ),
    check_incomplete: text(
      "Não foi possível verificar tudo a tempo",
      "Verifique de novo daqui a pouco.",
    ),
  },
};
