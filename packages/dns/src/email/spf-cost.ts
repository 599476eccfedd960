import { type MailNote, mailNote, mailNoteText } from "./notes.ts";
import { isSpf, parseSpf, type SpfTerm, shortened } from "./spf.ts";

/** A DNS query that is needed to count the lookups of an SPF record. */
export interface SpfQuestion {
  readonly name: string;
  readonly type: "TXT" | "A" | "MX";
}

/** Values by question: empty when DNS has none, null when the query failed. */
export type SpfAnswers = ReadonlyMap<string, readonly string[] | null>;

export interface SpfCost {
  /** Terms that cause a DNS query, nested ones included. */
  readonly lookups: number;
  /** Those of them without an answer (void lookups). */
  readonly voids: number;
  /** Why receivers refuse to evaluate the record at all. */
  readonly errors: readonly MailNote[];
  /** Queries that are still needed for a complete count. */
  readonly open: readonly SpfQuestion[];
  /** A term depends on the message, or a query failed. */
  readonly isUncertain: boolean;
}

/** RFC 7208 §4.6.4. */
export const maxSpfLookups = 10;
export const maxSpfVoidLookups = 2;

/** Far above the limit: more lookups do not change the verdict. */
const maxCountedLookups = 40;

export function spfQuestionKey({ name, type }: SpfQuestion): string {
  return `${type} ${name}`;
}

interface Count {
  lookups: number;
  voids: number;
  isUncertain: boolean;
  readonly errors: Map<string, MailNote>;
  readonly open: Map<string, SpfQuestion>;
}

/**
 * Counts the DNS lookups that evaluating the record needs, from the answers known so far. Query
 * what is `open` and call again until nothing is. Pure.
 */
export function spfCost(record: string, domain: string, answers: SpfAnswers): SpfCost {
  const count: Count = {
    lookups: 0,
    voids: 0,
    isUncertain: false,
    errors: new Map(),
    open: new Map(),
  };
  walk(record, [domain], answers, count);
  return { ...count, errors: [...count.errors.values()], open: [...count.open.values()] };
}

function walk(record: string, path: readonly string[], answers: SpfAnswers, count: Count): void {
  const at = path.at(-1) ?? "";
  const parsed = parseSpf(record);
  if (!parsed.ok) {
    fail(count, mailNote("spf_unreadable_at", { name: at, reason: parsed.message }));
    return;
  }
  const end = parsed.terms.findIndex(({ name }) => name === "all");
  // RFC 7208 §6.1: redirect counts for nothing beside an `all`.
  const alive = end === -1 ? parsed.terms : parsed.terms.slice(0, end);
  const redirects = alive.filter(({ name }) => name === "redirect");
  const others = alive.filter(({ name }) => name !== "redirect");
  for (const term of [...others, ...redirects]) take(term, path, answers, count);
}

function fail({ errors }: Count, note: MailNote): void {
  errors.set(mailNoteText(note), note);
}

function take(term: SpfTerm, path: readonly string[], answers: SpfAnswers, count: Count): void {
  const cost = costs[term.name ?? "exp"];
  if (cost === null || count.lookups >= maxCountedLookups) return;
  count.lookups += 1;
  const name = lookedUpName(term, path);
  if (name === null || cost === "unknown") {
    count.isUncertain = true;
    return;
  }
  const question = { name, type: cost };
  const values = answers.get(spfQuestionKey(question));
  if (values === undefined) count.open.set(spfQuestionKey(question), question);
  else if (values === null) count.isUncertain = true;
  else if (cost === "TXT") enter(term, name, values, { path, answers, count });
  else if (values.length === 0) count.voids += 1;
}

/** What is asked for a term; null for terms that cost nothing (RFC 7208 §4.6.4). */
const costs = {
  all: null,
  ip4: null,
  ip6: null,
  exp: null,
  include: "TXT",
  redirect: "TXT",
  a: "A",
  mx: "MX",
  // These depend on the sender.
  ptr: "unknown",
  exists: "unknown",
} as const;

function lookedUpName({ target }: SpfTerm, path: readonly string[]): string | null {
  if (target.includes("%")) return null;
  return target === "" ? (path.at(-1) ?? null) : target.toLowerCase().replace(/\.$/, "");
}

function enter(
  term: SpfTerm,
  name: string,
  values: readonly string[],
  { path, answers, count }: { path: readonly string[]; answers: SpfAnswers; count: Count },
): void {
  const [record, ...others] = values.filter(isSpf);
  const named = { term: shortened(term.text) };
  if (values.length === 0) count.voids += 1;
  if (path.includes(name)) {
    fail(count, mailNote("spf_circle", named));
  } else if (record === undefined) {
    fail(count, mailNote("spf_include_empty", named));
  } else if (others.length > 0) {
    fail(count, mailNote("spf_include_several", named));
  } else {
    walk(record, [...path, name], answers, count);
  }
}
