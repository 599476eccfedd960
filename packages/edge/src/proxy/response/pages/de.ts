import type { PageTexts } from "./en.ts";

export const de: PageTexts = {
  reference: "Referenz",
  pages: {
    400: [
      "Ungültige Anfrage",
      "Ihr Browser oder Ihre App hat eine Anfrage gesendet, die sich nicht verstehen lässt.",
    ],
    401: ["Anmelden", "Diese Website ist nur für angemeldete Personen sichtbar."],
    403: ["Kein Zugang", "Aus dem Netz, aus dem Sie kommen, ist diese Website nicht erreichbar."],
    404: [
      "Noch nicht eingerichtet",
      "Diese Domain ist verbunden, aber hier ist noch nichts veröffentlicht.",
    ],
    405: ["Methode nicht erlaubt", "Diese Art von Anfrage wird hier nicht beantwortet."],
    408: ["Zeit abgelaufen", "Die Anfrage hat zu lange gebraucht, um hier anzukommen."],
    413: ["Zu groß", "Was Sie gesendet haben, ist größer als hier erlaubt."],
    417: ["Erwartung nicht erfüllt", "Die Anfrage erwartet etwas, das es hier nicht gibt."],
    421: [
      "Falsche Adresse",
      "Diese Verbindung wurde für einen anderen Namen geöffnet. Bitte laden Sie die Seite neu.",
    ],
    429: [
      "Zu viele Anfragen",
      "Sie haben zu viele Anfragen gesendet. Bitte versuchen Sie es gleich noch einmal.",
    ],
    431: ["Anfrage zu groß", "Die Kopfzeilen der Anfrage sind größer als hier erlaubt."],
    501: ["Nicht unterstützt", "Was die Anfrage verlangt, gibt es hier nicht."],
    502: [
      "Die Website ist nicht erreichbar",
      "Der Server hinter dieser Domain hat nicht richtig geantwortet.",
    ],
    503: [
      "Überlastet",
      "Zurzeit kommen zu viele Anfragen an. Bitte versuchen Sie es gleich noch einmal.",
    ],
    504: [
      "Die Website braucht zu lange",
      "Der Server hinter dieser Domain hat nicht rechtzeitig geantwortet.",
    ],
    505: ["Version nicht unterstützt", "Diese Version von HTTP wird hier nicht angeboten."],
    508: [
      "Endlose Schleife",
      "Der Server hinter dieser Domain schickt Anfragen dorthin zurück, wo sie herkommen.",
    ],
    maintenance: [
      "Wartungsarbeiten",
      "Diese Website ist gerade nicht verfügbar. Bitte versuchen Sie es später noch einmal.",
    ],
    not_connected: [
      "Nicht verbunden",
      "Dieser Name führt hierher, aber es ist keine Website mit ihm verbunden. Wenn er Ihnen gehört, verbinden Sie ihn oder entfernen Sie seinen DNS-Eintrag.",
    ],
  },
};
