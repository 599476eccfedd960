import type { Language } from "./languages.ts";

interface MaintenanceTexts {
  readonly title: string;
  readonly text: string;
}

/** Says neither who stopped serving the name nor why. */
export const maintenanceTexts: Readonly<Record<Language, MaintenanceTexts>> = {
  en: {
    title: "Under maintenance",
    text: "This site is not available at the moment. Please try again later.",
  },
  de: {
    title: "Wartungsarbeiten",
    text: "Diese Website ist gerade nicht verfügbar. Bitte versuchen Sie es später noch einmal.",
  },
  es: {
    title: "En mantenimiento",
    text: "Este sitio no está disponible en este momento. Inténtalo de nuevo más tarde.",
  },
  fr: {
    title: "En maintenance",
    text: "Ce site n’est pas disponible pour le moment. Veuillez réessayer plus tard.",
  },
  "pt-BR": {
    title: "Em manutenção",
    text: "Este site não está disponível no momento. Tente de novo mais tarde.",
  },
  ja: {
    title: "メンテナンス中",
    text: "このサイトは現在ご利用いただけません。しばらくしてからもう一度お試しください。",
  },
  ar: {
    title: "قيد الصيانة",
    text: "هذا الموقع غير متاح حاليًا. حاول مجددًا لاحقًا.",
  },
};
