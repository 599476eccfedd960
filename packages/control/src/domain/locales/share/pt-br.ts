import type { ShareTexts } from "./en.ts";

export const ptBR: ShareTexts = {
  title: "Registros DNS de {domain}",
  heading: "Conectar {domain} a {brand}",
  why: "Você recebeu este link porque administra o DNS de {domain}. {brand} pede os registros abaixo para que os visitantes de {domain} cheguem até lá.",
  pair: "Quem acessa {other} é redirecionado para {domain}.",
  why_safe:
    "Eles são adicionados onde o DNS é administrado. Ninguém precisa da sua senha para isso, e nada pode ser alterado a partir desta página.",
  prepare:
    "Apenas preparar: {domain} fica onde está. Deixe os registros atuais como estão e adicione somente os abaixo.",
  status: "Situação",
  add: "Ainda faltam {n} de {all} registros",
  add_hint: "O DNS é verificado o tempo todo. Cada registro é marcado aqui assim que é encontrado.",
  fix: "Algo precisa ser corrigido",
  fix_hint: "Veja abaixo o que foi encontrado e o que fazer.",
  replace: "{domain} funciona, mas agora precisa de outros registros",
  replace_hint:
    "Coloque os registros abaixo no lugar dos antigos. O domínio continua conectado enquanto isso.",
  switch: "{domain} está pronto para a troca",
  switch_hint:
    "Substitua os registros antigos pelos abaixo quando quiser. Até lá, o site atual continua no ar.",
  placed: "Todos os registros estão no lugar",
  placed_hint:
    "A próxima verificação vai reconhecê-los em alguns minutos. Você não precisa fazer mais nada.",
  securing: "Todos os registros estão no lugar",
  securing_hint:
    "A conexão segura de {domain} está sendo preparada. Você não precisa fazer mais nada.",
  spreading: "Os registros estão se propagando",
  spreading_hint:
    "Alguns servidores de nomes já os têm. Os outros costumam acompanhar em alguns minutos.",
  sender: "Sua parte está feita",
  sender_hint: "O próximo passo é de {brand}. Você não precisa fazer mais nada.",
  done: "{domain} está conectado",
  done_hint: "Todos os registros estão corretos. Não há mais nada a fazer.",
  ended: "A configuração parou de esperar",
  ended_hint:
    "Corrija os registros como mostrado abaixo e avise quem enviou o link: a configuração pode continuar.",
  unknown: "Não foi possível verificar o DNS agora",
  unknown_hint: "Uma nova tentativa é feita sozinha. O que adicionar está listado abaixo.",
  records: "Registros",
  records_at:
    "Adicione-os nas configurações de DNS de {zone} em {provider}, exatamente como estão escritos aqui.",
  records_anywhere:
    "Adicione-os onde o DNS de {zone} é administrado, exatamente como estão escritos aqui.",
  records_names:
    "A maioria dos painéis de DNS acrescenta {zone} ao nome sozinha; nesse caso, o nome curto é o certo. Se o seu pede nomes inteiros, use o completo.",
  guide_open: "Abrir {provider}",
  guide_go: "Vá para {path}.",
  guide_add: "Clique em “{label}” para cada registro abaixo e escolha o tipo.",
  guide_add_section: "Clique em “{label}” para cada registro abaixo, na seção do seu tipo.",
  guide_add_plain: "Adicione cada registro abaixo com o seu tipo.",
  guide_fill:
    "Copie “{host}” e “{value}” como mostrado aqui; {provider} acrescenta {zone} ao nome sozinho.",
  guide_fill_full: "Copie “{host}” e “{value}” como mostrado aqui; o nome é digitado por inteiro.",
  guide_proxy_off:
    "Mude a nuvem laranja para cinza (“DNS only”) nestes registros, senão eles não podem ser vistos.",
  guide_quotes: "Coloque o valor de um registro TXT entre aspas.",
  guide_addresses_apart: "Os registros A e AAAA têm uma seção própria.",
  guide_no_apex_alias:
    "{provider} não aceita um registro ALIAS ou CNAME para {zone}. Use um nome como {www}.",
  guide_no_wildcard: "{provider} não aceita nomes com asterisco (*).",
  guide_save: "Clique em “{label}” para salvar.",
  purpose_ownership: "Prova que o domínio é seu",
  purpose_traffic: "Leva os visitantes a {brand}",
  purpose_validation:
    "Permite que {brand} prepare o certificado; não leva visitantes a lugar nenhum",
  purpose_moving: "Fica no lugar do registro antigo",
  type: "Tipo",
  name: "Nome",
  full_name: "Nome completo",
  value: "Valor",
  priority: "Prioridade",
  ttl: "TTL",
  leave_empty: "deixe em branco",
  found: "Encontrado",
  proven: "Comprovado",
  partly: "Em alguns servidores",
  missing: "Ainda não encontrado",
  other: "Outro valor",
  unchecked: "Não foi possível verificar",
  there_now: "Agora há:",
  remove: "Remova ou altere primeiro:",
  findings: "O que foi encontrado",
  evidence: "O que foi visto",
  actor_end_customer: "Você precisa agir",
  actor_wait: "É só esperar",
  checked: "Verificado: {time}",
  valid: "Quem tiver o endereço desta página pode lê-la até {time}.",
  support: "Dúvidas? Fale com {brand}",
  download: "Baixar arquivo de zona",
  print: "Imprimir",
  copy: "Copiar",
  copied: "Copiado",
  copy_what: "Copiar: {what}",
  language: "Idioma",
  expired: "Este link não é mais válido",
  expired_hint:
    "Ele pode ter expirado, ou o domínio não está mais sendo conectado. Peça um novo a quem o enviou.",
  busy: "Solicitações demais",
  busy_hint: "Espere um minuto e carregue esta página de novo.",
  trouble: "Algo deu errado",
  trouble_hint: "O serviço não está respondendo agora. Carregue esta página de novo em um minuto.",
};
