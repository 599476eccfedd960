import type { MovingMessages } from "./en.ts";

export const movingPtBr: MovingMessages = {
  moving_title: "{domain} já mostra um site",
  moving_lede: "Escolha como ele passa para {brand}.",
  moving_prepare: "Preparar primeiro e depois trocar: seu site continua no ar",
  moving_prepare_lede:
    "Preparamos e verificamos tudo enquanto os visitantes ainda veem o site antigo. Você decide quando trocar.",
  moving_direct: "Trocar agora mesmo",
  moving_direct_lede: "Os visitantes podem ver um erro até que tudo esteja pronto.",
  moving_change: "{domain} só leva a {brand} quando você disser",
  moving_records_lede:
    "Estes registros não desviam nenhum visitante: seu site fica como está. Adicione-os em {provider}.",
  moving_validation: "Permite obter o certificado com antecedência",
  prepare_title: "Seu site continua no ar enquanto preparamos",
  prepare_lede:
    "Os visitantes de {domain} ainda veem o site antigo. Avisamos quando tudo estiver pronto.",
  ready_title: "Pronto para trocar",
  ready_lede:
    "Tudo está preparado e verificado. Os visitantes de {domain} veem o site antigo até você trocar.",
  ready_switch: "Trocar agora",
  ready_by_hand: "Alterar os registros por conta própria",
  ready_later: "Você pode fechar esta janela e trocar outro dia. Nada muda até lá.",
  switch_records_lede: "Altere estes registros em {provider}, e os visitantes chegam a {brand}.",
  switch_records: "Altere estes registros",
  switching_title: "Trocando para {brand}",
  switching_lede:
    "Os registros estão mudando. Alguns visitantes ainda veem o site antigo: mantenha-o no ar.",
  old_server: "Mantenha o servidor antigo no ar até {time}. A partir daí ele pode ser desligado.",
  check_ownership: "O domínio é seu",
  check_validation: "Podemos obter o certificado dele",
  check_certificate: "O certificado está pronto",
  check_edge: "Nossos servidores estão prontos",
  check_origin: "{brand} responde como o site antigo",
  check_caa_dnssec: "O certificado poderá ser renovado",
  check_mail: "Seu e-mail não é alterado",
  check_mail_stops: "Há registros de e-mail no caminho",
  check_not_compared: "Não comparado com o site antigo",
  not_compared_unreachable:
    "Não foi possível acessar o site antigo. Compare-o você mesmo com o novo antes de trocar.",
  not_compared_no_address: "O domínio não tem agora nenhum endereço no site antigo.",
  check_open: "ainda não",
  differs_title: "O site novo responde de outra forma",
  differs_lede:
    "A página inicial do site antigo e a de {brand} não respondem igual. Compare as duas antes de trocar.",
  differs_accept: "Trocar mesmo assim",
  mail_blocks:
    "A troca removeria registros de e-mail. Mova-os antes para outro nome, ou pergunte a {brand}.",
  wildcard_title: "Todos os nomes abaixo de {domain}",
  wildcard_lede:
    "Todos os nomes logo abaixo levam a {brand}, como um.{domain} e dois.{domain}. Um nome com registro próprio fica onde está.",
  wildcard_offer: "Conectar todos os nomes abaixo dele",
  wildcard_single: "Conectar só {domain}",
  wildcard_change: "Todos os nomes abaixo de {domain} levam a {brand}",
  wildcard_certificate: "Um registro CNAME permite obter um certificado para todos",
};
