import type { ShareTexts } from "./en.ts";

export const es: ShareTexts = {
  title: "Registros DNS de {domain}",
  heading: "Conectar {domain} con {brand}",
  why: "Has recibido este enlace porque gestionas el DNS de {domain}. {brand} pide los registros que aparecen abajo para que los visitantes de {domain} lleguen allí.",
  pair: "Quienes visitan {other} se redirigen a {domain}.",
  why_safe:
    "Se añaden donde se gestiona el DNS. Nadie necesita tu contraseña para ello, y desde esta página no se puede cambiar nada.",
  prepare:
    "Solo preparar: {domain} se queda donde está. Deja los registros actuales como están y añade únicamente los de abajo.",
  status: "Estado",
  add: "Registros por añadir: {n} de {all}",
  add_hint:
    "El DNS se comprueba continuamente. Cada registro se marca aquí en cuanto se encuentra.",
  fix: "Hay algo que corregir",
  fix_hint: "Abajo se indica qué se ha encontrado y qué hay que hacer.",
  replace: "{domain} funciona, pero a partir de ahora necesita otros registros",
  replace_hint:
    "Pon los registros de abajo en lugar de los antiguos. El dominio sigue conectado mientras tanto.",
  switch: "{domain} está listo para el cambio",
  switch_hint:
    "Sustituye los registros antiguos por los de abajo cuando quieras. Hasta entonces el sitio actual sigue en línea.",
  placed: "Todos los registros están en su sitio",
  placed_hint:
    "La próxima comprobación los tendrá en cuenta, en unos minutos. Ya no tienes que hacer nada.",
  securing: "Todos los registros están en su sitio",
  securing_hint: "Se está preparando la conexión segura de {domain}. Ya no tienes que hacer nada.",
  spreading: "Los registros se están propagando",
  spreading_hint:
    "Algunos servidores de nombres ya los tienen. Los demás suelen seguir en unos minutos.",
  sender: "Tu parte está hecha",
  sender_hint: "El siguiente paso le toca a {brand}. Ya no tienes que hacer nada.",
  done: "{domain} está conectado",
  done_hint: "Todos los registros son correctos. No queda nada por hacer.",
  ended: "La configuración ha dejado de esperar",
  ended_hint:
    "Corrige los registros como se muestra abajo y avisa a quien te envió el enlace: la configuración puede continuar.",
  unknown: "No se ha podido comprobar el DNS ahora mismo",
  unknown_hint: "Se volverá a intentar sin que hagas nada. Lo que hay que añadir está abajo.",
  records: "Registros",
  records_at:
    "Añade lo que aparece abajo en la configuración DNS de {zone} en {provider}, exactamente como está escrito aquí.",
  records_anywhere:
    "Añade lo que aparece abajo donde se gestiona el DNS de {zone}, exactamente como está escrito aquí.",
  records_names:
    "La mayoría de los paneles DNS añaden {zone} al nombre por sí solos; ahí el nombre corto es el correcto. Si el tuyo pide nombres enteros, usa el completo.",
  guide_open: "Abrir {provider}",
  guide_go: "Ve a {path}.",
  guide_add: "Pulsa «{label}» para cada registro de abajo y elige su tipo.",
  guide_add_one: "Pulsa «{label}» y elige el tipo {type}.",
  guide_add_section: "Pulsa «{label}» para cada registro de abajo, en la sección de su tipo.",
  guide_add_section_one: "Pulsa «{label}» en la sección del tipo {type}.",
  guide_add_plain: "Añade cada registro de abajo con su tipo.",
  guide_add_plain_one: "Añade un registro de tipo {type}.",
  guide_fill:
    "Copia «{host}» y «{value}» como se muestran aquí; {provider} añade {zone} al nombre por sí mismo.",
  guide_fill_full:
    "Copia «{host}» y «{value}» como se muestran aquí; el nombre se introduce completo.",
  guide_proxy_off:
    "Cambia la nube naranja a gris («DNS only») en estos registros; si no, no se pueden ver.",
  guide_quotes: "Pon el valor de un registro TXT entre comillas.",
  guide_addresses_apart: "Los registros A y AAAA tienen su propia sección.",
  guide_no_apex_alias:
    "{provider} no acepta un registro ALIAS o CNAME para {zone}. Usa en su lugar un nombre como {www}.",
  guide_no_wildcard: "{provider} no acepta nombres con asterisco (*).",
  guide_save: "Pulsa «{label}» para guardar.",
  early: "Demostrarlo antes de cambiar",
  early_hint:
    "Opcional. {domain} está en uso: este registro demuestra que es tuyo y no cambia nada para los visitantes. Después sustituye el registro antiguo cuando te convenga.",
  purpose_ownership: "Demuestra que el dominio es tuyo",
  purpose_traffic: "Lleva a los visitantes a {brand}",
  purpose_validation:
    "Permite a {brand} preparar el certificado; no lleva visitantes a ninguna parte",
  purpose_both: "Lleva a los visitantes a {brand} y demuestra que el dominio es tuyo",
  purpose_moving: "Ocupa el lugar del registro antiguo",
  type: "Tipo",
  name: "Nombre",
  full_name: "Nombre completo",
  value: "Valor",
  priority: "Prioridad",
  ttl: "TTL",
  leave_empty: "déjalo vacío",
  found: "Encontrado",
  proven: "Demostrado",
  partly: "En algunos servidores",
  not_yet: "Todavía no está",
  expected: "Esperado",
  missing: "Aún no encontrado",
  other: "Otro valor",
  unchecked: "No se pudo comprobar",
  there_now: "Ahora hay:",
  remove: "Elimina o cambia esto primero:",
  findings: "Qué se ha encontrado",
  evidence: "Qué se ha visto",
  actor_end_customer: "Te toca a ti",
  actor_wait: "Solo hay que esperar",
  checked: "Comprobado: {time}",
  valid: "Quien tenga la dirección de esta página puede leerla hasta el {time}.",
  support: "¿Preguntas? Contacta con {brand}",
  download: "Descargar archivo de zona",
  print: "Imprimir",
  copy: "Copiar",
  copied: "Copiado",
  copy_what: "Copiar: {what}",
  language: "Idioma",
  expired: "Este enlace ya no es válido",
  expired_hint:
    "Puede que haya caducado o que el dominio ya no se esté conectando. Pide uno nuevo a quien te lo envió.",
  busy: "Demasiadas solicitudes",
  busy_hint: "Espera un minuto y vuelve a cargar esta página.",
  trouble: "Algo ha salido mal",
  trouble_hint: "El servicio no responde ahora. Vuelve a cargar esta página dentro de un minuto.",
};
