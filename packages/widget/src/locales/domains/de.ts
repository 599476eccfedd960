import type { DomainMessages } from "./en.ts";

export const domainsDe: DomainMessages = {
  domains_title: "Ihre Domains",
  domains_lede: "Die Domains, die zu {brand} führen, und die, die unterwegs sind.",
  domains_add: "Weitere Domain hinzufügen",
  domains_show: "Ihre Domains",
  domains_live: "Online",
  domains_progress: "In Arbeit",
  domains_attention: "Braucht Ihre Hilfe",
  domains_partner: "{domain} führt dorthin",
  domains_visit: "Besuchen",
  domains_continue: "Fortfahren",
  domains_fix: "In Ordnung bringen",
  domains_remove: "Trennen",
  remove_title: "{domain} trennen?",
  remove_lede:
    "Besucher von {domain} erreichen {brand} dann nicht mehr, und das Zertifikat wird nicht mehr erneuert. Sie können die Domain jederzeit wieder verbinden.",
  remove_dns:
    "Ihre DNS-Einträge bleiben, wie sie sind. Entfernen Sie sie selbst, wenn Sie sie nicht mehr brauchen.",
  remove_keep: "Behalten",
  remove_confirm: "Trennen",
  remove_problem: "Das Trennen hat nicht geklappt. Versuchen Sie es gleich noch einmal.",
  domains_removed: "Getrennt.",
  pair_title: "{domain} auch verbinden?",
  pair_lede:
    "Viele tippen www., viele nicht. Beide Adressen führen zu Ihnen, und eine bleibt im Browser stehen.",
  pair_both: "Beide, und Besucher bleiben auf {domain}",
  pair_single: "Nur {domain}",
  pair_in_use: "{domain} zeigt zurzeit etwas anderes. Wenn Sie beide wählen, wird das ersetzt.",
  pair_next: "{done} ist freigegeben. Geben Sie jetzt {domain} auf dieselbe Weise frei.",
  pair_one_by_one:
    "Ihr Anbieter gibt einen Namen nach dem anderen frei: jetzt {domain}, gleich danach {other}.",
  pair_change_leads: "{domain} und {other} führen zu {brand}",
  taken_title: "{domain} ist schon verbunden",
  taken_lede:
    "Die Domain gehört zu einem anderen Konto, vielleicht zu einem älteren von Ihnen. Wenn sie Ihnen gehört, beweisen Sie es mit einem DNS-Eintrag: Das andere Konto muss es dann auch beweisen oder verliert sie.",
  taken_drifted:
    "Ein anderes Konto hatte die Domain, aber sie führt nicht mehr dorthin. Beweisen Sie mit einem DNS-Eintrag, dass sie Ihnen gehört, dann geht sie auf Sie über.",
  taken_support: "Nicht sicher?",
  taken_contact: "Fragen Sie {brand}",
};
