import type { MailMessages } from "./en.ts";

export const mailDe: MailMessages = {
  mail_dkim_value: "DKIM-Wert (TXT)",
  mail_dkim_value_hint: "Er beginnt mit v=DKIM1 und steht in der Verwaltung Ihres Mail-Anbieters.",
  mail_dkim_selector: "DKIM-Selektor",
  mail_dkim_selector_hint:
    "Der Name, den Sie für den Schlüssel gewählt haben, zum Beispiel {example}.",
  mail_mx_host: "MX-Host",
  mail_mx_host_hint: "Steht im Microsoft 365 Admin Center unter Einstellungen, Domänen.",
  mail_dkim_target1: "Ziel von selector1",
  mail_dkim_target2: "Ziel von selector2",
  mail_dkim_target_hint:
    "Steht im Microsoft-Defender-Portal unter den Einstellungen der E-Mail-Authentifizierung.",
  mail_data_centre: "Region Ihres Kontos",
  mail_data_centre_hint: "Wie in der Adresse Ihres Webmails: mail.zoho.eu ist eu.",
  mail_show: "Einträge ansehen",
  mail_preview_title: "Diese Mail-Einträge werden angelegt",
  mail_preview_lede: "Es wurde noch nichts geändert.",
  mail_preview_apply: "Für mich anlegen",
  mail_preview_written: "Wird für Sie angelegt",
  mail_later: "Sie können ein Feld leer lassen, wenn Sie den Wert noch nicht haben.",
  mail_wrong: "Das hat nicht die erwartete Form. Kopieren Sie den ganzen Wert noch einmal.",
  mail_spf_replace: "SPF-Eintrag ersetzen",
  mail_spf_replace_lede:
    "Eine Domain hat nur einen SPF-Eintrag. Ändern Sie den vorhandenen; fügen Sie keinen zweiten hinzu.",
  mail_spf_now: "Jetzt",
  mail_spf_then: "Ändern in",
  mail_spf_add: "SPF-Eintrag hinzufügen",
  mail_spf_keep: "Der SPF-Eintrag stimmt, wie er ist.",
  mail_spf_decide: "Der SPF-Eintrag lässt sich von hier aus nicht sicher ändern",
  mail_spf_decide_lede:
    "Fragen Sie Ihren Mail-Anbieter, wie er aussehen muss. Es dürfen nie zwei SPF-Einträge zugleich da sein.",
  mail_problem_access:
    "Bei {provider} gilt Ihr Zugang nicht mehr. Fügen Sie die Einträge von Hand hinzu.",
  sending_title: "Ein Dienst, der nur E-Mails versendet",
  sending_lede: "Für Newsletter und die E-Mails Ihres Shops. Ihre Postfächer bleiben, wo sie sind.",
  sending_hint: "Steht in der Konsole von {provider} bei dieser Domain.",
  sending_target: "DKIM-Ziel {n}",
  sending_return_path: "Return-Path (Name vor der Domain)",
  sending_account_host: "Ziel des ersten Eintrags",
  sending_code: "Brevo-Code",
  sending_region: "Region des Dienstes",
  sending_waiting: "{provider} findet noch nicht alle Einträge. Wir prüfen weiter.",
  sending_ready: "Alle Einträge sind da. {provider} nimmt {domain} bei der nächsten Prüfung an.",
  sending_accepted: "{provider} versendet E-Mails von {domain}.",
  sending_broken: "Ein Eintrag, den {provider} braucht, fehlt oder wurde geändert.",
};
