import type { SetupMessages } from "./en.ts";

export const setupEs: SetupMessages = {
  your_provider: "tu proveedor de DNS",
  copied_what: "Copiado: {what}",
  fix_title: "Hay algo que corregir",
  fix_delay: "Hay un retraso",
  fix_lede: "{domain} continúa en cuanto esté hecho.",
  fix_check: "Comprobar de nuevo",
  fix_remove: "Elimina esto primero",
  fix_add: "Esto tiene que estar ahí",
  fix_leave: "Puedes cerrar esta ventana y volver cuando esté hecho.",
  check_running: "Preguntando a los servidores de nombres…",
  check_saw: "Comprobado a las {time}: {found} de {all} registros encontrados.",
  check_saw_one: "Comprobado a las {time}: el registro está ahí.",
  check_saw_none: "Comprobado a las {time}: el registro aún no está.",
  check_done: "Comprobado a las {time}.",
  check_still: "Comprobado a las {time}: sigue igual.",
  check_next: "La próxima comprobación es a las {time} como muy tarde.",
  share_subject: "Registros DNS de {domain}",
  share_text:
    "Añade, por favor, los registros DNS de esta página para que {domain} pueda usarse con {brand}. La página muestra lo que ya está.",
  share_link: "Enlace",
  share_mail: "Enviar por correo",
  share_native: "Compartir…",
  share_ready: "El enlace está listo",
  manual_delete_first: "Elimina estos primero",
  conflict_other_records: "Hay otros registros en {name}.",
  conflict_delegated:
    "{name} está cedido a otros servidores de nombres, así que un registro aquí no tendría efecto.",
  conflict_whole_zone:
    "{provider} sustituye toda la zona con cada cambio. Los registros que no enumera se pierden.",
  conflict_managed: "{provider} tiene un registro en {name} que no se puede cambiar desde aquí.",
  conflict_not_writable: "{provider} no admite este registro.",
  conflict_mail_warning:
    "El registro MX recibe el correo de {name}. Sin él ya no llega correo a ese nombre.",
  conflict_mail_consent: "Nadie recibe correo en {name}; su registro MX puede eliminarse",
  plan_blocked: "Esto no se puede cambiar desde aquí",
  plan_blocked_lede:
    "No se ha cambiado nada. Cámbialo en {provider} y vuelve a ver la vista previa, o añade los registros tú.",
  refused_auth:
    "{provider} no acepta lo que has introducido: está mal escrito, ha caducado o le falta un permiso.",
  refused_not_found: "Este acceso no ve {zone} en {provider}. ¿Es la cuenta correcta?",
  refused_rate_limited: "{provider} pide esperar. Inténtalo de nuevo en un minuto.",
  refused_unavailable: "{provider} no responde en este momento. Inténtalo de nuevo en breve.",
  refused_conflict: "{provider} rechaza el cambio porque otro registro estorba.",
  refused_unsupported: "{provider} no acepta un registro así.",
  refused_invalid: "Lo que has introducido está incompleto o no tiene la forma correcta.",
  refused_other: "No se pudieron escribir los registros.",
  refused_nothing: "No se ha cambiado nada.",
  trouble_caa_forbidden: "Un registro CAA prohíbe el certificado de {domain}",
  trouble_caa_forbidden_fix:
    "Tu dominio dice quién puede emitir certificados para él, y nuestra entidad no está entre ellas. Añade otro registro CAA en {provider}; los demás pueden quedarse.",
  trouble_certificate_failed: "No se pudo obtener el certificado de {domain}",
  trouble_certificate_failed_fix:
    "No tienes que hacer nada: se intenta de nuevo. Si sigue así durante una hora, contacta con soporte.",
  trouble_check_failed: "Ahora mismo no podemos comprobar {domain}",
  trouble_check_failed_fix: "Comprueba de nuevo aquí. Si eso no ayuda, contacta con soporte.",
  trouble_dnssec_bogus: "El DNSSEC de {zone} está roto",
  trouble_dnssec_bogus_fix:
    "Donde compraste {zone}, desactiva DNSSEC (elimina el registro DS) o configúralo de nuevo. Hasta entonces muchos visitantes no pueden llegar.",
  trouble_hostname_conflict: "{domain} está conectado con otra cuenta",
  trouble_hostname_conflict_fix:
    "Las dos cuentas lo han demostrado, y entonces lo conserva la otra. Miramos qué registros hay.",
  trouble_not_registered: "{zone} no está registrado o ha caducado",
  trouble_not_registered_fix:
    "Registra o renueva {zone} donde compras tus dominios, o revisa cómo está escrito. Tras una renovación puede tardar unas horas.",
  trouble_provider_auth: "{provider} no nos dejó escribir los registros",
  trouble_provider_auth_fix: "Añade los registros tú, como se muestra aquí.",
  trouble_provider_not_delegated:
    "El DNS de {zone} se gestiona en otro sitio que el que podemos escribir",
  trouble_provider_not_delegated_fix: "Añade los registros tú, como se muestra aquí.",
  trouble_provider_unsupported: "{provider} no admite estos registros automáticamente",
  trouble_provider_unsupported_fix: "Añade los registros tú, como se muestra aquí.",
  cdn_fine: "Tu dominio está detrás de {cdn}, y eso está bien",
  cdn_set:
    "En {cdn}, pon como destino de {domain} el registro que se muestra aquí. El proxy puede seguir activado; pon el modo de cifrado en «Full (strict)».",
  cdn_keep: "No hay nada que cambiar. En {cdn}, mantén el modo de cifrado «Full (strict)».",
  trouble_proxied: "{domain} está detrás de un proxy",
  trouble_proxied_fix:
    "En {provider}, edita el registro de {domain} y desactiva el proxy: «DNS only», la nube gris. No podemos ver el registro que hay detrás.",
  trouble_quota_exceeded: "{domain} está a la espera del titular del servicio",
  trouble_quota_exceeded_fix:
    "No tienes que hacer nada: continuará por sí solo. Si sigue así, contacta con soporte.",
  trouble_record_conflict: "Otros registros estorban en {domain}",
  trouble_record_conflict_fix:
    "Elimínalos o muévelos en {provider} si nada los necesita. Si se necesitan, conecta otro nombre.",
  trouble_record_mismatch: "{domain} lleva a otro sitio",
  trouble_record_mismatch_fix:
    "Ahora lleva a {observed}. En {provider}, sustitúyelo por el registro que se muestra aquí.",
  trouble_txt_mismatch: "La prueba tiene otro valor",
  trouble_txt_mismatch_fix:
    "En {provider}, pon el valor del registro TXT exactamente como se muestra aquí.",
  analysis_guided: "Paso a paso",
  way_minute: "Un minuto",
  way_manual: "Paso a paso en {provider}",
  way_manual_unknown: "Paso a paso",
  way_manual_lede: "Te mostramos qué introducir y dónde. Se tarda unos cinco minutos.",
  way_api: "Gestiono el DNS por API",
  way_api_lede:
    "Para desarrolladores: con una clave de acceso de {provider}. Nunca se guarda, y preguntamos antes de usarla otra vez.",
  access_again: "Usar otra vez el acceso a {provider} que introdujiste antes",
  access_again_mail: "Sin él te mostramos los registros y los añades tú.",
  access_again_switch: "Sin esto, lo introduces de nuevo.",
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
  guide_cloud:
    "Cambia la nube naranja a gris («DNS only») en estos registros; si no, no podemos verlos.",
  guide_quotes: "Pon el valor de un registro TXT entre comillas.",
  guide_addresses_apart: "Los registros A y AAAA tienen su propia sección.",
  guide_no_apex_alias:
    "{provider} no acepta un registro ALIAS o CNAME para {zone}. Usa en su lugar un nombre como {www}.",
  guide_no_wildcard: "{provider} no acepta nombres con asterisco (*).",
  guide_save: "Pulsa «{label}» para guardar.",
  token_open: "Abrir {provider}",
  token_which: "¿Qué tienes?",
  token_more: "Más opciones",
  step_open: "Ve a «{label}».",
  step_press: "Pulsa «{label}».",
  step_choose: "Elige «{label}».",
  step_permit: "Dale estos permisos: {label}.",
  step_limit: "Limítalo a {zone} («{label}»).",
  step_addresses: "Introduce nuestras direcciones en «{label}»: {addresses}.",
  step_addresses_unknown: "Pide a {brand} las direcciones que hay que introducir en «{label}».",
  step_copy: "Copia lo que se muestra y pégalo abajo.",
  error_not_set_up: "Esta página aún no está configurada",
  error_not_set_up_lede:
    "{brand} tiene que terminar su configuración antes de que se pueda conectar un dominio aquí. Ponte en contacto con ellos.",
  oauth_sign_in: "Iniciar sesión en {provider}",
  oauth_sign_in_retained_lede:
    "Inicia sesión en {provider} en una ventana pequeña y permite el cambio. El permiso se conserva para poder reparar más adelante los registros de este dominio; termina cuando lo desconectas.",
  oauth_sign_in_lede:
    "Inicia sesión en {provider} en una ventana pequeña y permite el cambio. El permiso se usa solo para esta configuración.",
};
