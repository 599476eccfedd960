import type { ShareTexts } from "./en.ts";

export const de: ShareTexts = {
  title: "DNS-Einträge für {domain}",
  heading: "{domain} mit {brand} verbinden",
  why: "Sie haben diesen Link bekommen, weil Sie das DNS von {domain} verwalten. {brand} bittet um die folgenden Einträge, damit Besucher von {domain} dorthin gelangen.",
  pair: "Wer {other} aufruft, wird zu {domain} weitergeleitet.",
  why_safe:
    "Sie tragen sie dort ein, wo das DNS verwaltet wird. Dafür braucht niemand Ihr Passwort, und von dieser Seite aus lässt sich nichts ändern.",
  prepare:
    "Nur vorbereiten: {domain} bleibt, wo es jetzt ist. Lassen Sie die vorhandenen Einträge, wie sie sind, und fügen Sie nur die folgenden hinzu.",
  status: "Stand",
  add: "Noch hinzuzufügende Einträge: {n} von {all}",
  add_hint:
    "Das DNS wird laufend geprüft. Jeder Eintrag wird hier abgehakt, sobald er gefunden ist.",
  fix: "Etwas muss noch berichtigt werden",
  fix_hint: "Unten steht, was gefunden wurde und was zu tun ist.",
  replace: "{domain} funktioniert, braucht ab jetzt aber andere Einträge",
  replace_hint:
    "Setzen Sie die folgenden Einträge an die Stelle der alten. Die Domain bleibt währenddessen verbunden.",
  switch: "{domain} ist bereit zum Umschalten",
  switch_hint:
    "Ersetzen Sie die alten Einträge durch die folgenden, wann Sie möchten. Bis dahin bleibt die jetzige Website erreichbar.",
  placed: "Alle Einträge sind da",
  placed_hint:
    "Die nächste Prüfung übernimmt sie innerhalb weniger Minuten. Für Sie ist nichts mehr zu tun.",
  securing: "Alle Einträge sind da",
  securing_hint:
    "Die sichere Verbindung für {domain} wird eingerichtet. Für Sie ist nichts mehr zu tun.",
  spreading: "Die Einträge sind unterwegs",
  spreading_hint:
    "Einige Nameserver haben sie schon. Die anderen folgen meist innerhalb weniger Minuten.",
  sender: "Ihr Teil ist erledigt",
  sender_hint: "Den nächsten Schritt macht {brand}. Für Sie ist nichts mehr zu tun.",
  done: "{domain} ist verbunden",
  done_hint: "Alle Einträge stimmen. Es ist nichts mehr zu tun.",
  ended: "Die Einrichtung wartet nicht mehr",
  ended_hint:
    "Berichtigen Sie die Einträge wie unten gezeigt und sagen Sie dem Absender Bescheid: Die Einrichtung lässt sich fortsetzen.",
  unknown: "Das DNS ließ sich gerade nicht prüfen",
  unknown_hint: "Es wird von selbst wieder versucht. Was einzutragen ist, steht unten.",
  records: "Einträge",
  records_at:
    "Tragen Sie in den DNS-Einstellungen von {zone} bei {provider} ein, was unten steht, genau so, wie es hier geschrieben ist.",
  records_anywhere:
    "Tragen Sie dort, wo das DNS von {zone} verwaltet wird, ein, was unten steht, genau so, wie es hier geschrieben ist.",
  records_names:
    "Die meisten DNS-Verwaltungen hängen {zone} selbst an den Namen an; dort ist der kurze Name richtig. Verlangt Ihre ganze Namen, nehmen Sie den vollständigen.",
  guide_open: "{provider} öffnen",
  guide_go: "Gehen Sie zu {path}.",
  guide_add: "Drücken Sie für jeden Eintrag unten „{label}“ und wählen Sie seinen Typ.",
  guide_add_one: "Drücken Sie „{label}“ und wählen Sie den Typ {type}.",
  guide_add_section: "Drücken Sie „{label}“ für jeden Eintrag unten, im Abschnitt seines Typs.",
  guide_add_section_one: "Drücken Sie „{label}“ im Abschnitt des Typs {type}.",
  guide_add_plain: "Legen Sie jeden Eintrag unten mit seinem Typ an.",
  guide_add_plain_one: "Legen Sie einen Eintrag vom Typ {type} an.",
  guide_fill:
    "Kopieren Sie „{host}“ und „{value}“, wie sie hier stehen; {provider} hängt {zone} selbst an den Namen an.",
  guide_fill_full:
    "Kopieren Sie „{host}“ und „{value}“, wie sie hier stehen; der Name wird vollständig eingetragen.",
  guide_proxy_off:
    "Schalten Sie bei diesen Einträgen die orange Wolke auf Grau („DNS only“), sonst sind sie nicht zu sehen.",
  guide_quotes: "Setzen Sie den Wert eines TXT-Eintrags in Anführungszeichen.",
  guide_addresses_apart: "Für A- und AAAA-Einträge gibt es einen eigenen Abschnitt.",
  guide_no_apex_alias:
    "{provider} nimmt für {zone} selbst keinen ALIAS- oder CNAME-Eintrag an. Nehmen Sie stattdessen einen Namen wie {www}.",
  guide_no_wildcard: "{provider} nimmt keinen Namen mit Stern (*) an.",
  guide_save: "Speichern Sie mit „{label}“.",
  early: "Vor dem Umschalten beweisen",
  early_hint:
    "Freiwillig. {domain} ist in Gebrauch: Dieser Eintrag beweist, dass die Domain Ihnen gehört, und ändert für Besucher nichts. Ersetzen Sie dann den alten Eintrag, wann es Ihnen passt.",
  purpose_ownership: "Beweist, dass die Domain Ihnen gehört",
  purpose_traffic: "Führt Besucher zu {brand}",
  purpose_validation: "Damit bereitet {brand} das Zertifikat vor; führt keine Besucher irgendwohin",
  purpose_both: "Führt Besucher zu {brand} und beweist, dass die Domain Ihnen gehört",
  purpose_moving: "Tritt an die Stelle des alten Eintrags",
  type: "Typ",
  name: "Name",
  full_name: "Vollständiger Name",
  value: "Wert",
  priority: "Priorität",
  ttl: "TTL",
  leave_empty: "leer lassen",
  found: "Gefunden",
  proven: "Bewiesen",
  partly: "Auf einigen Servern",
  not_yet: "Noch nicht da",
  expected: "Erwartet",
  missing: "Noch nicht gefunden",
  other: "Anderer Wert",
  unchecked: "Nicht prüfbar",
  there_now: "Dort steht jetzt:",
  remove: "Entfernen oder ändern Sie zuerst:",
  findings: "Was gefunden wurde",
  evidence: "Was zu sehen war",
  actor_end_customer: "Von Ihnen zu erledigen",
  actor_wait: "Einfach abwarten",
  checked: "Geprüft: {time}",
  valid: "Wer die Adresse dieser Seite hat, kann sie bis {time} lesen.",
  support: "Fragen? Wenden Sie sich an {brand}",
  download: "Zonendatei herunterladen",
  print: "Drucken",
  copy: "Kopieren",
  copied: "Kopiert",
  copy_what: "{what} kopieren",
  language: "Sprache",
  expired: "Dieser Link ist nicht mehr gültig",
  expired_hint:
    "Er ist vielleicht abgelaufen, oder die Domain wird nicht mehr verbunden. Bitten Sie den Absender um einen neuen.",
  busy: "Zu viele Anfragen",
  busy_hint: "Warten Sie eine Minute und laden Sie die Seite dann neu.",
  trouble: "Etwas ist schiefgegangen",
  trouble_hint: "Der Dienst antwortet gerade nicht. Laden Sie die Seite in einer Minute neu.",
};
