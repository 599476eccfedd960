import { isIPv4, isIPv6 } from "node:net";
import { domainToASCII, domainToUnicode } from "node:url";
import { parse } from "tldts";

/** RFC 1035 §2.3.4 counts 255 octets on the wire, which leaves 253 characters in text. */
const maxNameOctets = 253;
const maxLabelOctets = 63;
/** Longer input is refused before any Unicode work; no spelling of a valid name comes near it. */
const maxInputLength = 2_048;

export type HostnameRefusal =
  | "empty"
  | "not_only_a_hostname"
  | "ip_literal"
  | "wildcard"
  | "underscore"
  | "empty_label"
  | "bad_character"
  | "bad_hyphen"
  | "bad_idn"
  | "label_too_long"
  | "name_too_long"
  | "single_label"
  | "public_suffix"
  | "reserved";

export type ParsedHostname =
  | { readonly ok: true; readonly hostname: string }
  | { readonly ok: false; readonly reason: HostnameRefusal; readonly message: string };

export interface HostnameParts {
  readonly registrableDomain: string;
  /** The labels before the registrable domain; null at the apex. */
  readonly subdomain: string | null;
  readonly publicSuffix: string;
  readonly kind: "apex" | "subdomain";
}

const refusalMessages: Readonly<Record<HostnameRefusal, string>> = {
  empty: "Give a hostname, for example shop.example.com.",
  not_only_a_hostname:
    "Give only the hostname, without scheme, port, path or user, for example shop.example.com.",
  ip_literal: "This is an IP address; give a hostname.",
  wildcard: "A wildcard is not allowed here; give one exact hostname.",
  underscore: "A hostname cannot contain an underscore.",
  empty_label: "The hostname has an empty part: two dots in a row, or a dot at the start.",
  bad_character: "The hostname contains a character that is not allowed in hostnames.",
  bad_hyphen:
    "A part of a hostname cannot start or end with a hyphen, nor have hyphens in its third and fourth place.",
  bad_idn: "The hostname is not a valid internationalised name.",
  label_too_long: "A part of the hostname is longer than 63 characters.",
  name_too_long: "The hostname is longer than 253 characters.",
  single_label: "The hostname needs at least two parts, for example example.com.",
  public_suffix:
    "This is a public suffix, under which names are registered; give a name registered under it.",
  reserved: "This name belongs to the service itself.",
};

function refuse(reason: HostnameRefusal): ParsedHostname & { ok: false } {
  return { ok: false, reason, message: refusalMessages[reason] };
}

/**
 * The one normaliser of hostnames: every spelling of a name gives the same lower-case A-label form
 * without trailing dot. `reserved` lists the names of the service; `*.edge.example` reserves all
 * names below as well.
 */
export function parseHostname(
  input: string,
  options: { readonly reserved?: readonly string[]; readonly allowsWildcard?: boolean } = {},
): ParsedHostname {
  if (options.allowsWildcard === true && input.startsWith("*.")) {
    return parseWildcard(input, options.reserved ?? []);
  }
  const shape = refuseByShape(input);
  if (shape !== null) return refuse(shape);
  const ascii = toAscii(input);
  if (typeof ascii !== "string") return refuse(ascii.refusal);
  const grammar = refuseByGrammar(ascii);
  if (grammar !== null) return refuse(grammar);
  if (!ascii.includes(".")) return refuse("single_label");
  if (findRegistrableDomain(ascii) === null) return refuse("public_suffix");
  if ((options.reserved ?? []).some((own) => covers(own, ascii))) return refuse("reserved");
  return { ok: true, hostname: ascii };
}

/** `*.` and a hostname; it must not cover a name of the service. */
function parseWildcard(input: string, reserved: readonly string[]): ParsedHostname {
  const parent = parseHostname(input.slice(2), { reserved });
  if (!parent.ok) return parent;
  const hostname = `*.${parent.hostname}`;
  if (hostname.length > maxNameOctets) return refuse("name_too_long");
  const isOwn = reserved.some((own) => wildcardOver(own) === hostname);
  return isOwn ? refuse("reserved") : { ok: true, hostname };
}

/** The wildcard that covers a name: with the same parent; null for a top-level name. */
export function wildcardOver(hostname: string): string | null {
  const dot = hostname.indexOf(".");
  return dot === -1 ? null : `*${hostname.slice(dot)}`;
}

/** The name itself, or the parent of a wildcard. */
export function baseName(hostname: string): string {
  return hostname.startsWith("*.") ? hostname.slice(2) : hostname;
}

/** Refusals that need only the raw text, before a URL parser could reinterpret it. */
function refuseByShape(input: string): HostnameRefusal | null {
  if (input === "") return "empty";
  if (input.length > maxInputLength) return "name_too_long";
  const bare = input.startsWith("[") && input.endsWith("]") ? input.slice(1, -1) : input;
  if (isIPv4(bare) || isIPv6(bare)) return "ip_literal";
  if (/[/\\?#@:]/.test(input)) return "not_only_a_hostname";
  if (input.includes("*")) return "wildcard";
  return null;
}

/** UTS 46, non-transitional; the full stops of other scripts separate labels as a dot does. */
function toAscii(input: string): string | { readonly refusal: HostnameRefusal } {
  // domainToASCII decodes %XX and drops tabs and newlines, which no DNS name may contain.
  if (/[^A-Za-z0-9._\-\u0080-\u{10ffff}]/u.test(input)) return { refusal: "bad_character" };
  const dotted = input.replace(/[\u3002\uff0e\uff61]/g, ".").replace(/\.$/, "");
  if (dotted === "") return { refusal: "empty_label" };
  const labels = dotted.split(".");
  if (labels.includes("")) return { refusal: "empty_label" };
  if (endsInNumber(dotted)) return { refusal: "ip_literal" };
  if (!/[^\0-\x7f]/.test(dotted)) return dotted.toLowerCase();
  const ascii = domainToASCII(dotted);
  if (ascii === "") return { refusal: "bad_idn" };
  return isIPv4(ascii) ? { refusal: "ip_literal" } : ascii.replace(/\.$/, "");
}

/**
 * The WHATWG URL "ends in a number" rule: browsers and resolvers read such a name as an IPv4
 * address in short, octal or hexadecimal form, and no such top-level domain can exist.
 */
function endsInNumber(dotted: string): boolean {
  const last = dotted.slice(dotted.lastIndexOf(".") + 1).normalize("NFKC");
  return /^(?:[0-9]+|0[xX][0-9a-fA-F]*)$/.test(last);
}

function refuseByGrammar(ascii: string): HostnameRefusal | null {
  const labels = ascii.split(".");
  for (const label of labels) {
    const refusal = refuseLabel(label);
    if (refusal !== null) return refusal;
  }
  return ascii.length > maxNameOctets ? "name_too_long" : null;
}

function refuseLabel(label: string): HostnameRefusal | null {
  if (label === "") return "empty_label";
  if (label.includes("_")) return "underscore";
  if (!/^[a-z0-9-]+$/.test(label)) return "bad_character";
  if (label.length > maxLabelOctets) return "label_too_long";
  if (hasBadHyphen(label)) return "bad_hyphen";
  return label.startsWith("xn--") && !isValidALabel(label) ? "bad_idn" : null;
}

/** UTS 46 CheckHyphens. Certificate authorities refuse such labels too, except the xn-- ones. */
function hasBadHyphen(label: string): boolean {
  if (label.startsWith("-") || label.endsWith("-")) return true;
  return label.slice(2, 4) === "--" && !label.startsWith("xn--");
}

/**
 * domainToASCII passes all-ASCII input unchecked, so that an A-label is proven by its round trip.
 */
function isValidALabel(label: string): boolean {
  const unicode = domainToUnicode(label);
  if (unicode === "" || !/[^\0-\x7f]/.test(unicode) || hasBadHyphen(unicode)) return false;
  return domainToASCII(unicode) === label;
}

function covers(own: string, hostname: string): boolean {
  if (own.startsWith("*.")) {
    const base = normalizeName(own.slice(2));
    return base !== null && isSubdomainOf(hostname, base);
  }
  return normalizeName(own) === hostname;
}

function findRegistrableDomain(hostname: string): { domain: string; suffix: string } | null {
  const parts = parse(hostname, {
    allowPrivateDomains: true,
    extractHostname: false,
    validateHostname: false,
    detectIp: false,
  });
  if (parts.domain === null || parts.publicSuffix === null) return null;
  return { domain: parts.domain, suffix: parts.publicSuffix };
}

/**
 * Splits a canonical hostname by the public suffix list, private section included. A top-level
 * domain that the list does not know (`.test`) counts as a suffix. Throws on a public suffix, which
 * parseHostname never lets through.
 */
export function splitHostname(hostname: string): HostnameParts {
  const found = findRegistrableDomain(hostname);
  if (found === null) throw new RangeError("splitHostname needs a name below a public suffix");
  const isApex = found.domain === hostname;
  return {
    registrableDomain: found.domain,
    subdomain: isApex ? null : hostname.slice(0, -found.domain.length - 1),
    publicSuffix: found.suffix,
    kind: isApex ? "apex" : "subdomain",
  };
}

/** The registrable domain of any canonical owner name; null for a public suffix or above. */
export function registrableDomain(name: string): string | null {
  return findRegistrableDomain(name)?.domain ?? null;
}

/**
 * The domain that a registry delegated: as registrableDomain, but the private section of the list
 * does not count, since its suffixes (`github.io`) are ordinary zones in DNS.
 */
export function registryDomain(name: string): string | null {
  return parse(name, { extractHostname: false, validateHostname: false, detectIp: false }).domain;
}

/** For display only; a label that has no valid Unicode form stays as it is. */
export function toUnicode(hostname: string): string {
  const labels = hostname.split(".");
  return labels
    .map((label) => (isValidALabelForm(label) ? domainToUnicode(label) : label))
    .join(".");
}

function isValidALabelForm(label: string): boolean {
  return label.startsWith("xn--") && isValidALabel(label);
}

/**
 * The canonical form of a record's owner or target name, or null when it has none: as for
 * hostnames, but underscores, any hyphens, single labels and one leading `*` label are allowed.
 */
export function normalizeName(input: string): string | null {
  if (isCanonical(input)) return input;
  if (input === "" || input.length > maxInputLength) return null;
  const isWildcard = input.startsWith("*.");
  const ascii = toAscii(isWildcard ? input.slice(2) : input);
  if (typeof ascii !== "string") return null;
  const name = isWildcard ? `*.${ascii}` : ascii;
  if (name.length > maxNameOctets) return null;
  return ascii.split(".").every(isOwnerLabel) ? name : null;
}

/** A fast path: most names are canonical already. */
function isCanonical(input: string): boolean {
  return input.length <= maxNameOctets && canonicalName.test(input) && !/\.0x|^0x/.test(input);
}

/** Labels of at most 63 octets of which the last is no number. */
const canonicalName = /^(?:\*\.)?(?:[a-z0-9_-]{1,63}\.)*(?![0-9]+$)[a-z0-9_-]{1,63}$/;

function isOwnerLabel(label: string): boolean {
  return label.length <= maxLabelOctets && /^[a-z0-9_-]+$/.test(label);
}

/** True for the name itself and every name below it. Both must be canonical. */
export function isAtOrBelow(name: string, ancestor: string): boolean {
  return name === ancestor || isSubdomainOf(name, ancestor);
}

/** True only for names strictly below. Both must be canonical. */
export function isSubdomainOf(name: string, ancestor: string): boolean {
  return name.endsWith(`.${ancestor}`);
}

/** "@" and the empty string are the apex; a name that already ends in the zone is not special. */
export function toAbsolute(relative: string, zone: string): string {
  return relative === "@" || relative === "" ? zone : `${relative}.${zone}`;
}

/**
 * The name relative to the zone, with the provider's word for its apex; null when it lies outside.
 */
export function toRelative(name: string, zone: string, apex: "@" | "" = "@"): string | null {
  if (name === zone) return apex;
  return isSubdomainOf(name, zone) ? name.slice(0, -zone.length - 1) : null;
}

/** The name itself, then each ancestor down to the top-level domain. */
export function selfAndAncestors(name: string): readonly string[] {
  const labels = name.split(".");
  return labels.map((_, index) => labels.slice(index).join("."));
}

export interface ConfusableLabel {
  readonly label: string;
  readonly kind: "mixed_script" | "latin_lookalike";
}

/**
 * Scripts in which domains are registered and that are mixed to deceive; others count as "other".
 */
const checkedScripts = [
  ["Latin", /\p{scx=Latin}/u],
  ["Cyrillic", /\p{scx=Cyrillic}/u],
  ["Greek", /\p{scx=Greek}/u],
  ["Armenian", /\p{scx=Armenian}/u],
  ["Han", /\p{scx=Han}/u],
  ["Hiragana", /\p{scx=Hiragana}/u],
  ["Katakana", /\p{scx=Katakana}/u],
  ["Bopomofo", /\p{scx=Bopomofo}/u],
  ["Hangul", /\p{scx=Hangul}/u],
  ["Hebrew", /\p{scx=Hebrew}/u],
  ["Arabic", /\p{scx=Arabic}/u],
  ["Thai", /\p{scx=Thai}/u],
  ["Devanagari", /\p{scx=Devanagari}/u],
  ["Georgian", /\p{scx=Georgian}/u],
  ["Cherokee", /\p{scx=Cherokee}/u],
] as const;

/** UTS 39 §5.2 "highly restrictive": the mixtures that ordinary writing needs. */
const ordinaryMixtures: readonly (readonly string[])[] = [
  ["Latin", "Han", "Hiragana", "Katakana"],
  ["Latin", "Han", "Bopomofo"],
  ["Latin", "Han", "Hangul"],
];

/** Letters of other scripts that pass for a Latin letter in common fonts. */
const latinLookalikes = /^[аеіјорсухѕԁһӏԛԝгпѵѡҽбьαινορτυωκχη0-9-]+$/u;

/**
 * Labels that may be read as another name. A warning, not a refusal: such names also exist in good
 * faith.
 */
export function confusables(hostname: string): readonly ConfusableLabel[] {
  return toUnicode(hostname)
    .split(".")
    .flatMap((label): readonly ConfusableLabel[] => {
      if (!/[^\0-\x7f]/.test(label)) return [];
      if (isMixedScript(label)) return [{ label, kind: "mixed_script" }];
      return latinLookalikes.test(label) ? [{ label, kind: "latin_lookalike" }] : [];
    });
}

function isMixedScript(label: string): boolean {
  const perCharacter = [...label].map(findScripts).filter((scripts) => scripts !== null);
  const single = checkedScripts.map(([script]) => [script]);
  return ![...single, ["other"], ...ordinaryMixtures].some((allowed) =>
    perCharacter.every((scripts) => scripts.some((script) => allowed.includes(script))),
  );
}

/**
 * Every script a character is used in; null for those that belong to all (digits, hyphen, marks).
 */
function findScripts(character: string): readonly string[] | null {
  if (/[\p{scx=Common}\p{scx=Inherited}]/u.test(character)) return null;
  const found = checkedScripts
    .filter(([, pattern]) => pattern.test(character))
    .map(([script]) => script);
  return found.length === 0 ? ["other"] : found;
}
