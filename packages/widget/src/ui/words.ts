import type { Diagnosis, DomainCheck, Finding } from "@mooring/sdk";
import { isolated } from "../locales/messages.ts";
import type { State } from "../machine/state.ts";
import { toUnicode } from "../unicode-name.ts";
import { parseRegion } from "./region.ts";

/**
 * What the service says, in the reader's language: texts by code, as
 * `locales/words/<language>.json`.
 */
interface Words {
  readonly provider: string;
  readonly findings: Readonly<Record<string, FindingWords | undefined>>;
  readonly warnings: Texts;
  readonly notes: Texts;
  /** By the English label of a field. */
  readonly fields: Texts;
}

type Texts = Readonly<Record<string, string | undefined>>;

interface FindingWords {
  readonly title: string;
  readonly fix: string;
  readonly byActor?: Readonly<Record<string, { readonly title: string; readonly fix: string }>>;
}

type Params = Readonly<Record<string, string>>;

export interface Speaker {
  /**
   * Resolves when the language is there; the service's English is shown before, and if it fails.
   */
  readonly ready: Promise<void>;
  /** The state with every text of the service in the reader's language. */
  readonly translate: (state: State) => State;
}

/** The texts of the service in a language. They load with the later screens. */
export function createSpeaker(locale: string, baseUrl: string): Speaker {
  let words: Words | null = null;
  const memory = new WeakMap<object, unknown>();
  /**
   * The same object gives the same result, so that unchanged parts of the screen stay as they are.
   */
  const once = <T extends object>(value: T | null, translate: (value: T) => T): T | null => {
    if (value === null) return null;
    if (!memory.has(value)) memory.set(value, translate(value));
    return memory.get(value) as T;
  };
  const load = async () => {
    const response = await fetch(`${baseUrl}/sdk/v1/locales/words/${locale}.json`, {
      credentials: "omit",
    });
    if (response.ok) words = (await response.json()) as Words;
  };
  return {
    ready: locale === "en" ? Promise.resolve() : load().catch(() => undefined),
    translate(state) {
      if (words === null) return state;
      const say = speech(words, locale);
      return {
        ...state,
        check: once(state.check, say.check),
        diagnosis: once(state.diagnosis, say.diagnosis),
        email: once(state.email, say.mail),
        sending: once(state.sending, say.mail),
      };
    },
  };
}

function speech(words: Words, locale: string) {
  const fill = (text: string, params: Params): string => {
    const filled = text.replaceAll(/\{(\w+)\}/g, (whole, name: string) =>
      isolated(shown(name, params[name] ?? "", words, locale, whole), locale),
    );
    return text.startsWith("{provider}")
      ? filled.charAt(0).toUpperCase() + filled.slice(1)
      : filled;
  };
  const finding = (one: Finding): Finding => {
    const all = words.findings[one.code];
    const text = all?.byActor?.[one.actor] ?? all;
    if (text === undefined) return one;
    const [title, fix] = [fill(text.title, one.params), fill(text.fix, one.params)];
    return { ...one, title, fix, texts: { ...one.texts, end_customer: { title, fix } } };
  };
  const said = (table: Texts) => (one: Said) => {
    const text = table[one.code];
    return text === undefined ? one : { ...one, message: fill(text, one.params) };
  };
  return {
    diagnosis: (one: Diagnosis): Diagnosis => ({ ...one, findings: one.findings.map(finding) }),
    check: (one: DomainCheck): DomainCheck => ({
      ...one,
      warning_details: one.warning_details.map(said(words.warnings)),
      credential_fields: one.credential_fields.map((field) => ({
        ...field,
        label: words.fields[field.label] ?? field.label,
      })),
    }),
    mail: <T extends { readonly note_details: readonly Said[] }>(one: T): T => ({
      ...one,
      note_details: one.note_details.map(said(words.notes)),
    }),
  };
}

interface Said {
  readonly code: string;
  readonly params: Params;
  readonly message: string;
}

const names: readonly string[] = ["domain", "zone", "name"];

/** A parameter as it is read: names in Unicode, times in the reader's time zone. */
function shown(
  name: string,
  value: string,
  { provider }: Words,
  locale: string,
  whole: string,
): string {
  if (name === "provider") return value || provider;
  if (value === "") return whole;
  if (names.includes(name)) return toUnicode(value);
  if (name !== "time") return value;
  const format = { dateStyle: "medium", timeStyle: "short" } as const;
  return new Intl.DateTimeFormat(parseRegion(locale), format).format(new Date(value));
}
