import { splitList } from "../../../http/fields.ts";

/** Those of every text that an end customer reads. */
export const pageLanguages = ["en", "de", "es", "fr", "pt-BR", "ja", "ar"] as const;

export type PageLanguage = (typeof pageLanguages)[number];

/** Nobody prefers more languages than fit. */
const maxLength = 200;

const byPrimaryTag: ReadonlyMap<string, PageLanguage> = new Map(
  pageLanguages.map((language) => [language.split("-")[0] ?? language, language]),
);

/** The best language for a request's `Accept-Language` (RFC 9110 §12.5.4); English without one. */
export function matchPageLanguage(acceptLanguage: string | null): PageLanguage {
  let chosen: PageLanguage = "en";
  let best = 0;
  for (const range of splitList((acceptLanguage ?? "").slice(0, maxLength))) {
    const [tag = "", ...parameters] = range.split(";").map((part) => part.trim());
    const language = byPrimaryTag.get(tag.split("-")[0] ?? "");
    const weight = parseWeight(parameters);
    if (language !== undefined && weight > best) [chosen, best] = [language, weight];
  }
  return chosen;
}

function parseWeight(parameters: readonly string[]): number {
  const q = parameters.find((parameter) => parameter.startsWith("q="));
  const weight = q === undefined ? 1 : Number(q.slice(2));
  return weight >= 0 && weight <= 1 ? weight : 0;
}

export function pageDirection(language: PageLanguage): "ltr" | "rtl" {
  return language === "ar" ? "rtl" : "ltr";
}
