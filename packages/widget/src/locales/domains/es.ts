import type { DomainMessages } from "./en.ts";

export const domainsEs: DomainMessages = {
  domains_title: "Sus dominios",
  domains_lede: "Los dominios que llevan a {brand} y los que están en camino.",
  domains_add: "Añadir otro dominio",
  domains_show: "Sus dominios",
  domains_live: "En línea",
  domains_progress: "En curso",
  domains_attention: "Requiere su atención",
  domains_partner: "{domain} lleva a él",
  domains_visit: "Visitar",
  domains_continue: "Continuar",
  domains_fix: "Corregirlo",
  domains_remove: "Desconectar",
  remove_title: "¿Desconectar {domain}?",
  remove_lede:
    "Los visitantes de {domain} dejarán de llegar a {brand} y el certificado no se renovará más. Puede volver a conectarlo cuando quiera.",
  remove_dns: "Sus registros DNS se quedan como están. Elimínelos usted si ya no los necesita.",
  remove_keep: "Conservarlo",
  remove_confirm: "Desconectar",
  remove_problem: "No se ha podido desconectar. Inténtelo de nuevo en breve.",
  domains_removed: "Desconectado.",
  pair_title: "¿Conectar también {domain}?",
  pair_lede:
    "Mucha gente escribe www. y mucha no. Ambas direcciones llevan a usted y una queda en el navegador.",
  pair_both: "Ambos, y los visitantes se quedan en {domain}",
  pair_single: "Solo {domain}",
  pair_in_use: "{domain} muestra ahora otra cosa. Con ambos, se sustituye.",
  pair_next: "{done} está aprobado. Apruebe ahora {domain} del mismo modo.",
  pair_one_by_one:
    "Su proveedor aprueba un nombre cada vez: ahora {domain} y justo después {other}.",
  pair_change_leads: "{domain} y {other} llevarán a {brand}",
  taken_title: "{domain} ya está conectado",
  taken_lede:
    "Pertenece a otra cuenta, quizá a una antigua suya. Si es suyo, demuéstrelo: añada un registro DNS y la otra cuenta tendrá que demostrarlo también o lo perderá.",
  taken_drifted:
    "Otra cuenta lo tenía, pero ya no lleva allí. Demuestre con un registro DNS que es suyo y pasará a usted.",
  taken_support: "¿No está seguro?",
  taken_contact: "Pregunte a {brand}",
};
