import type { NoteTexts } from "./en.ts";

export const ptBR: NoteTexts = {
  mx_host_needed:
    "O Microsoft 365 tem um servidor de e-mail próprio para cada domínio. Ele aparece no centro de administração, em “Configurações”, “Domínios”; volte um passo e informe-o como servidor MX.",
  mx_host_older:
    "Para um domínio adicionado ao Microsoft 365 antes de julho de 2026, provavelmente é {host}. Compare com o centro de administração.",
  mx_host_unknown:
    "Não conseguimos verificar se o servidor de e-mail {host} existe. Compare com o centro de administração do Microsoft 365.",
  mx_host_missing:
    "Não existe um servidor de e-mail chamado {host}. Compare com o centro de administração do Microsoft 365.",
  mx_host_derived:
    "O servidor de e-mail do seu domínio provavelmente é {host}. O centro de administração do Microsoft 365 mostra com certeza.",
  mx_hidden: "Não podemos alterar os registros MX de {domain}, então eles ficam como estão.",
  mx_older_set:
    "Seus registros MX são mais antigos, do mesmo provedor. Eles funcionam igualmente bem.",
  mx_other_own:
    "{domain} tem outros registros MX do mesmo provedor ({hosts}). Eles ficam como estão: compare-os com o que seu provedor de e-mail mostra.",
  mx_filtered:
    "Os e-mails de {domain} passam por um filtro, então os registros MX ficam como estão. Configure as novas caixas no filtro.",
  mx_null:
    "{domain} está marcado como não recebendo e-mails. Exclua esse registro MX quando adicionar os novos.",
  mx_elsewhere:
    "Os e-mails de {domain} vão agora para {holder}, então os registros MX ficam como estão. Quando mudar suas caixas de e-mail, substitua todos de uma vez; com os dois, e-mails se perdem.",
  mx_forwarded:
    "Os e-mails de {domain} vão agora para um serviço de encaminhamento, então os registros MX ficam como estão. Quando mudar suas caixas de e-mail, substitua todos de uma vez; com os dois, e-mails se perdem.",
  mx_hosting:
    "Os e-mails de {domain} vão agora para as caixas da sua hospedagem, então os registros MX ficam como estão. Quando mudar suas caixas de e-mail, substitua todos de uma vez; com os dois, e-mails se perdem.",
  mx_parked:
    "Os registros MX de {domain} levam a um serviço de estacionamento de domínios. Eles ficam como estão; substitua todos de uma vez quando suas caixas estiverem prontas.",
  mx_strict_transport:
    "{domain} informa quais servidores de e-mail permite (MTA-STS). Inclua os novos nessa lista antes de adicionar os registros MX.",
  mx_own_server:
    "Um servidor de e-mail próprio parece receber os e-mails de {domain}. Adicione os registros MX quando não precisar mais dele.",
  mx_wildcard:
    "Um registro MX para todos os nomes (*) recebe os e-mails dos nomes abaixo de {domain}. Ele fica como está.",
  mx_no_mail:
    "{domain} está marcado como não enviando e-mails. Se isso mudou, adicione os registros MX manualmente.",
  cname_no_mail:
    "{domain} é um alias (CNAME), e um nome assim não pode receber e-mails. Configure o e-mail para outro nome, por exemplo sem www.",
  cname_no_text:
    "{name} é um alias (CNAME), então não é possível adicionar um registro TXT ali. Envie a partir de um nome próprio, como {example}.",
  name_taken:
    "Já existe outro registro em {name} ({types}). Ele fica como está; substitua-o se não precisar mais dele.",
  name_occupied: "Já existe algo em {name}. Fica como está; substitua se não precisar mais.",
  dkim_google:
    "Para o DKIM, gere uma chave no Admin Console do Google (“Apps”, “Google Workspace”, “Gmail”, “Autenticar e-mail”), depois volte um passo e informe-a. Inicie a autenticação lá assim que o registro for encontrado.",
  dkim_microsoft:
    "Para o DKIM, o portal Microsoft Defender mostra dois destinos nas configurações de autenticação de e-mail. Volte um passo e informe os dois.",
  dkim_zoho:
    "Para o DKIM, adicione um seletor no console de administração do Zoho Mail (“Domains”, “Email configuration”, “DKIM”), depois volte um passo e informe o nome e o valor.",
  dkim_proton:
    "Para o DKIM, o Proton mostra três destinos em “Domain names”, “DKIM”. Volte um passo e informe qualquer um deles.",
  dkim_brevo:
    "Se a Brevo mostrar um valor DKIM em vez de dois destinos, volte um passo e informe esse valor.",
  first_google: "Crie suas caixas de e-mail no Google antes de direcionar os e-mails para lá.",
  first_microsoft:
    "Você poderá ativar o DKIM na Microsoft assim que os dois registros DKIM forem encontrados.",
  first_zoho: "Escolha a região da sua conta Zoho. Com outra, os e-mails não chegam.",
  first_fastmail: "Adicione primeiro seu domínio no Fastmail. Só então o DKIM funciona.",
  first_proton:
    "Mantenha o registro de verificação do Proton: ele é verificado de novo mais tarde.",
  first_icloud:
    "Adicione primeiro seu domínio nos ajustes do iCloud (“Domínio de E-mail Personalizado”).",
  first_mailgun:
    "Deixamos de fora os registros MX da Mailgun: servem só para receber, e seus e-mails continuam como estão.",
  dmarc_reports:
    "Os relatórios DMARC devem ir para outro domínio. Esse domínio precisa permitir, com um registro TXT em {name}.",
  dmarc_several: "Há {count} registros DMARC em {name}, então nenhum deles vale. Deixe apenas um.",
  dmarc_present: "{name} já tem um registro DMARC. Deixe-o como está e não adicione um segundo.",
  dmarc_occupied: "Já existe outra coisa em {name}, talvez de um serviço DMARC. Fica como está.",
  dmarc_above: "O registro DMARC de {name} vale também para {domain}. Não é preciso outro.",
  spf_once:
    "Um domínio tem só um registro SPF. Se já existe um, altere-o em vez de adicionar um segundo.",
  spf_right: "O registro SPF está certo como está.",
  spf_add: "Adicione você mesmo o registro SPF; nós nunca o gravamos.",
  spf_replace: "Substitua você mesmo o registro SPF; nós nunca o gravamos.",
  spf_term: "Acrescente “{term}” ao registro SPF que você mantiver.",
  spf_unreadable: "Seu registro SPF contém um erro. Peça a quem o criou para corrigi-lo.",
  spf_unreadable_at: "O registro SPF de {name} contém um erro, e por isso o seu não funciona.",
  spf_several:
    "Há {count} registros SPF, então nenhum deles vale. Decida de quais remetentes você precisa e deixe apenas um registro.",
  spf_opposed:
    "Seu registro SPF bloqueia este remetente com “{term}”. Decida se essa parte pode sair.",
  spf_long:
    "Com o acréscimo, seu registro SPF fica muito longo ({bytes} de {limit} caracteres). Retire remetentes que você não usa mais.",
  spf_no_mail: "Até agora, seu registro SPF diz que este domínio nunca envia e-mails.",
  spf_allows_all:
    "Seu registro SPF termina com “+all”: ele permite que qualquer um envie em nome do seu domínio.",
  spf_term_dead: "“{term}” vem depois de “all” no seu registro SPF e ali não tem efeito.",
  spf_terms_dead: "O que vem depois de “all” no seu registro SPF não tem efeito.",
  spf_ptr: "Seu registro SPF usa “ptr”, que muitos destinatários ignoram.",
  spf_circle: "“{term}” no seu registro SPF anda em círculos.",
  spf_include_empty: "“{term}” no seu registro SPF indica um domínio sem registro SPF.",
  spf_include_several: "“{term}” no seu registro SPF indica um domínio com vários registros SPF.",
  spf_lookups: "O registro SPF precisa de {count} das {limit} consultas permitidas.",
  spf_lookups_least:
    "O registro SPF precisa de pelo menos {count} das {limit} consultas permitidas.",
  spf_lookups_over:
    "O registro SPF precisa de {count} consultas, e só {limit} são permitidas: e-mails podem ser recusados. Retire remetentes que você não usa mais.",
  spf_lookups_void:
    "{count} itens do registro SPF não levam a lugar nenhum; mais de {limit} podem invalidá-lo. Retire-os.",
  dns_incomplete:
    "Nem todos os servidores de nomes responderam. Antes de adicionar algo, veja o que já existe para {domain}.",
  nothing_written: "Não gravamos nada. Adicione os registros você mesmo.",
  not_proven: "Ainda não gravamos nada, porque não está comprovado que {domain} é seu.",
  credential_refused:
    "Seu provedor de DNS não aceita mais nosso acesso, então não gravamos nada. Adicione os registros você mesmo.",
  zone_not_reached:
    "Não temos acesso ao DNS de {domain}, então não gravamos nada. Adicione os registros você mesmo.",
  provider_cannot:
    "Seu provedor de DNS não aceita todos os registros automaticamente. Adicione você mesmo os que aparecem abaixo.",
};
