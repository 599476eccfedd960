import type { MovingMessages } from "./en.ts";

export const movingDe: MovingMessages = {
  moving_title: "Unter {domain} gibt es schon eine Website",
  moving_lede: "Wählen Sie, wie sie zu {brand} umzieht.",
  moving_prepare: "Erst vorbereiten, dann umschalten: Ihre Website bleibt erreichbar",
  moving_prepare_lede:
    "Wir richten alles ein und prüfen es, während Besucher noch die alte Website sehen. Sie entscheiden, wann umgeschaltet wird.",
  moving_direct: "Sofort umschalten",
  moving_direct_lede: "Besucher sehen möglicherweise einen Fehler, bis alles bereit ist.",
  moving_change: "{domain} führt erst zu {brand}, wenn Sie es sagen",
  moving_records_lede:
    "Diese Einträge leiten keine Besucher um: Ihre Website bleibt, wie sie ist. Legen Sie sie bei {provider} an.",
  moving_validation: "Damit erhalten wir das Zertifikat im Voraus",
  prepare_title: "Ihre Website bleibt erreichbar, während wir vorbereiten",
  prepare_lede:
    "Besucher von {domain} sehen noch die alte Website. Wir sagen Ihnen, wenn alles bereit ist.",
  ready_title: "Bereit zum Umschalten",
  ready_lede:
    "Alles ist vorbereitet und geprüft. Besucher von {domain} sehen die alte Website, bis Sie umschalten.",
  ready_switch: "Jetzt umschalten",
  ready_by_hand: "Einträge selbst ändern",
  ready_later:
    "Sie können dieses Fenster schließen und an einem anderen Tag umschalten. Bis dahin ändert sich nichts.",
  switch_records_lede: "Ändern Sie diese Einträge bei {provider}, dann kommen Besucher zu {brand}.",
  switch_records: "Diese Einträge ändern",
  switching_title: "Umschalten auf {brand}",
  switching_lede:
    "Die Einträge ändern sich gerade. Manche Besucher sehen noch eine Weile die alte Website: Lassen Sie sie laufen.",
  old_server: "Lassen Sie den alten Server bis {time} laufen. Danach darf er abgeschaltet werden.",
  check_ownership: "Die Domain gehört Ihnen",
  check_validation: "Wir dürfen ihr Zertifikat beziehen",
  check_certificate: "Das Zertifikat ist da",
  check_edge: "Unsere Server sind dafür bereit",
  check_origin: "{brand} antwortet wie die alte Website",
  check_caa_dnssec: "Das Zertifikat lässt sich später erneuern",
  check_mail: "Ihre E-Mail bleibt unberührt",
  check_mail_stops: "E-Mail-Einträge stehen im Weg",
  check_not_compared: "Nicht mit der alten Website verglichen",
  not_compared_unreachable:
    "Die alte Website war nicht erreichbar. Vergleichen Sie sie vor der Umstellung selbst mit der neuen.",
  not_compared_no_address: "Die Domain hat bei der alten Website derzeit keine Adresse.",
  check_open: "noch nicht",
  differs_title: "Die neue Website antwortet anders",
  differs_lede:
    "Die Startseite der alten Website und die von {brand} antworten nicht gleich. Vergleichen Sie beide, bevor Sie umschalten.",
  differs_accept: "Trotzdem umschalten",
  mail_blocks:
    "Das Umschalten würde E-Mail-Einträge entfernen. Verschieben Sie diese zuerst auf einen anderen Namen, oder fragen Sie {brand}.",
  wildcard_title: "Alle Namen unter {domain}",
  wildcard_lede:
    "Alle Namen direkt darunter führen zu {brand}, etwa eins.{domain} und zwei.{domain}. Ein Name mit eigenem Eintrag bleibt, wo er ist.",
  wildcard_offer: "Stattdessen alle Namen darunter verbinden",
  wildcard_single: "Stattdessen nur {domain} verbinden",
  wildcard_change: "Alle Namen unter {domain} führen zu {brand}",
  wildcard_certificate: "Mit einem CNAME-Eintrag erhalten wir ein Zertifikat für alle",
};
