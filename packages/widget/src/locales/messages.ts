import { toUnicode } from "../unicode-name.ts";
import type { DomainMessages } from "./domains/en.ts";
import type { enFirst } from "./en-first.ts";
import type { enLater } from "./en-later.ts";
import type { MailMessages } from "./mail/en.ts";
import type { MovingMessages } from "./moving/en.ts";
import type { SetupMessages } from "./setup/en.ts";

type MessageKey =
  | keyof typeof enFirst
  | keyof typeof enLater
  | keyof SetupMessages
  | keyof DomainMessages
  | keyof MailMessages
  | keyof MovingMessages;

/**
 * The messages of one language. English defines the keys: a language without one does not compile.
 */
export type Messages = Readonly<Record<MessageKey, string>>;

export type Translate = (key: MessageKey, params?: Params) => string;

type Params = Readonly<Record<string, string | number>>;

export interface Translator {
  readonly t: Translate;
  /** Adds messages for keys that have none yet. */
  readonly add: (messages: Partial<Messages>) => void;
}

/** In Arabic a name in Latin letters must not turn what stands around it (UAX #9 §2.4.2). */
export function isolated(text: string, locale: string): string {
  return locale === "ar" ? `\u2068${text}\u2069` : text;
}

/**
 * `t` replaces `{name}` by the parameter of that name, as text and never as markup. A domain or a
 * zone is there to be read, so it is in Unicode.
 */
export function createTranslator(first: Partial<Messages>, locale = "en"): Translator {
  const messages = new Map<string, string>(Object.entries(first));
  return {
    t: (key, params = {}) =>
      (messages.get(key) ?? "").replaceAll(/\{(\w+)\}/g, (whole, name: string) => {
        const value = String(params[name] ?? whole);
        return isolated(/^(domain|zone)$/.test(name) ? toUnicode(value) : value, locale);
      }),
    add(more) {
      for (const [key, text] of Object.entries(more)) {
        if (!messages.has(key)) messages.set(key, text);
      }
    },
  };
}

/** The languages that are served as files beside the script; the script contains English. */
export const servedLocales = ["de", "es", "fr", "pt-BR", "ja", "ar"] as const;

type Locale = (typeof servedLocales)[number] | "en";

/** The first preference with a translation; `de-AT` matches `de`, and `pt` matches `pt-BR`. */
export function matchLocale(preferences: readonly (string | null | undefined)[]): Locale {
  for (const preference of preferences) {
    const language = preference?.split(/[-_]/)[0]?.toLowerCase();
    if (language === "en") return "en";
    const match = servedLocales.find((locale) => locale.split("-")[0] === language);
    if (match !== undefined) return match;
  }
  return "en";
}

/** The widget opens in English when a language takes longer. */
const timeoutMs = 3_000;

/** Fetches a language's messages; empty when that fails, so that English is shown. */
export async function loadMessages(
  locale: Locale,
  baseUrl: string,
  fetch: typeof globalThis.fetch,
): Promise<Partial<Messages>> {
  if (locale === "en") return {};
  try {
    const response = await fetch(`${baseUrl}/sdk/v1/locales/${locale}.json`, {
      credentials: "omit",
      signal: AbortSignal.timeout(timeoutMs),
    });
    return response.ok ? parseTexts(await response.json()) : {};
  } catch {
    return {};
  }
}

/** Accepts strings only; unknown keys are harmless. */
export function parseTexts(value: unknown): Partial<Messages> {
  if (typeof value !== "object" || value === null) return {};
  return Object.fromEntries(
    Object.entries(value).filter(([, text]: [string, unknown]) => typeof text === "string"),
  );
}
