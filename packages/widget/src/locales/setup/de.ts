import type { SetupMessages } from "./en.ts";

export const setupDe: SetupMessages = {
  your_provider: "Ihrem DNS-Anbieter",
  copied_what: "Kopiert: {what}",
  fix_title: "Eine Sache ist zu beheben",
  fix_delay: "Es gibt eine Verzögerung",
  fix_lede: "Danach geht es mit {domain} weiter.",
  fix_check: "Erneut prüfen",
  fix_remove: "Das zuerst löschen",
  fix_add: "Das muss dort stehen",
  fix_leave: "Sie können dieses Fenster schließen und wiederkommen, wenn es erledigt ist.",
  check_running: "Die Nameserver werden gefragt …",
  check_saw: "Geprüft um {time}: {found} von {all} Einträgen gefunden.",
  check_saw_one: "Geprüft um {time}: Der Eintrag ist da.",
  check_saw_none: "Geprüft um {time}: Der Eintrag ist noch nicht da.",
  check_done: "Geprüft um {time}.",
  check_still: "Geprüft um {time}: Es ist noch so.",
  check_next: "Die nächste Prüfung ist spätestens um {time}.",
  share_subject: "DNS-Einträge für {domain}",
  share_text:
    "Bitte legen Sie die DNS-Einträge von dieser Seite an, damit {domain} mit {brand} benutzt werden kann. Die Seite zeigt, was schon da ist.",
  share_link: "Link",
  share_mail: "Per E-Mail senden",
  share_native: "Teilen …",
  share_ready: "Der Link ist bereit",
  manual_delete_first: "Diese zuerst löschen",
  conflict_other_records: "Unter {name} stehen andere Einträge.",
  conflict_delegated:
    "{name} ist an andere Nameserver abgegeben; ein Eintrag hier hätte keine Wirkung.",
  conflict_whole_zone:
    "{provider} ersetzt bei jeder Änderung die ganze Zone. Einträge, die dort nicht aufgeführt werden, gehen verloren.",
  conflict_managed:
    "Unter {name} steht bei {provider} ein Eintrag, der sich von hier aus nicht ändern lässt.",
  conflict_not_writable: "Bei {provider} ist dieser Eintrag nicht möglich.",
  conflict_mail_warning:
    "Der MX-Eintrag empfängt die E-Mails von {name}. Ohne ihn kommen dort keine E-Mails mehr an.",
  conflict_mail_consent: "Unter {name} empfängt niemand E-Mails; der MX-Eintrag kann weg",
  plan_blocked: "Das lässt sich von hier aus nicht ändern",
  plan_blocked_lede:
    "Es wurde nichts geändert. Ändern Sie es bei {provider} und sehen Sie sich die Vorschau erneut an, oder legen Sie die Einträge selbst an.",
  refused_auth:
    "{provider} lehnt Ihre Eingabe ab: Sie ist vertippt, abgelaufen, oder es fehlt eine Berechtigung.",
  refused_not_found: "Dieser Zugang sieht {zone} bei {provider} nicht. Ist es das richtige Konto?",
  refused_rate_limited: "{provider} bittet zu warten. Versuchen Sie es in einer Minute erneut.",
  refused_unavailable: "{provider} antwortet gerade nicht. Versuchen Sie es gleich noch einmal.",
  refused_conflict: "{provider} lehnt die Änderung ab, weil ein anderer Eintrag im Weg ist.",
  refused_unsupported: "{provider} nimmt einen solchen Eintrag nicht an.",
  refused_invalid: "Ihre Eingabe ist unvollständig oder hat nicht die richtige Form.",
  refused_other: "Die Einträge konnten nicht geschrieben werden.",
  refused_nothing: "Es wurde nichts geändert.",
  trouble_caa_forbidden: "Ein CAA-Eintrag verbietet das Zertifikat für {domain}",
  trouble_caa_forbidden_fix:
    "Ihre Domain legt fest, wer Zertifikate für sie ausstellen darf, und unsere Stelle ist nicht dabei. Legen Sie bei {provider} einen weiteren CAA-Eintrag an; die anderen können bleiben.",
  trouble_certificate_failed: "Das Zertifikat für {domain} wurde nicht ausgestellt",
  trouble_certificate_failed_fix:
    "Sie müssen nichts tun: Es wird erneut versucht. Bleibt es eine Stunde lang so, wenden Sie sich bitte an den Support.",
  trouble_check_failed: "Wir können {domain} gerade nicht prüfen",
  trouble_check_failed_fix:
    "Prüfen Sie hier erneut. Hilft das nicht, wenden Sie sich bitte an den Support.",
  trouble_dnssec_bogus: "DNSSEC von {zone} ist defekt",
  trouble_dnssec_bogus_fix:
    "Schalten Sie DNSSEC dort aus, wo Sie {zone} gekauft haben (DS-Eintrag entfernen), oder richten Sie es neu ein. Bis dahin erreichen viele Besucher die Domain nicht.",
  trouble_hostname_conflict: "{domain} ist mit einem anderen Konto verbunden",
  trouble_hostname_conflict_fix:
    "Beide Konten haben die Domain bewiesen, dann behält sie das andere. Wir sehen nach, welche Einträge da sind.",
  trouble_not_registered: "{zone} ist nicht registriert oder abgelaufen",
  trouble_not_registered_fix:
    "Registrieren oder verlängern Sie {zone} bei Ihrem Domain-Händler, oder prüfen Sie die Schreibweise. Nach einer Verlängerung kann es einige Stunden dauern.",
  trouble_provider_auth: "{provider} hat uns die Einträge nicht schreiben lassen",
  trouble_provider_auth_fix: "Bitte legen Sie die Einträge selbst an, wie hier gezeigt.",
  trouble_provider_not_delegated:
    "Das DNS von {zone} wird woanders verwaltet, als wir schreiben können",
  trouble_provider_not_delegated_fix: "Bitte legen Sie die Einträge selbst an, wie hier gezeigt.",
  trouble_provider_unsupported: "{provider} nimmt diese Einträge nicht automatisch an",
  trouble_provider_unsupported_fix: "Bitte legen Sie die Einträge selbst an, wie hier gezeigt.",
  cdn_fine: "Ihre Domain liegt hinter {cdn}, das ist in Ordnung",
  cdn_set:
    "Setzen Sie bei {cdn} das Ziel von {domain} auf den Eintrag, der hier gezeigt wird. Der Proxy darf eingeschaltet bleiben; stellen Sie den Verschlüsselungsmodus auf „Full (strict)“.",
  cdn_keep:
    "Es ist nichts zu ändern. Lassen Sie bei {cdn} den Verschlüsselungsmodus „Full (strict)“.",
  trouble_proxied: "{domain} liegt hinter einem Proxy",
  trouble_proxied_fix:
    "Bearbeiten Sie bei {provider} den Eintrag von {domain} und schalten Sie den Proxy aus: „DNS only“, die graue Wolke. Wir sehen den Eintrag dahinter nicht.",
  trouble_quota_exceeded: "{domain} wartet auf den Betreiber des Dienstes",
  trouble_quota_exceeded_fix:
    "Für Sie ist nichts zu tun: Es geht von selbst weiter. Bleibt es so, wenden Sie sich bitte an den Support.",
  trouble_record_conflict: "Unter {domain} sind andere Einträge im Weg",
  trouble_record_conflict_fix:
    "Löschen oder verschieben Sie sie bei {provider}, wenn nichts sie braucht. Werden sie gebraucht, verbinden Sie einen anderen Namen.",
  trouble_record_mismatch: "{domain} führt woandershin",
  trouble_record_mismatch_fix:
    "Der Name führt jetzt zu {observed}. Ersetzen Sie das bei {provider} durch den Eintrag, der hier steht.",
  trouble_txt_mismatch: "Der Nachweis hat einen anderen Wert",
  trouble_txt_mismatch_fix:
    "Setzen Sie bei {provider} den Wert des TXT-Eintrags genau so, wie er hier steht.",
  analysis_guided: "Schritt für Schritt",
  way_minute: "Etwa eine Minute",
  way_manual: "Schritt für Schritt bei {provider}",
  way_manual_unknown: "Schritt für Schritt",
  way_manual_lede: "Wir zeigen Ihnen, was wo einzutragen ist. Das dauert etwa fünf Minuten.",
  way_api: "Ich verwalte DNS per API",
  way_api_lede:
    "Für Entwickler: mit einem Zugangsschlüssel von {provider}. Er wird nie gespeichert, und wir fragen, bevor wir ihn noch einmal benutzen.",
  access_again: "Den Zugang zu {provider}, den Sie vorhin eingegeben haben, noch einmal benutzen",
  access_again_mail: "Ohne ihn zeigen wir Ihnen die Einträge, und Sie legen sie selbst an.",
  access_again_switch: "Ohne das geben Sie ihn noch einmal ein.",
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
  guide_cloud:
    "Schalten Sie bei diesen Einträgen die orange Wolke auf Grau („DNS only“), sonst sehen wir sie nicht.",
  guide_quotes: "Setzen Sie den Wert eines TXT-Eintrags in Anführungszeichen.",
  guide_addresses_apart: "Für A- und AAAA-Einträge gibt es einen eigenen Abschnitt.",
  guide_no_apex_alias:
    "{provider} nimmt für {zone} selbst keinen ALIAS- oder CNAME-Eintrag an. Nehmen Sie stattdessen einen Namen wie {www}.",
  guide_no_wildcard: "{provider} nimmt keinen Namen mit Stern (*) an.",
  guide_save: "Speichern Sie mit „{label}“.",
  token_open: "{provider} öffnen",
  token_which: "Was haben Sie?",
  token_more: "Weitere Angaben",
  step_open: "Gehen Sie zu „{label}“.",
  step_press: "Drücken Sie „{label}“.",
  step_choose: "Wählen Sie „{label}“.",
  step_permit: "Geben Sie ihm diese Berechtigungen: {label}.",
  step_limit: "Beschränken Sie es auf {zone} („{label}“).",
  step_addresses: "Tragen Sie unter „{label}“ unsere Adressen ein: {addresses}.",
  step_addresses_unknown:
    "Fragen Sie {brand} nach den Adressen, die unter „{label}“ einzutragen sind.",
  step_copy: "Kopieren Sie, was angezeigt wird, und fügen Sie es unten ein.",
  error_not_set_up: "Diese Seite ist noch nicht eingerichtet",
  error_not_set_up_lede:
    "{brand} muss die Einrichtung abschließen, bevor hier eine Domain verbunden werden kann. Bitte wenden Sie sich dorthin.",
  oauth_sign_in: "Bei {provider} anmelden",
  oauth_sign_in_retained_lede:
    "Melden Sie sich in einem kleinen Fenster bei {provider} an und erlauben Sie die Änderung. Die Erlaubnis wird aufbewahrt, damit die Einträge dieser Domain später repariert werden können; sie endet, wenn Sie die Domain trennen.",
  oauth_sign_in_lede:
    "Melden Sie sich in einem kleinen Fenster bei {provider} an und erlauben Sie die Änderung. Die Erlaubnis wird nur für diese Einrichtung benutzt.",
};
