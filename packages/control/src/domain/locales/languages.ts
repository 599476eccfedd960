/** The languages of every text that an end customer reads; English is the source of the others. */
export const languages = ["en", "de", "es", "fr", "pt-BR", "ja", "ar"] as const;

export type Language = (typeof languages)[number];

/** Each language's name for itself. */
export const languageNames: Readonly<Record<Language, string>> = {
  en: "English",
  de: "Deutsch",
  es: "Español",
  fr: "Français",
  "pt-BR": "Português",
  ja: "日本語",
  ar: "العربية",
};

export function textDirection(language: Language): "ltr" | "rtl" {
  return language === "ar" ? "rtl" : "ltr";
}

/** The language for a tag as in RFC 5646: `de-AT` gives `de`, and `pt` gives `pt-BR`. */
export function findLanguage(tag: string): Language | null {
  const [primary] = tag.trim().toLowerCase().split(/[-_]/);
  return languages.find((one) => one.split("-")[0]?.toLowerCase() === primary) ?? null;
}

/** A header is read up to here: nobody prefers more languages. */
const maxHeaderLength = 1_000;

/** The best language for a request's `Accept-Language` (RFC 9110 §12.5.4). */
export function matchLanguage(acceptLanguage: string | undefined): Language {
  const accepted = (acceptLanguage ?? "")
    .slice(0, maxHeaderLength)
    .split(",")
    .map((range) => {
      const [tag = "", ...parameters] = range.split(";");
      const weight = parameters.map((one) => /^\s*q=([01](?:\.\d{0,3})?)\s*$/i.exec(one)?.[1]);
      return { tag, weight: Number(weight.find((one) => one !== undefined) ?? 1) };
    })
    .filter(({ weight }) => weight > 0)
    .sort((a, b) => b.weight - a.weight);
  for (const { tag } of accepted) {
    const language = findLanguage(tag);
    if (language !== null) return language;
  }
  return "en";
}

export type Params = Readonly<Record<string, string | number>>;

/**
 * Replaces `{name}` by the parameter of that name. In a language that is written from right to left
 * each is isolated (UAX #9 §2.4.2): a name in Latin letters does not turn what stands around it.
 */
export function fillIn(text: string, params: Params = {}, language: Language = "en"): string {
  return text.replaceAll(/\{(\w+)\}/g, (whole, name: string) => {
    const value = String(params[name] ?? whole);
    return textDirection(language) === "rtl" ? `\u2068${value}\u2069` : value;
  });
}
