import { isIPv4, isIPv6 } from "node:net";

/** RFC 7208: parses an SPF record; terms carry their exact text and position. */

type SpfQualifier = "+" | "-" | "~" | "?";

type SpfMechanism = "all" | "include" | "a" | "mx" | "ptr" | "ip4" | "ip6" | "exists";

export interface SpfTerm {
  /** As written in the record. */
  readonly text: string;
  /** Where it begins in the record. */
  readonly at: number;
  /**
   * A mechanism, one of the two known modifiers, or null for a modifier that evaluation ignores.
   */
  readonly name: SpfMechanism | "redirect" | "exp" | null;
  /** Of a mechanism; null for a modifier. */
  readonly qualifier: SpfQualifier | null;
  /** The name or network after `:` or `=`, without a prefix length; empty where there is none. */
  readonly target: string;
}

export type ParsedSpf =
  | { readonly ok: true; readonly terms: readonly SpfTerm[] }
  | { readonly ok: false; readonly message: string };

/** Quotes untrusted text from a zone, cut to a length that fits a sentence. */
export function quoted(text: string): string {
  return `“${shortened(text)}”`;
}

export function shortened(text: string): string {
  return text.length > maxQuoteLength ? `${text.slice(0, maxQuoteLength)}…` : text;
}

const maxQuoteLength = 200;

/** RFC 7208 §4.5: the version, then a space or the end; `v=spf10` is something else. */
export function isSpf(text: string): boolean {
  return /^v=spf1(?: |$)/i.test(text);
}

/** The grammar of RFC 7208 §12, as far as a record can be judged without evaluating it. */
export function parseSpf(text: string): ParsedSpf {
  if (!isSpf(text)) return { ok: false, message: "it does not begin with v=spf1" };
  const terms: SpfTerm[] = [];
  const termPattern = /[^ ]+/g;
  termPattern.lastIndex = "v=spf1".length;
  for (let found = termPattern.exec(text); found !== null; found = termPattern.exec(text)) {
    const term = parseSpfTerm(found[0], found.index);
    if (term === null) return { ok: false, message: `${quoted(found[0])} is not valid SPF` };
    terms.push(term);
  }
  const twice = (["redirect", "exp"] as const).find(
    (modifier) => terms.filter(({ name }) => name === modifier).length > 1,
  );
  // RFC 7208 §6: each of the two at most once.
  if (twice !== undefined) return { ok: false, message: `it has ${twice}= more than once` };
  return { ok: true, terms };
}

/** One mechanism or modifier; null when it is neither. */
export function parseSpfTerm(text: string, at = 0): SpfTerm | null {
  const modifier = /^([a-z][a-z0-9._-]*)=(.*)$/i.exec(text);
  if (modifier !== null) return parseModifier(text, at, modifier[1] ?? "", modifier[2] ?? "");
  const parts = /^([-+~?]?)([a-z0-9]+)(?::([^ ]*?))?((?:\/\d{1,3})?(?:\/\/\d{1,3})?)$/i.exec(text);
  if (parts === null) return null;
  const [, sign = "", word = "", target, prefix = ""] = parts;
  const name = mechanisms.find((one) => one === word.toLowerCase());
  if (name === undefined || !isGood(name, target ?? null, prefix)) return null;
  return { text, at, name, qualifier: readQualifier(sign), target: target ?? "" };
}

const mechanisms: readonly SpfMechanism[] = [
  "all",
  "include",
  "a",
  "mx",
  "ptr",
  "ip4",
  "ip6",
  "exists",
];

/** RFC 7208 §4.6.2: pass when nothing is said. */
function readQualifier(sign: string): SpfQualifier {
  return sign === "-" || sign === "~" || sign === "?" ? sign : "+";
}

function parseModifier(text: string, at: number, word: string, target: string): SpfTerm | null {
  const known = (["redirect", "exp"] as const).find((one) => one === word.toLowerCase());
  if (known === undefined) {
    return macroString.test(target) ? { text, at, name: null, qualifier: null, target } : null;
  }
  return isDomainSpec(target) ? { text, at, name: known, qualifier: null, target } : null;
}

function isGood(name: SpfMechanism, target: string | null, prefix: string): boolean {
  switch (name) {
    case "all":
      return target === null && prefix === "";
    case "include":
    case "exists":
      return target !== null && prefix === "" && isDomainSpec(target);
    case "ptr":
      return prefix === "" && (target === null || isDomainSpec(target));
    case "a":
    case "mx":
      return (target === null || isDomainSpec(target)) && isDualPrefix(prefix);
    case "ip4":
      return target !== null && isIPv4(target) && isPrefix(prefix, 32);
    case "ip6":
      return target !== null && isIPv6(target) && !target.includes("%") && isPrefix(prefix, 128);
  }
}

function isPrefix(text: string, most: number): boolean {
  return text === "" || (/^\/(?:0|[1-9]\d*)$/.test(text) && Number(text.slice(1)) <= most);
}

/** RFC 7208 §5.6: `/24`, `//64` or both. */
function isDualPrefix(text: string): boolean {
  const [, four = "", six = ""] = /^((?:\/\d+)?)((?:\/\/\d+)?)$/.exec(text) ?? [];
  return four + six === text && isPrefix(four, 32) && isPrefix(six.slice(1), 128);
}

const macro = String.raw`%\{[slodiphcrtv]\d*r?[-.+,/_=]*\}|%[%_-]`;
/** RFC 7208 §7.1. */
const macroString = new RegExp(`^(?:${macro}|[\\x21-\\x24\\x26-\\x7e])*$`, "i");
const domainEnd = new RegExp(
  String.raw`(?:\.(?:[a-z0-9]*[a-z][a-z0-9]*|[a-z0-9]+-[a-z0-9-]*[a-z0-9])\.?|${macro})$`,
  "i",
);

/** Names have 253 characters at most; macros may be longer than their expansion. */
const maxDomainSpecLength = 512;

function isDomainSpec(text: string): boolean {
  if (text.length > maxDomainSpecLength) return false;
  return macroString.test(text) && domainEnd.test(text);
}

/** A key under which two spellings of the same mechanism collide, whatever their qualifiers. */
export function spfTermKey({ text, qualifier }: SpfTerm): string {
  const bare = qualifier === null ? text : text.replace(/^[-+~?]/, "");
  return bare.toLowerCase().replace(/\.(?=$|\/)/, "");
}
