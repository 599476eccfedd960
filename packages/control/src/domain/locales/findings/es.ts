import { type FindingTexts, text } from "./language.ts";

const notYours = "No tienes que hacer nada. Si sigue así, contacta con soporte.";
const byItself = "No hay nada que hacer: volvemos a comprobarlo por nuestra cuenta.";
const addBelow = "En {provider}, añade el registro que se muestra aquí, exactamente como está.";
const onItsWay = text(
  "Se están creando los registros de {domain}",
  "No hay nada que hacer: suele tardar unos minutos.",
);
const dnssecElsewhere = {
  operator: text("DNSSEC está roto en un nombre al que lleva {domain}", notYours),
  wait: text("DNSSEC está roto por encima de {zone}", byItself),
};
const mayExpire = "Es posible que el certificado de {domain} no se renueve a tiempo";

export const es: FindingTexts = {
  provider: "tu proveedor de DNS",
  texts: {
    registration_on_hold: text(
      "{zone} está bloqueado o su registro ha vencido",
      "Pregunta a la empresa donde registraste {zone} qué necesita de ti, y renuévalo si ha vencido. Hasta entonces los visitantes no llegan a él. Estado: {status}.",
    ),
    not_registered: text(
      "{zone} no está registrado o ha caducado",
      "Registra o renueva {zone} donde compras dominios, o revisa cómo está escrito. Tras una renovación puede tardar unas horas.",
    ),
    dnssec_ds_stale: text(
      "El DNSSEC de {zone} es de un proveedor de DNS anterior",
      "Donde compraste {zone}, desactiva DNSSEC (elimina el registro DS). Hasta entonces, muchos visitantes no pueden llegar.",
      dnssecElsewhere,
    ),
    dnssec_broken: text(
      "El DNSSEC de {zone} está roto",
      "Donde compraste {zone}, desactiva DNSSEC (elimina el registro DS) o configúralo de nuevo con tu proveedor de DNS. Hasta entonces, muchos visitantes no pueden llegar.",
      dnssecElsewhere,
    ),
    ns_unreachable: text(
      "Hay servidores de nombres de {zone} que no responden",
      "Donde compraste {zone}, revisa la lista de servidores de nombres. Si es correcta, pregunta a tu proveedor de DNS si tiene una avería.",
    ),
    ns_servfail: text(
      "Hay servidores de nombres de {zone} que responden con un error",
      "Pregunta a tu proveedor de DNS por qué fallan los servidores de nombres de {zone}. A menudo el dominio nunca se configuró allí.",
    ),
    ns_lame: text(
      "Hay servidores de nombres de {zone} que no lo conocen",
      "Donde compraste {zone}, pon exactamente los servidores de nombres que indica tu proveedor de DNS.",
    ),
    ns_disagree: text(
      "Los servidores de nombres de {zone} no están de acuerdo entre sí",
      "Donde compraste {zone}, pon exactamente los servidores de nombres que indica tu proveedor de DNS. Hasta entonces, parte de tus visitantes puede no ver un cambio.",
    ),
    ns_mixed_operators: text(
      "El DNS de {zone} está repartido entre varios proveedores",
      "Añade los registros en cada uno de ellos, o usa los servidores de nombres de un solo proveedor.",
    ),
    dns_moved: text(
      "El DNS de {zone} está ahora en {provider}",
      "Añade los registros en {provider}. Los cambios en el proveedor anterior ya no tienen efecto.",
    ),
    zone_delegated: text(
      "{zone} tiene su propia configuración DNS",
      "Añade los registros en la configuración de {zone}, no en la del dominio que está por encima.",
    ),
    hostname_conflict: text(
      "{domain} ya está conectado",
      "Si es tuyo, demuéstralo: añade el registro que se muestra aquí. La otra cuenta tendrá que demostrarlo también, o lo perderá.",
      {
        tenant: text(
          "{domain} sigue de momento con otra cuenta",
          "Esa cuenta lo ha demostrado de nuevo. Tu prueba vuelve a contar a partir del {time}: deja tu registro hasta entonces.",
        ),
        wait: text(
          "Has demostrado que {domain} es tuyo",
          "Pasará a ti el {time}, salvo que la otra cuenta también lo demuestre. Deja el registro hasta entonces.",
        ),
      },
    ),
    hostname_proven_by_both: text(
      "Dos cuentas han demostrado {domain}, y la otra lo conserva",
      "Seguirá así mientras estén los dos registros. Si debe ser tuyo: en {provider}, elimina el registro {type} {name} con el valor {observed} y deja el otro. Si lo haces ahora, {domain} pasará a ti el {time}. Si debe quedarse con la otra cuenta, elimina en su lugar el registro con el valor {expected}.",
      {
        wait: text(
          "Otra persona también ha demostrado {domain}, y sigue siendo tuyo",
          "Tu registro está ahí: eso lo decide en unos minutos, antes del {time}. Conserva hasta entonces el registro con el valor {expected}. En {provider}, elimina el registro {type} {name} con el valor {observed}, salvo que {domain} deba pasar a otra persona.",
        ),
      },
    ),
    hostname_contested: text(
      "Otra persona ha demostrado que {domain} es suyo",
      "Añade el registro que se muestra aquí antes del {time} para conservarlo.",
      { wait: text("Otra persona quiere {domain}, y tu registro está en su sitio", byItself) },
    ),
    ownership_unanswered: text(
      "Responden muy pocos servidores de nombres de {zone}",
      "Volvemos a preguntar por nuestra cuenta. Si sigue así una hora, pregunta a tu proveedor de DNS si tiene una avería.",
    ),
    ownership_cname: text(
      "Hay otro registro en el lugar de la prueba",
      "En {provider}, elimina el registro CNAME {name} y después añade el registro que se muestra aquí.",
    ),
    ownership_wildcard: text(
      "La prueba está en un registro para todos los nombres (*)",
      "En {provider}, elimina ese registro y añade el que se muestra aquí, con su nombre exacto.",
    ),
    ownership_partial: text("La prueba está en camino", byItself),
    ownership_altered: text(
      "El valor de la prueba cambió por el camino",
      "En {provider}, vuelve a poner el valor exactamente como está aquí, sin comillas ni espacios.",
    ),
    ownership_doubled_name: text(
      "El nombre de la prueba tiene {zone} dos veces",
      "{provider} añade {zone} por sí solo. Cambia el nombre para que sea como se muestra aquí.",
    ),
    ownership_wrong_name: text(
      "La prueba está en el nombre equivocado",
      "El valor es correcto, el nombre no: está en {observed}. Cambia el nombre para que sea como se muestra aquí.",
    ),
    ownership_other_token: text(
      "La prueba es de una configuración anterior",
      "En {provider}, sustituye su valor por el que se muestra aquí.",
    ),
    ownership_mismatch: text("La prueba tiene otro valor", addBelow),
    ownership_missing: text("La prueba aún no está", addBelow, { wait: onItsWay }),
    wrong_dns_provider: text(
      "Para {zone} solo cuentan los registros en {provider}",
      "Si ya los añadiste, mira dónde: la tienda donde compraste {zone} puede mostrar una configuración DNS que no tiene efecto.",
    ),
    ownership_seen: text("La prueba está en su sitio", byItself, {
      tenant: text("La prueba está en su sitio", "Empieza de nuevo para continuar."),
    }),
    domain_connect_cancelled: text(
      "No se confirmó nada en {provider}",
      "Vuelve a {provider} y confirma allí, con la cuenta que tiene {zone}, o añade los registros tú.",
    ),
    domain_connect_refused: text(
      "{provider} no creó los registros",
      "Inténtalo de nuevo dentro de poco, con la cuenta que tiene {zone}, o añade los registros tú.",
    ),
    provider_auth: text(
      "{provider} rechaza nuestro acceso",
      "Añade los registros tú, como se muestra aquí. El acceso lo debe renovar el sitio al que te conectas.",
    ),
    credential_failing: text(
      "{provider} rechaza nuestro acceso",
      "{domain} funciona tal como está. El acceso lo debe renovar el sitio al que te conectas.",
    ),
    provider_unsupported: text(
      "No podemos crear los registros en {provider}",
      "Añade los registros tú, como se muestra aquí.",
    ),
    provider_not_delegated: text(
      "El DNS de {zone} se gestiona en otro sitio del que podemos escribir",
      "Añade los registros en {provider}, como se muestra aquí.",
    ),
    provider_busy: text(
      "{provider} no acepta cambios en este momento",
      "Lo intentamos de nuevo por nuestra cuenta. Si tienes prisa, añade los registros tú.",
    ),
    provider_write_failed: text(
      "No se pudieron crear los registros en {provider}",
      "Inténtalo de nuevo o añade los registros tú.",
    ),
    record_loop: text(
      "{name} da vueltas en círculo",
      "En {provider}, sustituye el registro CNAME {name} por lo que se muestra aquí.",
    ),
    record_proxied: text(
      "{name} está detrás de un proxy",
      "En {provider}, edita el registro {name} y desactiva el proxy («DNS only», la nube gris). No podemos ver el registro que hay detrás.",
    ),
    cdn_not_forwarding: text(
      "{cdn} aún no trae aquí a los visitantes de {name}",
      "En {cdn}, pon como destino de {name} lo que se muestra aquí. El proxy puede seguir activado. Si el destino es correcto, comprueba que ninguna regla redirija o bloquee las solicitudes.",
    ),
    cdn_tls_flexible: text(
      "{cdn} trae aquí a los visitantes de {domain} sin cifrado",
      "En {cdn}, pon el modo de cifrado en «Full (strict)». Hasta entonces los visitantes dan vueltas en círculo.",
    ),
    cdn_hides_challenge: text(
      "{cdn} nos impide obtener el certificado de {domain}",
      "En {cdn}, deja pasar las solicitudes a /.well-known/acme-challenge/, sin redirección ni caché. O añade el registro que se muestra aquí, si lo hay.",
    ),
    cdn_caches_probe: text(
      "{cdn} guarda en caché páginas de {domain} que no debe guardar",
      "En {cdn}, desactiva la regla que guarda todo en caché o haz que respete los ajustes de las páginas.",
    ),
    behind_cdn: text(
      "{domain} está detrás de {cdn}, y eso está bien",
      "No hay nada que hacer. En {cdn}, mantén el modo de cifrado «Full (strict)».",
    ),
    proxy_to_proxy: text(
      "{name} está detrás de un proxy que no nos deja pasar",
      "Desactiva el proxy de {name} («DNS only», la nube gris) o contacta con soporte.",
    ),
    record_flattened: text(
      "{name} lleva aquí por dirección en lugar de por nombre",
      "En {provider}, sustituye los registros de dirección por lo que se muestra aquí.",
    ),
    aaaa_leftover: text(
      "Aún hay una dirección antigua en {name}",
      "En {provider}, elimina el registro AAAA {observed} de {name}: parte de tus visitantes va allí.",
    ),
    a_leftover: text(
      "Aún hay otra dirección en {name}",
      "En {provider}, elimina {observed} de {name}: parte de tus visitantes va allí.",
    ),
    https_leftover: text(
      "Aún hay un registro HTTPS antiguo en {name}",
      "En {provider}, elimina el registro de tipo HTTPS de {name}: algunos navegadores lo siguen a otro lugar.",
    ),
    policy_duplicate: text(
      "Habría dos políticas de correo en {name}",
      "En {provider}, añade el valor deseado al registro que ya existe en lugar de crear otro.",
    ),
    record_conflict: text(
      "Hay otros registros que estorban en {name}",
      "En {provider}, elimina o mueve primero lo que aparece aquí, si nada lo necesita. Los registros de tipo MX reciben tu correo: conecta otro nombre si quieres conservarlos.",
    ),
    record_target_doubled: text(
      "El destino de {name} termina en {zone}",
      "{provider} tomó el destino por un nombre corto. Escríbelo con un punto al final.",
    ),
    record_doubled_name: text(
      "El nombre del registro tiene {zone} dos veces",
      "{provider} añade {zone} por sí solo. Cambia el nombre para que sea como se muestra aquí.",
    ),
    private_address: text(
      "{name} lleva a una dirección que solo conoce tu red",
      "En {provider}, sustituye lo que hay en {name} por lo que se muestra aquí.",
    ),
    apex_needs_alias: text(
      "{name} no puede seguir a otro nombre en {provider}",
      "Busca allí un tipo de registro ALIAS o ANAME, o conecta www.{name} y redirige {name} hacia él.",
      {
        operator: text(
          "{name} no puede seguir a otro nombre en {provider}",
          "Conecta www.{name} en su lugar, o contacta con soporte.",
        ),
      },
    ),
    record_of_another: text(
      "{name} tiene el registro de otra conexión",
      "En {provider}, sustituye lo que hay en {name} ({observed}) por lo que se muestra aquí: cada conexión tiene su propio valor.",
    ),
    record_mismatch: text(
      "{name} lleva a otro sitio",
      "En {provider}, sustituye lo que hay en {name} ({observed}) por lo que se muestra aquí.",
    ),
    record_missing: text("El registro {type} de {name} aún no está", addBelow, { wait: onItsWay }),
    servers_disagree: text(
      "El cambio está en camino",
      "Algunos servidores de nombres ya lo tienen y los demás suelen seguir en unos minutos. Volvemos a comprobarlo por nuestra cuenta.",
    ),
    records_unanswered: text(
      "Los servidores de nombres de {zone} no responden en este momento",
      "Volvemos a preguntar por nuestra cuenta. Si sigue así una hora, pregunta a tu proveedor de DNS si tiene una avería.",
    ),
    resolvers_failing: text(
      "Partes de internet no encuentran {zone} en este momento",
      "A menudo se pasa. Si sigue así, pregunta a tu proveedor de DNS.",
    ),
    wildcard_answers: text(
      "Un registro para todos los nombres (*) responde por {name}",
      "En {provider}, añade juntos todos los registros que se muestran aquí: el otro dejará de responder por {name}.",
    ),
    caa_forbidden: text(
      "Un registro CAA prohíbe el certificado de {domain}",
      "En {provider}, añade el registro que se muestra aquí. Los demás registros CAA pueden quedarse.",
      { operator: text("El certificado de {domain} está prohibido", notYours) },
    ),
    caa_unanswered: text(
      "Los servidores de nombres de {zone} no responden a todas las preguntas",
      "A menudo se pasa. Si sigue así, pregunta a tu proveedor de DNS por qué sus servidores de nombres no responden a preguntas sobre registros CAA.",
    ),
    certificate_revoked: text("Hay que renovar el certificado de {domain}", notYours),
    certificate_expired: text("El certificado de {domain} ha caducado", notYours),
    certificate_at_risk: text(
      mayExpire,
      "Corrige lo que se muestra aquí; la renovación seguirá sola.",
      {
        operator: text(mayExpire, notYours),
        tenant: text("El certificado de {domain} termina pronto", notYours),
      },
    ),
    ca_rate_limited: text(
      "El certificado tiene que esperar su turno",
      "No hay nada que hacer: se pide de nuevo en cuanto se permite. Empezar otra vez no lo acelera.",
    ),
    ca_unavailable: text(
      "En este momento no se emiten certificados",
      "No hay nada que hacer: se pide de nuevo automáticamente.",
    ),
    certificate_cached: text(
      "Los registros antiguos pueden verse hasta el {time}",
      "No hay nada que hacer: el certificado llegará como muy tarde el {time}.",
    ),
    certificate_failed: text(
      "No se pudo obtener el certificado de {domain}",
      "Lo intentamos de nuevo por nuestra cuenta. No tienes que hacer nada; si sigue así una hora, contacta con soporte.",
    ),
    certificate_foreign: text(
      "Alguien más obtuvo un certificado para {domain}",
      "Si también usas {domain} con una CDN u otro alojamiento, o lo usabas hasta hace poco, no tienes que hacer nada. Si no, cambia la contraseña donde se gestiona tu DNS, comprueba quién más puede entrar allí y pide a {issuer} que revoque el certificado.",
    ),
    origin_unreachable: text("El sitio detrás de {domain} no responde", notYours),
    origin_missing: text("El sitio detrás de {domain} aún no está configurado", notYours),
    registration_expiring: text(
      "El registro de {zone} es válido hasta el {date}",
      "Renueva {zone} en la empresa donde lo registraste. Si se renueva solo, no hay nada que hacer.",
    ),
    quota_exceeded: text(
      "{domain} está a la espera del titular del servicio",
      "No tienes que hacer nada: continuará por sí solo. Si sigue así, contacta con soporte.",
    ),
    check_failed: text(
      "No podemos comprobar {domain} en este momento",
      "Vuelve a comprobarlo aquí. Si no ayuda, contacta con soporte.",
    ),
    gave_up: text(
      "Hemos dejado de comprobar {domain}",
      "Corrige lo que aparece aquí y empieza de nuevo. Tus registros siguen siendo válidos.",
    ),
    archived_still_points_here: text(
      "{domain} está desconectado, pero sus registros aún llevan aquí",
      "En {provider}, elimina los registros que aparecen aquí.",
    ),
    cutover_preparing: text(
      "{domain} se queda donde está mientras se prepara el traslado",
      "Deja como están los registros que llevan a los visitantes a tu sitio actual y añade solo lo que se pide aquí. Cuando todo esté listo, verás qué cambiar.",
    ),
    cutover_ready: text(
      "{domain} está listo para el cambio",
      "Cambia cuando quieras: en {provider}, sustituye los registros antiguos por los nuevos. Hasta entonces tu sitio actual sigue en línea.",
    ),
    records_changed: text(
      "{domain} necesita otros registros que antes",
      "En {provider}, sustituye los registros antiguos por los que se muestran aquí. Tu dominio funciona mientras tanto.",
      { wait: onItsWay },
    ),
    records_cached: text(
      "Todo es correcto; partes de internet aún recuerdan los registros antiguos",
      "No hay nada que hacer: el cambio se verá pronto en todas partes.",
    ),
    slow_to_change: text(
      "Algunos visitantes pueden ver el sitio antiguo durante un tiempo",
      "Los registros antiguos se recuerdan hasta {hours} horas después de sustituirlos.",
    ),
    certificate_pending: text(
      "Se está obteniendo el certificado de {domain}",
      "No hay nada que hacer: suele tardar menos de un minuto.",
    ),
    apex_by_address: text(
      "{domain} lleva aquí por dirección",
      "Ahora no hay nada que hacer. Si la dirección cambia algún día, te avisaremos.",
    ),
    www_not_connected: text(
      "{name} no lleva aquí",
      "Los visitantes suelen escribir cualquiera de las dos formas. Conecta también {name}.",
    ),
    email_mx_missing: text(
      "{zone} no recibe correo",
      "En {provider}, añade los registros MX que se muestran aquí o los que indica tu proveedor de correo.",
      { wait: onItsWay },
    ),
    email_mx_elsewhere: text(
      "El correo de {zone} va a otro proveedor",
      "Si tus buzones se han mudado, sustituye todos los registros MX; con ambos se pierde parte de tu correo.",
    ),
    email_spf_multiple: text(
      "{zone} tiene varios registros SPF y los destinatarios los ignoran todos",
      "En {provider}, deja uno con los remitentes de todos y elimina los demás.",
    ),
    email_spf_missing: text(
      "El registro SPF de {zone} no nombra a tu proveedor de correo",
      "En {provider}, pon el registro SPF como se muestra aquí.",
    ),
    email_spf_broken: text(
      "Los destinatarios rechazan el registro SPF de {zone}",
      "En {provider}, quita de él los remitentes que ya no usas.",
    ),
    email_dkim_missing: text(
      "A {zone} le falta un registro DKIM, por lo que no se confía en su correo",
      addBelow,
      { wait: onItsWay },
    ),
    email_dmarc_missing: text(
      "{zone} no tiene una política DMARC válida",
      "En {provider}, asegúrate de que haya exactamente una.",
      { wait: onItsWay },
    ),
    check_incomplete: text(
      "No se pudo comprobar todo a tiempo",
      "Vuelve a comprobarlo dentro de un momento.",
    ),
  },
};
