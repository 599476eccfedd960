import type { NoteTexts } from "./en.ts";

export const de: NoteTexts = {
  mx_host_needed:
    "Microsoft 365 hat für jede Domain einen eigenen Mailserver. Sie finden ihn im Admin Center unter „Einstellungen“, „Domänen“; gehen Sie einen Schritt zurück und tragen Sie ihn als MX-Host ein.",
  mx_host_older:
    "Für eine Domain, die Sie vor Juli 2026 bei Microsoft 365 hinzugefügt haben, ist es vermutlich {host}. Vergleichen Sie mit dem Admin Center.",
  mx_host_unknown:
    "Wir konnten nicht prüfen, ob es den Mailserver {host} gibt. Vergleichen Sie mit dem Microsoft 365 Admin Center.",
  mx_host_missing:
    "Einen Mailserver namens {host} gibt es nicht. Vergleichen Sie mit dem Microsoft 365 Admin Center.",
  mx_host_derived:
    "Der Mailserver Ihrer Domain ist vermutlich {host}. Sicher steht er im Microsoft 365 Admin Center.",
  mx_hidden:
    "Die MX-Einträge von {domain} können wir nicht ändern, sie bleiben deshalb, wie sie sind.",
  mx_older_set: "Ihre MX-Einträge sind ältere desselben Anbieters. Sie funktionieren genauso gut.",
  mx_other_own:
    "{domain} hat andere MX-Einträge desselben Anbieters ({hosts}). Sie bleiben, wie sie sind: Vergleichen Sie sie mit den Angaben Ihres Mail-Anbieters.",
  mx_filtered:
    "Die Mail für {domain} läuft durch einen Mailfilter, deshalb bleiben die MX-Einträge, wie sie sind. Tragen Sie die neuen Postfächer im Filter ein.",
  mx_null:
    "{domain} ist so eingestellt, dass keine Mail ankommt. Löschen Sie diesen MX-Eintrag, wenn Sie die neuen anlegen.",
  mx_elsewhere:
    "Die Mail für {domain} geht jetzt an {holder}, deshalb bleiben die MX-Einträge, wie sie sind. Wenn Sie mit Ihren Postfächern umziehen, ersetzen Sie alle auf einmal; mit beiden geht Mail verloren.",
  mx_forwarded:
    "Die Mail für {domain} geht jetzt über einen Weiterleitungsdienst, deshalb bleiben die MX-Einträge, wie sie sind. Wenn Sie mit Ihren Postfächern umziehen, ersetzen Sie alle auf einmal; mit beiden geht Mail verloren.",
  mx_hosting:
    "Die Mail für {domain} geht jetzt in die Postfächer Ihres Webhosters, deshalb bleiben die MX-Einträge, wie sie sind. Wenn Sie mit Ihren Postfächern umziehen, ersetzen Sie alle auf einmal; mit beiden geht Mail verloren.",
  mx_parked:
    "Die MX-Einträge von {domain} führen zu einem Parkdienst. Sie bleiben, wie sie sind; ersetzen Sie alle auf einmal, sobald Ihre Postfächer bereit sind.",
  mx_strict_transport:
    "{domain} gibt an, welche Mailserver erlaubt sind (MTA-STS). Nehmen Sie die neuen in diese Liste auf, bevor Sie die MX-Einträge anlegen.",
  mx_own_server:
    "Die Mail für {domain} nimmt offenbar ein eigener Mailserver an. Legen Sie die MX-Einträge an, wenn Sie ihn nicht mehr brauchen.",
  mx_wildcard:
    "Ein MX-Eintrag für alle Namen (*) nimmt die Mail für Namen unterhalb von {domain} an. Er bleibt, wie er ist.",
  mx_no_mail:
    "{domain} ist so eingestellt, dass keine Mail verschickt wird. Hat sich das geändert, legen Sie die MX-Einträge selbst an.",
  cname_no_mail:
    "{domain} ist ein Alias (CNAME), und ein solcher Name kann keine Mail empfangen. Richten Sie Mail für einen anderen Namen ein, zum Beispiel ohne www.",
  cname_no_text:
    "{name} ist ein Alias (CNAME), deshalb kann dort kein TXT-Eintrag stehen. Versenden Sie von einem eigenen Namen wie {example}.",
  name_taken:
    "Unter {name} gibt es schon einen anderen Eintrag ({types}). Er bleibt, wie er ist; ersetzen Sie ihn, wenn Sie ihn nicht mehr brauchen.",
  name_occupied:
    "Unter {name} gibt es schon etwas. Es bleibt, wie es ist; ersetzen Sie es, wenn Sie es nicht mehr brauchen.",
  dkim_google:
    "Erzeugen Sie für DKIM in der Google Admin-Konsole einen Schlüssel („Apps“, „Google Workspace“, „Gmail“, „E-Mail authentifizieren“), gehen Sie dann einen Schritt zurück und tragen Sie ihn ein. Starten Sie dort die Authentifizierung, sobald der Eintrag gefunden ist.",
  dkim_microsoft:
    "Für DKIM zeigt das Microsoft-Defender-Portal unter „E-Mail-Authentifizierungseinstellungen“ zwei Ziele an. Gehen Sie einen Schritt zurück und tragen Sie beide ein.",
  dkim_zoho:
    "Fügen Sie für DKIM in der Verwaltung von Zoho Mail einen Selektor hinzu („Domains“, „Email configuration“, „DKIM“), gehen Sie dann einen Schritt zurück und tragen Sie Namen und Wert ein.",
  dkim_proton:
    "Für DKIM zeigt Proton unter „Domain names“, „DKIM“ drei Ziele an. Gehen Sie einen Schritt zurück und tragen Sie eines davon ein.",
  dkim_brevo:
    "Wenn Brevo Ihnen statt zweier Ziele einen DKIM-Wert zeigt, gehen Sie einen Schritt zurück und tragen Sie diesen Wert ein.",
  first_google: "Legen Sie Ihre Postfächer bei Google an, bevor die Mail dorthin geht.",
  first_microsoft:
    "Sobald beide DKIM-Einträge gefunden sind, können Sie DKIM bei Microsoft einschalten.",
  first_zoho: "Wählen Sie die Region Ihres Zoho-Kontos. Mit einer anderen kommt keine Mail an.",
  first_fastmail: "Fügen Sie Ihre Domain zuerst bei Fastmail hinzu. Erst dann funktioniert DKIM.",
  first_proton:
    "Lassen Sie den Bestätigungseintrag von Proton stehen: Proton prüft ihn später noch einmal.",
  first_icloud:
    "Fügen Sie Ihre Domain zuerst in den iCloud-Einstellungen hinzu („Eigene E-Mail-Domain“).",
  first_mailgun:
    "Die MX-Einträge von Mailgun lassen wir weg: Sie sind nur für den Empfang, und Ihre Mail läuft weiter wie bisher.",
  dmarc_reports:
    "Die DMARC-Berichte sollen an eine andere Domain gehen. Diese muss zustimmen, mit einem TXT-Eintrag unter {name}.",
  dmarc_several:
    "Unter {name} gibt es {count} DMARC-Einträge, deshalb gilt keiner davon. Lassen Sie nur einen stehen.",
  dmarc_present:
    "{name} hat schon einen DMARC-Eintrag. Lassen Sie ihn, wie er ist, und legen Sie keinen zweiten an.",
  dmarc_occupied:
    "Unter {name} gibt es schon etwas anderes, vielleicht von einem DMARC-Dienst. Es bleibt, wie es ist.",
  dmarc_above:
    "Der DMARC-Eintrag unter {name} gilt auch für {domain}. Sie brauchen keinen weiteren.",
  spf_once:
    "Eine Domain hat nur einen SPF-Eintrag. Wenn Sie schon einen haben, ändern Sie ihn, statt einen zweiten anzulegen.",
  spf_right: "Der SPF-Eintrag stimmt, wie er ist.",
  spf_add: "Bitte legen Sie den SPF-Eintrag selbst an; wir schreiben ihn nie.",
  spf_replace: "Bitte ersetzen Sie den SPF-Eintrag selbst; wir schreiben ihn nie.",
  spf_term: "Ergänzen Sie „{term}“ in dem SPF-Eintrag, den Sie behalten.",
  spf_unreadable:
    "Ihr SPF-Eintrag enthält einen Fehler. Bitten Sie den, der ihn angelegt hat, ihn zu berichtigen.",
  spf_unreadable_at:
    "Der SPF-Eintrag von {name} enthält einen Fehler, deshalb funktioniert auch Ihrer nicht.",
  spf_several:
    "Es gibt {count} SPF-Einträge, deshalb gilt keiner davon. Entscheiden Sie, welche Absender Sie brauchen, und lassen Sie nur einen Eintrag stehen.",
  spf_opposed:
    "Ihr SPF-Eintrag sperrt diesen Absender mit „{term}“. Entscheiden Sie, ob dieser Teil weg kann.",
  spf_long:
    "Mit der Ergänzung wird Ihr SPF-Eintrag sehr lang ({bytes} von {limit} Zeichen). Nehmen Sie Absender heraus, die Sie nicht mehr nutzen.",
  spf_no_mail: "Ihr SPF-Eintrag sagt bisher, dass diese Domain nie Mail verschickt.",
  spf_allows_all:
    "Ihr SPF-Eintrag endet mit „+all“: Damit darf jeder im Namen Ihrer Domain Mail verschicken.",
  spf_term_dead: "„{term}“ steht in Ihrem SPF-Eintrag hinter „all“ und wirkt dort nicht.",
  spf_terms_dead: "Was in Ihrem SPF-Eintrag hinter „all“ steht, wirkt nicht.",
  spf_ptr: "Ihr SPF-Eintrag verwendet „ptr“, das viele Empfänger nicht beachten.",
  spf_circle: "„{term}“ in Ihrem SPF-Eintrag führt im Kreis.",
  spf_include_empty: "„{term}“ in Ihrem SPF-Eintrag nennt eine Domain ohne SPF-Eintrag.",
  spf_include_several:
    "„{term}“ in Ihrem SPF-Eintrag nennt eine Domain mit mehreren SPF-Einträgen.",
  spf_lookups: "Der SPF-Eintrag braucht {count} von {limit} erlaubten Abfragen.",
  spf_lookups_least: "Der SPF-Eintrag braucht mindestens {count} von {limit} erlaubten Abfragen.",
  spf_lookups_over:
    "Der SPF-Eintrag braucht {count} Abfragen, erlaubt sind nur {limit}: Mail könnte abgewiesen werden. Nehmen Sie Absender heraus, die Sie nicht mehr nutzen.",
  spf_lookups_void:
    "{count} Angaben im SPF-Eintrag führen ins Leere; mehr als {limit} können ihn ungültig machen. Nehmen Sie sie heraus.",
  dns_incomplete:
    "Nicht alle Nameserver haben geantwortet. Sehen Sie nach, was für {domain} schon da ist, bevor Sie etwas anlegen.",
  nothing_written: "Wir haben nichts geschrieben. Bitte legen Sie die Einträge selbst an.",
  not_proven:
    "Wir haben noch nichts geschrieben, weil noch nicht nachgewiesen ist, dass {domain} Ihnen gehört.",
  credential_refused:
    "Ihr DNS-Anbieter nimmt unseren Zugang nicht mehr an, deshalb haben wir nichts geschrieben. Bitte legen Sie die Einträge selbst an.",
  zone_not_reached:
    "Wir haben keinen Zugang zum DNS von {domain}, deshalb haben wir nichts geschrieben. Bitte legen Sie die Einträge selbst an.",
  provider_cannot:
    "Ihr DNS-Anbieter nimmt nicht alle Einträge automatisch an. Bitte legen Sie die unten gezeigten selbst an.",
};
