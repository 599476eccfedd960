import type { NoteTexts } from "./en.ts";

export const es: NoteTexts = {
  mx_host_needed:
    "Microsoft 365 tiene un servidor de correo propio para cada dominio. Lo encuentras en el centro de administración, en «Configuración», «Dominios»; vuelve un paso atrás y escríbelo como servidor MX.",
  mx_host_older:
    "Para un dominio que añadiste en Microsoft 365 antes de julio de 2026 probablemente es {host}. Compáralo con el centro de administración.",
  mx_host_unknown:
    "No hemos podido comprobar si existe el servidor de correo {host}. Compáralo con el centro de administración de Microsoft 365.",
  mx_host_missing:
    "No existe ningún servidor de correo llamado {host}. Compáralo con el centro de administración de Microsoft 365.",
  mx_host_derived:
    "El servidor de correo de tu dominio probablemente es {host}. El centro de administración de Microsoft 365 lo muestra con seguridad.",
  mx_hidden: "No podemos cambiar los registros MX de {domain}, así que se quedan como están.",
  mx_older_set:
    "Tus registros MX son unos más antiguos del mismo proveedor. Funcionan igual de bien.",
  mx_other_own:
    "{domain} tiene otros registros MX del mismo proveedor ({hosts}). Se quedan como están: compáralos con los que muestra tu proveedor de correo.",
  mx_filtered:
    "El correo de {domain} pasa por un filtro, así que sus registros MX se quedan como están. Indica los buzones nuevos en el filtro.",
  mx_null:
    "{domain} está marcado como que no recibe correo. Borra ese registro MX cuando añadas los nuevos.",
  mx_elsewhere:
    "El correo de {domain} va ahora a {holder}, así que sus registros MX se quedan como están. Cuando traslades tus buzones, sustitúyelos todos a la vez; con los dos se pierde correo.",
  mx_forwarded:
    "El correo de {domain} va ahora a un servicio de reenvío, así que sus registros MX se quedan como están. Cuando traslades tus buzones, sustitúyelos todos a la vez; con los dos se pierde correo.",
  mx_hosting:
    "El correo de {domain} va ahora a los buzones de tu empresa de alojamiento, así que sus registros MX se quedan como están. Cuando traslades tus buzones, sustitúyelos todos a la vez; con los dos se pierde correo.",
  mx_parked:
    "Los registros MX de {domain} llevan a un servicio de aparcamiento de dominios. Se quedan como están; sustitúyelos todos a la vez cuando tus buzones estén listos.",
  mx_strict_transport:
    "{domain} indica qué servidores de correo permite (MTA-STS). Añade los nuevos a esa lista antes de añadir los registros MX.",
  mx_own_server:
    "Parece que un servidor de correo propio recibe el correo de {domain}. Añade los registros MX cuando ya no lo necesites.",
  mx_wildcard:
    "Un registro MX para todos los nombres (*) recibe el correo de los nombres por debajo de {domain}. Se queda como está.",
  mx_no_mail:
    "{domain} está marcado como que no envía correo. Si eso ha cambiado, añade los registros MX a mano.",
  cname_no_mail:
    "{domain} es un alias (CNAME), y un nombre así no puede recibir correo. Configura el correo para otro nombre, por ejemplo sin www.",
  cname_no_text:
    "{name} es un alias (CNAME), así que ahí no se puede añadir un registro TXT. Envía desde un nombre propio, como {example}.",
  name_taken:
    "Ya hay otro registro en {name} ({types}). Se queda como está; sustitúyelo si ya no lo necesitas.",
  name_occupied: "Ya hay algo en {name}. Se queda como está; sustitúyelo si ya no lo necesitas.",
  dkim_google:
    "Para DKIM, genera una clave en la consola de administración de Google («Aplicaciones», «Google Workspace», «Gmail», «Autenticar correo electrónico»), vuelve un paso atrás y escríbela. Inicia allí la autenticación cuando se encuentre el registro.",
  dkim_microsoft:
    "Para DKIM, el portal Microsoft Defender muestra dos destinos en la autenticación de correo. Vuelve un paso atrás y escribe los dos.",
  dkim_zoho:
    "Para DKIM, añade un selector en la consola de administración de Zoho Mail («Domains», «Email configuration», «DKIM»), vuelve un paso atrás y escribe su nombre y su valor.",
  dkim_proton:
    "Para DKIM, Proton muestra tres destinos en «Domain names», «DKIM». Vuelve un paso atrás y escribe cualquiera de ellos.",
  dkim_brevo:
    "Si Brevo te muestra un valor DKIM en lugar de dos destinos, vuelve un paso atrás y escribe ese valor.",
  first_google: "Crea tus buzones en Google antes de dirigir el correo allí.",
  first_microsoft:
    "Podrás activar DKIM en Microsoft en cuanto se encuentren los dos registros DKIM.",
  first_zoho: "Elige la región de tu cuenta de Zoho. Con otra, el correo no llega.",
  first_fastmail: "Añade primero tu dominio en Fastmail. Solo entonces funciona DKIM.",
  first_proton:
    "Deja el registro de verificación de Proton donde está: Proton lo comprueba de nuevo más adelante.",
  first_icloud:
    "Añade primero tu dominio en los ajustes de iCloud («Dominio de correo personalizado»).",
  first_mailgun:
    "Omitimos los registros MX de Mailgun: solo sirven para recibir, y tu correo sigue como hasta ahora.",
  dmarc_reports:
    "Los informes DMARC deben ir a otro dominio. Ese dominio tiene que permitirlo, con un registro TXT en {name}.",
  dmarc_several: "Hay {count} registros DMARC en {name}, así que no cuenta ninguno. Deja solo uno.",
  dmarc_present: "{name} ya tiene un registro DMARC. Déjalo como está y no añadas otro.",
  dmarc_occupied: "Ya hay otra cosa en {name}, quizá de un servicio DMARC. Se queda como está.",
  dmarc_above: "El registro DMARC de {name} vale también para {domain}. No hace falta otro.",
  spf_once:
    "Un dominio solo tiene un registro SPF. Si ya tienes uno, cámbialo en lugar de añadir otro.",
  spf_right: "El registro SPF es correcto tal como está.",
  spf_add: "Añade tú el registro SPF; nosotros nunca lo escribimos.",
  spf_replace: "Sustituye tú el registro SPF; nosotros nunca lo escribimos.",
  spf_term: "Añade «{term}» al registro SPF que conserves.",
  spf_unreadable: "Tu registro SPF contiene un error. Pide a quien lo creó que lo corrija.",
  spf_unreadable_at: "El registro SPF de {name} contiene un error, por lo que el tuyo no funciona.",
  spf_several:
    "Hay {count} registros SPF, así que no cuenta ninguno. Decide qué remitentes necesitas y deja solo un registro.",
  spf_opposed:
    "Tu registro SPF bloquea a este remitente con «{term}». Decide si esa parte se puede quitar.",
  spf_long:
    "Con lo añadido, tu registro SPF queda muy largo ({bytes} de {limit} caracteres). Quita los remitentes que ya no uses.",
  spf_no_mail: "Tu registro SPF dice hasta ahora que este dominio nunca envía correo.",
  spf_allows_all:
    "Tu registro SPF termina en «+all»: permite que cualquiera envíe en nombre de tu dominio.",
  spf_term_dead: "«{term}» está detrás de «all» en tu registro SPF y ahí no tiene efecto.",
  spf_terms_dead: "Lo que va detrás de «all» en tu registro SPF no tiene efecto.",
  spf_ptr: "Tu registro SPF usa «ptr», que muchos receptores ignoran.",
  spf_circle: "«{term}» en tu registro SPF da vueltas en círculo.",
  spf_include_empty: "«{term}» en tu registro SPF nombra un dominio que no tiene registro SPF.",
  spf_include_several:
    "«{term}» en tu registro SPF nombra un dominio que tiene varios registros SPF.",
  spf_lookups: "El registro SPF necesita {count} de las {limit} consultas permitidas.",
  spf_lookups_least:
    "El registro SPF necesita al menos {count} de las {limit} consultas permitidas.",
  spf_lookups_over:
    "El registro SPF necesita {count} consultas y solo se permiten {limit}: pueden rechazar tu correo. Quita los remitentes que ya no uses.",
  spf_lookups_void:
    "{count} entradas del registro SPF no llevan a ninguna parte; más de {limit} pueden invalidarlo. Quítalas.",
  dns_incomplete:
    "No han respondido todos los servidores de nombres. Antes de añadir nada, mira qué hay ya para {domain}.",
  nothing_written: "No hemos escrito nada. Añade tú los registros.",
  not_proven: "Aún no hemos escrito nada, porque no está demostrado que {domain} sea tuyo.",
  credential_refused:
    "Tu proveedor de DNS ya no acepta nuestro acceso, así que no hemos escrito nada. Añade tú los registros.",
  zone_not_reached:
    "No tenemos acceso al DNS de {domain}, así que no hemos escrito nada. Añade tú los registros.",
  provider_cannot:
    "Tu proveedor de DNS no acepta todos los registros automáticamente. Añade tú los que aparecen abajo.",
};
