import type { WarningTexts } from "./en.ts";

export const ptBR: WarningTexts = {
  not_registered: "{zone} ainda não está registrado. Registre-o primeiro ou confira a grafia.",
  ending_unknown: "{domain} tem uma terminação que não existe. Você quis dizer {meant}?",
  mixed_script:
    "Confira se {domain} é o nome desejado: “{label}” mistura letras de vários alfabetos.",
  latin_lookalike:
    "Confira se {domain} é o nome desejado: letras em “{label}” podem ser confundidas com as latinas.",
  dnssec_broken:
    "O DNSSEC de {zone} está com defeito, e muitos visitantes não conseguem chegar. Onde você comprou {zone}, desative o DNSSEC ou configure-o de novo.",
  ns_failing:
    "Os servidores de nomes de {zone} não respondem por ele. Confira-os onde você comprou {zone}.",
  ns_mixed_operators:
    "O DNS de {zone} está dividido entre vários provedores. Os registros são necessários em cada um deles.",
  provider_ambiguous:
    "Os servidores de nomes de {zone} são de várias marcas ({providers}). Confirme onde seu DNS é administrado.",
  domain_connect_stale:
    "{provider} se oferece para criar os registros, mas {zone} usa outros servidores de nomes. Confirme que seu DNS ainda é administrado lá.",
  zone_delegated: "{zone} tem configurações de DNS próprias: os registros ficam lá.",
  caa_unanswered:
    "Os servidores de nomes de {zone} não respondem a todas as perguntas. Sem resposta, nenhum certificado pode ser emitido.",
  caa_forbidden:
    "Um registro CAA de {name} proíbe o certificado. Ele precisa ser alterado antes que {domain} possa entrar no ar.",
  record_proxied:
    "{name} está atrás de um proxy. Desative o proxy deste registro (“DNS only”, a nuvem cinza).",
  behind_cdn:
    "{name} está atrás de {cdn}, e isso não é problema: lá, defina o destino como o registro mostrado, com o modo de criptografia “Full (strict)”.",
  aaaa_leftover:
    "Exclua o registro AAAA {observed} de {name}: parte dos seus visitantes iria para lá.",
  https_leftover: "Exclua o registro HTTPS de {name}: alguns navegadores iriam para outro lugar.",
  slow_to_change: "Pode levar até {hours} horas para que todos os visitantes vejam a mudança.",
  apex_needs_alias:
    "{name} precisa de um registro do tipo ALIAS ou ANAME, ou de endereços fixos: um CNAME não é possível ali.",
  apex_by_address:
    "{name} leva até aqui por endereço. Se o endereço mudar um dia, você será avisado.",
  wildcard_answers:
    "Agora um registro para todos os nomes (*) responde por {name}. Adicione todos os registros juntos.",
  check_incomplete:
    "Alguns servidores de nomes não responderam a tempo. Verifique de novo daqui a pouco.",
};
