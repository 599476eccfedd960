import { type MailNote, mailNote } from "./notes.ts";
import {
  isSpf,
  parseSpf,
  parseSpfTerm,
  quoted,
  type SpfTerm,
  shortened,
  spfTermKey,
} from "./spf.ts";

/**
 * - `create`: there is no SPF record; `value` is a whole new one.
 * - `noop`: everything is in it already; `value` is the existing record.
 * - `merge`: `value` replaces the existing record.
 * - `confirm`: the same, but the owner had declared that the domain sends no mail.
 * - `manual`: only the owner can decide; `value` is null, or too long to be published safely.
 */
type SpfOutcome = "create" | "noop" | "merge" | "confirm" | "manual";

export interface SpfMerge {
  readonly outcome: SpfOutcome;
  readonly value: string | null;
  /** The reasons and what else to check. */
  readonly notes: readonly MailNote[];
}

/** All TXT records of a name share one answer, which should fit 512 octets (RFC 7208 §3.4). */
const maxSpfBytes = 450;

/**
 * The SPF record with the wanted mechanisms in it. Pure. Existing terms stay byte for byte and in
 * their order, and no qualifier changes: terms are only inserted, before the term that ends the
 * evaluation. `wanted` are mechanisms that pass, such as `include:_spf.example.com`.
 */
export function mergeSpf(texts: readonly string[], requested: readonly string[]): SpfMerge {
  const adding = requested.map(requireMechanism);
  const [record, ...others] = texts.filter(isSpf);
  if (record === undefined) {
    return { outcome: "create", value: `v=spf1 ${requested.join(" ")} ~all`, notes: [] };
  }
  if (others.length > 0) return several([record, ...others]);
  const parsed = parseSpf(record);
  if (!parsed.ok) return manual(mailNote("spf_unreadable", { reason: parsed.message }));
  return mergeInto(record, parsed.terms, adding);
}

function requireMechanism(text: string): SpfTerm {
  const term = parseSpfTerm(text);
  if (term === null || term.qualifier !== "+" || term.name === "all") {
    throw new Error(`not a mechanism that can be added to an SPF record: ${text}`);
  }
  return term;
}

function manual(note: MailNote): SpfMerge {
  return { outcome: "manual", value: null, notes: [note] };
}

function several(records: readonly string[]): SpfMerge {
  const shown = records.map(quoted).join(", ");
  return manual(mailNote("spf_several", { count: records.length, records: shown }));
}

function mergeInto(
  record: string,
  terms: readonly SpfTerm[],
  adding: readonly SpfTerm[],
): SpfMerge {
  const end = terms.findIndex(({ name }) => name === "all");
  const alive = end === -1 ? terms : terms.slice(0, end);
  const requested = new Set(adding.map(spfTermKey));
  const present = alive.filter((term) => requested.has(spfTermKey(term)));
  const opposed = present.find(({ qualifier }) => qualifier !== "+");
  if (opposed !== undefined) {
    return manual(mailNote("spf_opposed", { term: shortened(opposed.text) }));
  }
  const notes = remarks(terms, end, adding);
  const keys = new Set(present.map(spfTermKey));
  const missing = adding.filter((term) => !keys.has(spfTermKey(term))).map(({ text }) => text);
  if (missing.length === 0) return { outcome: "noop", value: record, notes };
  return judged(inserted(record, terms, missing), isNoMail(terms), notes);
}

function judged(value: string, hadNoMail: boolean, notes: readonly MailNote[]): SpfMerge {
  const bytes = Buffer.byteLength(value);
  if (bytes > maxSpfBytes) {
    const long = mailNote("spf_long", { bytes, limit: maxSpfBytes });
    return { outcome: "manual", value, notes: [...notes, long] };
  }
  if (!hadNoMail) return { outcome: "merge", value, notes };
  return { outcome: "confirm", value, notes: [...notes, mailNote("spf_no_mail")] };
}

/** `v=spf1 -all` alone. */
function isNoMail(terms: readonly SpfTerm[]): boolean {
  const [only, ...rest] = terms;
  return only?.name === "all" && only.qualifier === "-" && rest.length === 0;
}

/** Before the first `all`, else before `redirect=`, else behind the last term. */
function inserted(record: string, terms: readonly SpfTerm[], missing: readonly string[]): string {
  const before =
    terms.find(({ name }) => name === "all") ?? terms.find(({ name }) => name === "redirect");
  if (before !== undefined) {
    return `${record.slice(0, before.at)}${missing.join(" ")} ${record.slice(before.at)}`;
  }
  const last = terms.at(-1);
  const at = last === undefined ? "v=spf1".length : last.at + last.text.length;
  return `${record.slice(0, at)} ${missing.join(" ")}${record.slice(at)}`;
}

function remarks(
  terms: readonly SpfTerm[],
  end: number,
  adding: readonly SpfTerm[],
): readonly MailNote[] {
  const dead = end === -1 ? [] : terms.slice(end + 1).filter(({ qualifier }) => qualifier !== null);
  const added = new Set(adding.map(spfTermKey));
  const own = dead.find((term) => added.has(spfTermKey(term)));
  const notes: MailNote[] = [];
  if (terms[end]?.qualifier === "+") {
    notes.push(mailNote("spf_allows_all"));
  }
  if (own !== undefined) {
    notes.push(mailNote("spf_term_dead", { term: shortened(own.text) }));
  } else if (dead.length > 0) {
    notes.push(mailNote("spf_terms_dead"));
  }
  if (terms.some(({ name }) => name === "ptr")) {
    notes.push(mailNote("spf_ptr"));
  }
  return notes;
}
