import type { MovingMessages } from "./en.ts";

export const movingEs: MovingMessages = {
  moving_title: "{domain} ya muestra un sitio",
  moving_lede: "Elige cómo se traslada a {brand}.",
  moving_prepare: "Primero preparar y luego cambiar: tu sitio sigue en línea",
  moving_prepare_lede:
    "Lo preparamos y comprobamos todo mientras los visitantes siguen viendo el sitio antiguo. Tú decides cuándo se cambia.",
  moving_direct: "Cambiar de inmediato",
  moving_direct_lede: "Los visitantes pueden ver un error hasta que todo esté listo.",
  moving_change: "{domain} lleva a {brand} solo cuando tú lo digas",
  moving_records_lede:
    "Estos registros no desvían a ningún visitante: tu sitio queda como está. Añádelos en {provider}.",
  moving_validation: "Nos permite obtener el certificado por adelantado",
  prepare_title: "Tu sitio sigue en línea mientras lo preparamos",
  prepare_lede:
    "Los visitantes de {domain} siguen viendo el sitio antiguo. Te avisamos cuando todo esté listo.",
  ready_title: "Listo para cambiar",
  ready_lede:
    "Todo está preparado y comprobado. Los visitantes de {domain} ven el sitio antiguo hasta que hagas el cambio.",
  ready_switch: "Cambiar ahora",
  ready_by_hand: "Cambiar los registros yo mismo",
  ready_later: "Puedes cerrar esta ventana y cambiar otro día. Hasta entonces no cambia nada.",
  switch_records_lede: "Cambia estos registros en {provider} y los visitantes llegarán a {brand}.",
  switch_records: "Cambia estos registros",
  switching_title: "Cambiando a {brand}",
  switching_lede:
    "Los registros están cambiando. Algunos visitantes ven todavía el sitio antiguo: mantenlo en marcha.",
  old_server:
    "Mantén el servidor antiguo en marcha hasta {time}. A partir de entonces puedes apagarlo.",
  check_ownership: "El dominio es tuyo",
  check_validation: "Podemos obtener su certificado",
  check_certificate: "El certificado está listo",
  check_edge: "Nuestros servidores están listos",
  check_origin: "{brand} responde como el sitio antiguo",
  check_caa_dnssec: "El certificado se podrá renovar",
  check_mail: "Tu correo no se toca",
  check_mail_stops: "Hay registros de correo que lo impiden",
  check_not_compared: "Sin comparar con el sitio antiguo",
  not_compared_unreachable:
    "No se pudo acceder al sitio antiguo. Compáralo tú con el nuevo antes de cambiar.",
  not_compared_no_address: "El dominio no tiene ahora ninguna dirección en el sitio antiguo.",
  check_open: "todavía no",
  differs_title: "El sitio nuevo responde de otra manera",
  differs_lede:
    "La página de inicio del sitio antiguo y la de {brand} no responden igual. Compáralas antes de cambiar.",
  differs_accept: "Cambiar de todos modos",
  mail_blocks:
    "El cambio quitaría registros de correo. Pásalos antes a otro nombre o pregunta a {brand}.",
  wildcard_title: "Todos los nombres bajo {domain}",
  wildcard_lede:
    "Todos los nombres directamente debajo llevan a {brand}, como uno.{domain} y dos.{domain}. Un nombre con registro propio se queda donde está.",
  wildcard_offer: "Conectar todos los nombres de debajo",
  wildcard_single: "Conectar solo {domain}",
  wildcard_change: "Todos los nombres bajo {domain} llevan a {brand}",
  wildcard_certificate: "Un registro CNAME nos permite obtener un certificado para todos",
};
