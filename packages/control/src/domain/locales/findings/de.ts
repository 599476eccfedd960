import { type FindingTexts, text } from "./language.ts";

const notYours = "Für Sie ist nichts zu tun. Bleibt es so, wenden Sie sich bitte an den Support.";
const byItself = "Es ist nichts zu tun: Wir prüfen von selbst wieder.";
const addBelow =
  "Fügen Sie bei {provider} den Eintrag hinzu, der hier gezeigt wird, genau so, wie er ist.";
const onItsWay = text(
  "Die Einträge von {domain} werden gerade gesetzt",
  "Es ist nichts zu tun: Das dauert meist ein paar Minuten.",
);
const dnssecElsewhere = {
  operator: text("DNSSEC ist bei einem Namen defekt, zu dem {domain} führt", notYours),
  wait: text("DNSSEC ist oberhalb von {zone} defekt", byItself),
};
const mayExpire = "Das Zertifikat von {domain} wird vielleicht nicht rechtzeitig erneuert";

export const de: FindingTexts = {
  provider: "Ihrem DNS-Anbieter",
  texts: {
    registration_on_hold: text(
      "{zone} ist gesperrt, oder die Registrierung ist ausgelaufen",
      "Fragen Sie dort, wo Sie {zone} registriert haben, was noch fehlt, und verlängern Sie die Domain, falls sie ausgelaufen ist. Bis dahin ist sie nicht erreichbar. Status: {status}.",
    ),
    not_registered: text(
      "{zone} ist nicht registriert oder abgelaufen",
      "Registrieren oder verlängern Sie {zone} dort, wo Sie Domains kaufen, oder prüfen Sie die Schreibweise. Nach einer Verlängerung kann es einige Stunden dauern.",
    ),
    dnssec_ds_stale: text(
      "DNSSEC von {zone} stammt noch von einem früheren DNS-Anbieter",
      "Schalten Sie DNSSEC dort aus, wo Sie {zone} gekauft haben (DS-Eintrag entfernen). Bis dahin erreichen viele Besucher die Domain nicht.",
      dnssecElsewhere,
    ),
    dnssec_broken: text(
      "DNSSEC von {zone} ist defekt",
      "Schalten Sie DNSSEC dort aus, wo Sie {zone} gekauft haben (DS-Eintrag entfernen), oder richten Sie es mit Ihrem DNS-Anbieter neu ein. Bis dahin erreichen viele Besucher die Domain nicht.",
      dnssecElsewhere,
    ),
    ns_unreachable: text(
      "Nameserver von {zone} antworten nicht",
      "Prüfen Sie die Liste der Nameserver dort, wo Sie {zone} gekauft haben. Stimmt sie, fragen Sie Ihren DNS-Anbieter nach einer Störung.",
    ),
    ns_servfail: text(
      "Nameserver von {zone} antworten mit einem Fehler",
      "Fragen Sie Ihren DNS-Anbieter, warum die Nameserver von {zone} versagen. Oft wurde die Domain dort nie eingerichtet.",
    ),
    ns_lame: text(
      "Nameserver von {zone} kennen die Domain nicht",
      "Tragen Sie dort, wo Sie {zone} gekauft haben, genau die Nameserver ein, die Ihr DNS-Anbieter nennt.",
    ),
    ns_disagree: text(
      "Die Nameserver von {zone} sind sich nicht einig",
      "Tragen Sie dort, wo Sie {zone} gekauft haben, genau die Nameserver ein, die Ihr DNS-Anbieter nennt. Bis dahin sieht ein Teil Ihrer Besucher Änderungen vielleicht nicht.",
    ),
    ns_mixed_operators: text(
      "Das DNS von {zone} ist auf mehrere Anbieter verteilt",
      "Fügen Sie die Einträge bei jedem von ihnen hinzu, oder nutzen Sie die Nameserver nur eines Anbieters.",
    ),
    dns_moved: text(
      "Das DNS von {zone} liegt jetzt bei {provider}",
      "Fügen Sie die Einträge bei {provider} hinzu. Änderungen beim früheren Anbieter wirken nicht mehr.",
    ),
    zone_delegated: text(
      "{zone} hat eigene DNS-Einstellungen",
      "Fügen Sie die Einträge in den Einstellungen von {zone} hinzu, nicht in denen der Domain darüber.",
    ),
    hostname_conflict: text(
      "{domain} ist bereits verbunden",
      "Wenn die Domain Ihnen gehört, beweisen Sie es: Fügen Sie den Eintrag hinzu, der hier gezeigt wird. Das andere Konto muss es dann ebenfalls beweisen, sonst verliert es sie.",
      {
        tenant: text(
          "{domain} bleibt vorerst bei einem anderen Konto",
          "Dieses Konto hat die Domain erneut bewiesen. Ihr Beweis zählt wieder ab {time}: Lassen Sie Ihren Eintrag bis dahin bestehen.",
        ),
        wait: text(
          "Sie haben bewiesen, dass {domain} Ihnen gehört",
          "Die Domain geht am {time} an Sie über, wenn das andere Konto sie nicht ebenfalls beweist. Lassen Sie den Eintrag bis dahin bestehen.",
        ),
      },
    ),
    hostname_proven_by_both: text(
      "Zwei Konten haben {domain} bewiesen, und das andere behält sie",
      "Das bleibt so, solange beide Einträge da sind. Soll die Domain Ihnen gehören: Löschen Sie bei {provider} den {type}-Eintrag {name} mit dem Wert {observed} und lassen Sie den anderen bestehen. Wenn Sie das jetzt tun, geht {domain} am {time} an Sie über. Soll sie beim anderen Konto bleiben, löschen Sie stattdessen den Eintrag mit dem Wert {expected}.",
      {
        wait: text(
          "Jemand anderes hat {domain} ebenfalls bewiesen, und sie bleibt bei Ihnen",
          "Ihr Eintrag ist da: Das entscheidet in wenigen Minuten, vor {time}. Behalten Sie den Eintrag mit dem Wert {expected} bis dahin. Löschen Sie bei {provider} den {type}-Eintrag {name} mit dem Wert {observed}, außer {domain} soll an jemand anderen übergehen.",
        ),
      },
    ),
    hostname_contested: text(
      "Jemand anderes hat bewiesen, dass {domain} ihm gehört",
      "Fügen Sie vor {time} den Eintrag hinzu, der hier gezeigt wird, um die Domain zu behalten.",
      { wait: text("Jemand anderes möchte {domain}, und Ihr Eintrag ist da", byItself) },
    ),
    ownership_unanswered: text(
      "Zu wenige Nameserver von {zone} antworten",
      "Wir fragen von selbst wieder. Bleibt es eine Stunde lang so, fragen Sie Ihren DNS-Anbieter nach einer Störung.",
    ),
    ownership_cname: text(
      "Wo der Nachweis hingehört, steht ein anderer Eintrag",
      "Löschen Sie bei {provider} den CNAME-Eintrag {name} und fügen Sie dann den Eintrag hinzu, der hier gezeigt wird.",
    ),
    ownership_wildcard: text(
      "Der Nachweis steht in einem Eintrag für alle Namen (*)",
      "Löschen Sie diesen Eintrag bei {provider} und fügen Sie den hier gezeigten mit seinem genauen Namen hinzu.",
    ),
    ownership_partial: text("Der Nachweis ist unterwegs", byItself),
    ownership_altered: text(
      "Der Wert des Nachweises wurde unterwegs verändert",
      "Setzen Sie den Wert bei {provider} noch einmal genau so, wie er hier steht, ohne Anführungszeichen und Leerzeichen.",
    ),
    ownership_doubled_name: text(
      "Im Namen des Nachweises steht {zone} doppelt",
      "Bei {provider} wird {zone} von selbst angehängt. Ändern Sie den Namen so, wie er hier gezeigt wird.",
    ),
    ownership_wrong_name: text(
      "Der Nachweis steht beim falschen Namen",
      "Der Wert stimmt, der Name nicht: Der Eintrag steht bei {observed}. Ändern Sie den Namen so, wie er hier gezeigt wird.",
    ),
    ownership_other_token: text(
      "Der Nachweis stammt von einer früheren Einrichtung",
      "Ersetzen Sie seinen Wert bei {provider} durch den, der hier gezeigt wird.",
    ),
    ownership_mismatch: text("Der Nachweis hat einen anderen Wert", addBelow),
    ownership_missing: text("Der Nachweis ist noch nicht da", addBelow, { wait: onItsWay }),
    wrong_dns_provider: text(
      "Für {zone} zählen nur Einträge bei {provider}",
      "Falls Sie die Einträge schon hinzugefügt haben, prüfen Sie, wo: Der Shop, in dem Sie {zone} gekauft haben, zeigt vielleicht DNS-Einstellungen, die nicht wirken.",
    ),
    ownership_seen: text("Der Nachweis ist da", byItself, {
      tenant: text("Der Nachweis ist da", "Starten Sie neu, um fortzufahren."),
    }),
    domain_connect_cancelled: text(
      "Bei {provider} wurde nichts bestätigt",
      "Gehen Sie noch einmal zu {provider} und bestätigen Sie dort, angemeldet mit dem Konto, zu dem {zone} gehört, oder fügen Sie die Einträge selbst hinzu.",
    ),
    domain_connect_refused: text(
      "Bei {provider} wurden die Einträge nicht gesetzt",
      "Versuchen Sie es in Kürze noch einmal, angemeldet mit dem Konto, zu dem {zone} gehört, oder fügen Sie die Einträge selbst hinzu.",
    ),
    provider_auth: text(
      "Unser Zugang bei {provider} wird abgelehnt",
      "Fügen Sie die Einträge selbst hinzu, wie hier gezeigt. Den Zugang muss die Website erneuern, mit der Sie die Domain verbinden.",
    ),
    credential_failing: text(
      "Unser Zugang bei {provider} wird abgelehnt",
      "{domain} funktioniert, wie es ist. Den Zugang muss die Website erneuern, mit der Sie die Domain verbinden.",
    ),
    provider_unsupported: text(
      "Wir können die Einträge bei {provider} nicht selbst setzen",
      "Fügen Sie die Einträge selbst hinzu, wie hier gezeigt.",
    ),
    provider_not_delegated: text(
      "Das DNS von {zone} wird woanders verwaltet, als wir schreiben können",
      "Fügen Sie die Einträge bei {provider} hinzu, wie hier gezeigt.",
    ),
    provider_busy: text(
      "Bei {provider} sind zurzeit keine Änderungen möglich",
      "Wir versuchen es von selbst wieder. Wenn es eilt, fügen Sie die Einträge selbst hinzu.",
    ),
    provider_write_failed: text(
      "Die Einträge konnten bei {provider} nicht gesetzt werden",
      "Versuchen Sie es noch einmal, oder fügen Sie die Einträge selbst hinzu.",
    ),
    record_loop: text(
      "{name} führt im Kreis",
      "Ersetzen Sie bei {provider} den CNAME-Eintrag {name} durch das, was hier gezeigt wird.",
    ),
    record_proxied: text(
      "{name} liegt hinter einem Proxy",
      "Bearbeiten Sie bei {provider} den Eintrag {name} und schalten Sie den Proxy aus („DNS only“, die graue Wolke). Dahinter können wir den Eintrag nicht sehen.",
    ),
    cdn_not_forwarding: text(
      "{cdn} bringt Besucher von {name} noch nicht hierher",
      "Setzen Sie bei {cdn} das Ziel von {name} auf das, was hier gezeigt wird. Der Proxy darf eingeschaltet bleiben. Stimmt das Ziel, prüfen Sie, dass dort keine Regel Anfragen umleitet oder sperrt.",
    ),
    cdn_tls_flexible: text(
      "{cdn} bringt Besucher von {domain} unverschlüsselt hierher",
      "Stellen Sie bei {cdn} den Verschlüsselungsmodus auf „Full (strict)“. Bis dahin werden Besucher im Kreis geschickt.",
    ),
    cdn_hides_challenge: text(
      "{cdn} verhindert das Zertifikat von {domain}",
      "Lassen Sie bei {cdn} Anfragen an /.well-known/acme-challenge/ durch, ohne Umleitung und ohne Cache. Oder fügen Sie den Eintrag hinzu, der hier gezeigt wird, wenn es einen gibt.",
    ),
    cdn_caches_probe: text(
      "{cdn} speichert Seiten von {domain}, die es nicht speichern darf",
      "Schalten Sie bei {cdn} die Regel aus, die alles speichert, oder lassen Sie sie die Vorgaben der Seiten befolgen.",
    ),
    behind_cdn: text(
      "{domain} liegt hinter {cdn}, das ist in Ordnung",
      "Es ist nichts zu tun. Lassen Sie bei {cdn} den Verschlüsselungsmodus „Full (strict)“.",
    ),
    proxy_to_proxy: text(
      "{name} liegt hinter einem Proxy, der uns nicht durchlässt",
      "Schalten Sie den Proxy für {name} aus („DNS only“, die graue Wolke), oder wenden Sie sich an den Support.",
    ),
    record_flattened: text(
      "{name} führt über Adressen statt über den Namen hierher",
      "Ersetzen Sie bei {provider} die Adresseinträge durch das, was hier gezeigt wird.",
    ),
    aaaa_leftover: text(
      "Bei {name} steht noch eine alte Adresse",
      "Löschen Sie bei {provider} den AAAA-Eintrag {observed} von {name}: Ein Teil Ihrer Besucher gelangt sonst dorthin.",
    ),
    a_leftover: text(
      "Bei {name} steht noch eine andere Adresse",
      "Löschen Sie bei {provider} {observed} von {name}: Ein Teil Ihrer Besucher gelangt sonst dorthin.",
    ),
    https_leftover: text(
      "Bei {name} steht noch ein alter HTTPS-Eintrag",
      "Löschen Sie bei {provider} den Eintrag vom Typ HTTPS bei {name}: Manche Browser folgen ihm woandershin.",
    ),
    policy_duplicate: text(
      "Bei {name} gäbe es zwei Mail-Richtlinien",
      "Ergänzen Sie bei {provider} den vorhandenen Eintrag um den gewünschten Wert, statt einen zweiten hinzuzufügen.",
    ),
    record_conflict: text(
      "Bei {name} sind andere Einträge im Weg",
      "Löschen oder verschieben Sie bei {provider} zuerst, was hier aufgeführt ist, wenn nichts es braucht. Einträge vom Typ MX empfangen Ihre Mail: Verbinden Sie einen anderen Namen, wenn Sie sie behalten wollen.",
    ),
    record_target_doubled: text(
      "Am Ziel von {name} hängt {zone}",
      "Bei {provider} wurde das Ziel als kurzer Name verstanden. Geben Sie es mit einem Punkt am Ende ein.",
    ),
    record_doubled_name: text(
      "Im Namen des Eintrags steht {zone} doppelt",
      "Bei {provider} wird {zone} von selbst angehängt. Ändern Sie den Namen so, wie er hier gezeigt wird.",
    ),
    private_address: text(
      "{name} führt zu einer Adresse, die nur Ihr eigenes Netz kennt",
      "Ersetzen Sie bei {provider}, was bei {name} steht, durch das, was hier gezeigt wird.",
    ),
    apex_needs_alias: text(
      "{name} kann bei {provider} keinem anderen Namen folgen",
      "Suchen Sie dort nach einem Eintragstyp ALIAS oder ANAME, oder verbinden Sie stattdessen www.{name} und leiten Sie {name} dorthin weiter.",
      {
        operator: text(
          "{name} kann bei {provider} keinem anderen Namen folgen",
          "Verbinden Sie stattdessen www.{name}, oder wenden Sie sich an den Support.",
        ),
      },
    ),
    record_of_another: text(
      "{name} hat den Eintrag einer anderen Verbindung",
      "Ersetzen Sie bei {provider}, was bei {name} steht ({observed}), durch das, was hier gezeigt wird: Jede Verbindung hat einen eigenen Wert.",
    ),
    record_mismatch: text(
      "{name} führt woandershin",
      "Ersetzen Sie bei {provider}, was bei {name} steht ({observed}), durch das, was hier gezeigt wird.",
    ),
    record_missing: text("Der {type}-Eintrag von {name} ist noch nicht da", addBelow, {
      wait: onItsWay,
    }),
    servers_disagree: text(
      "Die Änderung ist unterwegs",
      "Einige Nameserver haben sie schon, die anderen folgen meist innerhalb weniger Minuten. Wir prüfen von selbst wieder.",
    ),
    records_unanswered: text(
      "Die Nameserver von {zone} antworten zurzeit nicht",
      "Wir fragen von selbst wieder. Bleibt es eine Stunde lang so, fragen Sie Ihren DNS-Anbieter nach einer Störung.",
    ),
    resolvers_failing: text(
      "Teile des Internets finden {zone} zurzeit nicht",
      "Oft geht das vorbei. Bleibt es so, fragen Sie Ihren DNS-Anbieter.",
    ),
    wildcard_answers: text(
      "Ein Eintrag für alle Namen (*) antwortet für {name}",
      "Fügen Sie bei {provider} alle hier gezeigten Einträge zusammen hinzu: Der andere antwortet dann nicht mehr für {name}.",
    ),
    caa_forbidden: text(
      "Ein CAA-Eintrag verbietet das Zertifikat von {domain}",
      "Fügen Sie bei {provider} den Eintrag hinzu, der hier gezeigt wird. Die anderen CAA-Einträge können bleiben.",
      { operator: text("Das Zertifikat von {domain} ist verboten", notYours) },
    ),
    caa_unanswered: text(
      "Die Nameserver von {zone} beantworten nicht jede Frage",
      "Oft geht das vorbei. Bleibt es so, fragen Sie Ihren DNS-Anbieter, warum seine Nameserver Fragen nach CAA-Einträgen nicht beantworten.",
    ),
    certificate_revoked: text("Das Zertifikat von {domain} muss erneuert werden", notYours),
    certificate_expired: text("Das Zertifikat von {domain} ist abgelaufen", notYours),
    certificate_at_risk: text(
      mayExpire,
      "Berichtigen Sie, was hier gezeigt wird; die Erneuerung geht dann von selbst weiter.",
      {
        operator: text(mayExpire, notYours),
        tenant: text("Das Zertifikat von {domain} endet bald", notYours),
      },
    ),
    ca_rate_limited: text(
      "Das Zertifikat muss warten, bis es an der Reihe ist",
      "Es ist nichts zu tun: Es wird wieder bestellt, sobald das erlaubt ist. Neu zu beginnen macht es nicht schneller.",
    ),
    ca_unavailable: text(
      "Zurzeit werden keine Zertifikate ausgestellt",
      "Es ist nichts zu tun: Es wird von selbst wieder bestellt.",
    ),
    certificate_cached: text(
      "Die alten Einträge sind vielleicht noch bis {time} zu sehen",
      "Es ist nichts zu tun: Das Zertifikat kommt spätestens bis {time}.",
    ),
    certificate_failed: text(
      "Das Zertifikat von {domain} war nicht zu bekommen",
      "Wir versuchen es von selbst wieder. Für Sie ist nichts zu tun; bleibt es eine Stunde lang so, wenden Sie sich bitte an den Support.",
    ),
    certificate_foreign: text(
      "Jemand anderes hat ein Zertifikat für {domain} erhalten",
      "Wenn Sie {domain} auch mit einem CDN oder einem anderen Hoster nutzen oder bis vor Kurzem genutzt haben, ist nichts zu tun. Andernfalls ändern Sie das Passwort dort, wo Ihr DNS verwaltet wird, prüfen Sie, wer sich dort noch anmelden darf, und bitten Sie {issuer}, das Zertifikat zu widerrufen.",
    ),
    origin_unreachable: text("Die Website hinter {domain} antwortet nicht", notYours),
    origin_missing: text("Die Website hinter {domain} ist noch nicht eingerichtet", notYours),
    registration_expiring: text(
      "Die Registrierung von {zone} gilt bis {date}",
      "Verlängern Sie {zone} dort, wo Sie die Domain registriert haben. Verlängert sie sich von selbst, ist nichts zu tun.",
    ),
    quota_exceeded: text(
      "{domain} wartet auf den Betreiber des Dienstes",
      "Für Sie ist nichts zu tun: Es geht von selbst weiter. Bleibt es so, wenden Sie sich bitte an den Support.",
    ),
    check_failed: text(
      "Wir können {domain} zurzeit nicht prüfen",
      "Lassen Sie hier noch einmal prüfen. Hilft das nicht, wenden Sie sich bitte an den Support.",
    ),
    gave_up: text(
      "Wir prüfen {domain} nicht mehr",
      "Berichtigen Sie, was hier aufgeführt ist, und starten Sie dann neu. Ihre Einträge bleiben gültig.",
    ),
    archived_still_points_here: text(
      "{domain} ist getrennt, aber die Einträge führen noch hierher",
      "Löschen Sie bei {provider} die Einträge, die hier aufgeführt sind.",
    ),
    cutover_preparing: text(
      "{domain} bleibt, wo es ist, während der Umzug vorbereitet wird",
      "Lassen Sie die Einträge, die Besucher zu Ihrer jetzigen Website führen, wie sie sind, und fügen Sie nur hinzu, was hier verlangt wird. Sobald alles bereit ist, sehen Sie, was zu ändern ist.",
    ),
    cutover_ready: text(
      "{domain} ist bereit zum Umschalten",
      "Schalten Sie um, wann Sie möchten: Ersetzen Sie bei {provider} die alten Einträge durch die neuen. Bis dahin bleibt Ihre jetzige Website erreichbar.",
    ),
    records_changed: text(
      "{domain} braucht andere Einträge als bisher",
      "Ersetzen Sie bei {provider} die alten Einträge durch die hier gezeigten. Ihre Domain funktioniert währenddessen.",
      { wait: onItsWay },
    ),
    records_cached: text(
      "Alles stimmt; Teile des Internets haben noch die alten Einträge gespeichert",
      "Es ist nichts zu tun: Die Änderung ist bald überall zu sehen.",
    ),
    slow_to_change: text(
      "Manche Besucher sehen vielleicht noch eine Weile die alte Website",
      "Die alten Einträge bleiben nach dem Ersetzen bis zu {hours} Stunden gespeichert.",
    ),
    certificate_pending: text(
      "Das Zertifikat von {domain} wird gerade besorgt",
      "Es ist nichts zu tun: Das dauert meist weniger als eine Minute.",
    ),
    apex_by_address: text(
      "{domain} führt über die Adresse hierher",
      "Zurzeit ist nichts zu tun. Ändert sich die Adresse eines Tages, sagen wir Ihnen Bescheid.",
    ),
    www_not_connected: text(
      "{name} führt nicht hierher",
      "Besucher tippen oft die eine oder die andere Form. Verbinden Sie auch {name}.",
    ),
    email_mx_missing: text(
      "{zone} empfängt keine Mail",
      "Fügen Sie bei {provider} die MX-Einträge hinzu, die hier gezeigt werden oder die Ihr Mail-Anbieter nennt.",
      { wait: onItsWay },
    ),
    email_mx_elsewhere: text(
      "Die Mail von {zone} geht zu einem anderen Anbieter",
      "Wenn Ihre Postfächer umgezogen sind, ersetzen Sie alle MX-Einträge; mit beiden geht ein Teil Ihrer Mail verloren.",
    ),
    email_spf_multiple: text(
      "{zone} hat mehrere SPF-Einträge, und Empfänger beachten keinen davon",
      "Behalten Sie bei {provider} einen mit den Absendern von allen und löschen Sie die anderen.",
    ),
    email_spf_missing: text(
      "Der SPF-Eintrag von {zone} nennt Ihren Mail-Anbieter nicht",
      "Setzen Sie bei {provider} den SPF-Eintrag, wie hier gezeigt.",
    ),
    email_spf_broken: text(
      "Empfänger lehnen den SPF-Eintrag von {zone} ab",
      "Nehmen Sie bei {provider} Absender heraus, die Sie nicht mehr nutzen.",
    ),
    email_dkim_missing: text(
      "{zone} fehlt ein DKIM-Eintrag, daher wird der Mail nicht vertraut",
      addBelow,
      { wait: onItsWay },
    ),
    email_dmarc_missing: text(
      "{zone} hat keine gültige DMARC-Richtlinie",
      "Sorgen Sie bei {provider} dafür, dass es genau eine gibt.",
      { wait: onItsWay },
    ),
    check_incomplete: text(
      "Nicht alles ließ sich rechtzeitig prüfen",
      "Prüfen Sie in Kürze noch einmal.",
    ),
  },
};
