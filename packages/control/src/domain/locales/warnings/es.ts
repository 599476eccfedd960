import type { WarningTexts } from "./en.ts";

export const es: WarningTexts = {
  not_registered: "{zone} aún no está registrado. Regístralo primero o revisa cómo está escrito.",
  ending_unknown: "{domain} tiene una terminación que no existe. ¿Querías decir {meant}?",
  mixed_script:
    "Comprueba que {domain} es el nombre que quieres: «{label}» mezcla letras de varios alfabetos.",
  latin_lookalike:
    "Comprueba que {domain} es el nombre que quieres: hay letras en «{label}» que se confunden con las latinas.",
  dnssec_broken:
    "El DNSSEC de {zone} está roto, así que muchos visitantes no pueden llegar. Donde compraste {zone}, desactiva DNSSEC o configúralo de nuevo.",
  ns_failing:
    "Los servidores de nombres de {zone} no responden por él. Revísalos donde compraste {zone}.",
  ns_mixed_operators:
    "El DNS de {zone} está repartido entre varios proveedores. Los registros hacen falta en cada uno de ellos.",
  provider_ambiguous:
    "Los servidores de nombres de {zone} son de varias marcas ({providers}). Asegúrate de dónde se gestiona tu DNS.",
  domain_connect_stale:
    "{provider} ofrece crear los registros, pero {zone} usa otros servidores de nombres. Asegúrate de que tu DNS todavía se gestiona allí.",
  zone_delegated: "{zone} tiene su propia configuración DNS: los registros van ahí.",
  caa_unanswered:
    "Los servidores de nombres de {zone} no responden a todas las preguntas. Sin respuesta no se puede emitir un certificado.",
  caa_forbidden:
    "Un registro CAA de {name} prohíbe el certificado. Hay que cambiarlo antes de que {domain} pueda estar en línea.",
  record_proxied:
    "{name} está detrás de un proxy. Desactiva el proxy de este registro («DNS only», la nube gris).",
  behind_cdn:
    "{name} está detrás de {cdn}, y eso está bien: allí, pon como destino el registro que se muestra, con el modo de cifrado «Full (strict)».",
  aaaa_leftover:
    "Elimina el registro AAAA {observed} de {name}: parte de tus visitantes iría allí.",
  https_leftover: "Elimina el registro HTTPS de {name}: algunos navegadores irían a otro sitio.",
  slow_to_change: "Pueden pasar hasta {hours} horas hasta que todos los visitantes vean el cambio.",
  apex_needs_alias:
    "{name} necesita un registro de tipo ALIAS o ANAME, o direcciones fijas: ahí no es posible un CNAME.",
  apex_by_address:
    "{name} lleva aquí por dirección. Si la dirección cambia algún día, te avisaremos.",
  wildcard_answers:
    "Ahora un registro para todos los nombres (*) responde por {name}. Añade todos los registros juntos.",
  check_incomplete:
    "Algunos servidores de nombres no respondieron a tiempo. Vuelve a comprobarlo dentro de un momento.",
};
