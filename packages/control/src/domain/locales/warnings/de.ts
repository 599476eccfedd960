import type { WarningTexts } from "./en.ts";

export const de: WarningTexts = {
  not_registered:
    "{zone} ist noch nicht registriert. Registrieren Sie die Domain zuerst, oder prüfen Sie die Schreibweise.",
  ending_unknown: "{domain} hat eine Endung, die es nicht gibt. Meinten Sie {meant}?",
  mixed_script:
    "Prüfen Sie, ob {domain} der gemeinte Name ist: In „{label}“ sind Buchstaben mehrerer Alphabete gemischt.",
  latin_lookalike:
    "Prüfen Sie, ob {domain} der gemeinte Name ist: Buchstaben in „{label}“ lassen sich mit lateinischen verwechseln.",
  dnssec_broken:
    "DNSSEC von {zone} ist defekt, daher erreichen viele Besucher die Domain nicht. Schalten Sie DNSSEC dort aus, wo Sie {zone} gekauft haben, oder richten Sie es neu ein.",
  ns_failing:
    "Die Nameserver von {zone} antworten nicht für die Domain. Prüfen Sie sie dort, wo Sie {zone} gekauft haben.",
  ns_mixed_operators:
    "Das DNS von {zone} ist auf mehrere Anbieter verteilt. Die Einträge werden bei jedem von ihnen gebraucht.",
  provider_ambiguous:
    "Die Nameserver von {zone} gehören zu mehreren Marken ({providers}). Vergewissern Sie sich, wo Ihr DNS verwaltet wird.",
  domain_connect_stale:
    "{provider} bietet an, die Einträge zu setzen, aber {zone} nutzt andere Nameserver. Vergewissern Sie sich, dass Ihr DNS noch dort verwaltet wird.",
  zone_delegated: "{zone} hat eigene DNS-Einstellungen: Die Einträge gehören dorthin.",
  caa_unanswered:
    "Die Nameserver von {zone} beantworten nicht jede Frage. Ohne Antwort lässt sich kein Zertifikat ausstellen.",
  caa_forbidden:
    "Ein CAA-Eintrag von {name} verbietet das Zertifikat. Er muss geändert werden, bevor {domain} online gehen kann.",
  record_proxied:
    "{name} liegt hinter einem Proxy. Schalten Sie den Proxy für diesen Eintrag aus („DNS only“, die graue Wolke).",
  behind_cdn:
    "{name} liegt hinter {cdn}, das ist in Ordnung: Setzen Sie dort das Ziel auf den gezeigten Eintrag, mit dem Verschlüsselungsmodus „Full (strict)“.",
  aaaa_leftover:
    "Löschen Sie den AAAA-Eintrag {observed} von {name}: Ein Teil Ihrer Besucher gelangt sonst dorthin.",
  https_leftover:
    "Löschen Sie den HTTPS-Eintrag von {name}: Manche Browser gehen sonst woandershin.",
  slow_to_change: "Es kann bis zu {hours} Stunden dauern, bis alle Besucher die Änderung sehen.",
  apex_needs_alias:
    "{name} braucht einen Eintrag vom Typ ALIAS oder ANAME oder feste Adressen: Ein CNAME ist dort nicht möglich.",
  apex_by_address:
    "{name} führt über die Adresse hierher. Ändert sich die Adresse eines Tages, sagen wir Ihnen Bescheid.",
  wildcard_answers:
    "Zurzeit antwortet ein Eintrag für alle Namen (*) für {name}. Fügen Sie alle Einträge zusammen hinzu.",
  check_incomplete:
    "Einige Nameserver haben nicht rechtzeitig geantwortet. Prüfen Sie in Kürze noch einmal.",
};
