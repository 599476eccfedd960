import type { Messages } from "./en.ts";

/** Languages that are served beside the script; English is inside. */
export const served = ["de", "es", "fr", "pt-BR", "ja"] as const;

export type Served = (typeof served)[number];

/** The first wish that can be met: `de-AT` is met by `de`, and `pt` by `pt-BR`. */
export function matchLocale(wishes: readonly (string | null | undefined)[]): Served | "en" {
  for (const wish of wishes) {
    const language = wish?.split(/[-_]/)[0]?.toLowerCase();
    if (language === "en") return "en";
    const match = served.find((locale) => locale.split("-")[0] === language);
    if (match !== undefined) return match;
  }
  return "en";
}

/** Late or broken words are no reason to keep a customer waiting: English is there. */
const patienceMs = 3_000;

/** The language's texts, as many as there are; what it lacks is said in English. */
export async function loadMessages(
  locale: Served | "en",
  baseUrl: string,
  fetch: typeof globalThis.fetch,
): Promise<Partial<Messages>> {
  if (locale === "en") return {};
  try {
    const response = await fetch(`${baseUrl}/sdk/v1/locales/${locale}.json`, {
      credentials: "omit",
      signal: AbortSignal.timeout(patienceMs),
    });
    return response.ok ? textsOf(await response.json()) : {};
  } catch {
    return {};
  }
}

/** Only texts; keys that nobody asks for do no harm. */
export function textsOf(given: unknown): Partial<Messages> {
  if (typeof given !== "object" || given === null) return {};
  return Object.fromEntries(
    Object.entries(given).filter(([, text]: [string, unknown]) => typeof text === "string"),
  );
}
