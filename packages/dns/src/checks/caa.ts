import { selfAndAncestors } from "../name.ts";
import type { Resolver } from "../resolve/resolver.ts";
import type { AnswerRecord } from "../wire/message.ts";

export type CaaVerdict =
  | {
      readonly outcome: "allowed";
      /** The records that decide, and their name; without records every CA is allowed. */
      readonly records: readonly AnswerRecord[];
      readonly name: string | null;
      /** The methods that may be used; null when CAA restricts none (RFC 8657 §4). */
      readonly methods: readonly string[] | null;
    }
  | {
      readonly outcome: "forbidden";
      readonly records: readonly AnswerRecord[];
      readonly name: string;
      readonly reason: CaaRefusal;
    }
  | { readonly outcome: "unknown"; readonly name: string };

/**
 * What forbids: that no record names the CA, a parameter of the one that does, or an unknown rule.
 */
export interface CaaRefusal {
  readonly by: "issue" | "issuewild" | "accounturi" | "validationmethods" | "critical";
  /** The value that is set; null when the CA is just not named. */
  readonly value: string | null;
  /** One clause for logs and people. */
  readonly text: string;
}

export interface CaaIssuer {
  /** The names that the CA accepts in CAA records (`letsencrypt.org`). */
  readonly issuers: readonly string[];
  /** The validation methods that can be used. */
  readonly methods?: readonly string[];
  /**
   * The URLs of our accounts at the CA (RFC 8657 §3), asked only when a record names an account.
   * With null, or without the function, the account is not known and not checked.
   */
  readonly accountUri?: () => Promise<string | readonly string[] | null> | null;
}

const knownTags: ReadonlySet<string> = new Set([
  "issue",
  "issuewild",
  "iodef",
  "issuemail",
  "contactemail",
  "contactphone",
]);
const criticalFlag = 128;

/**
 * Whether a CA may issue for this hostname, which may be a wildcard: the first non-empty CAA set
 * from the name up to the root decides (RFC 8659 §3). Lookups follow CNAMEs.
 */
export async function caaAllows(
  resolver: Resolver,
  hostname: string,
  issuer: CaaIssuer,
  signal: AbortSignal,
): Promise<CaaVerdict> {
  const isWildcard = hostname.startsWith("*.");
  for (const name of selfAndAncestors(isWildcard ? hostname.slice(2) : hostname)) {
    const reply = await resolver.resolve(name, "CAA", signal);
    if (reply.outcome === "failed") return { outcome: "unknown", name };
    if (reply.outcome === "absent") continue;
    const { records } = reply;
    const decision = await decide(records.map(readProperty), issuer, isWildcard);
    return "by" in decision
      ? { outcome: "forbidden", records, name, reason: decision }
      : { outcome: "allowed", records, name, methods: decision.methods };
  }
  return { outcome: "allowed", records: [], name: null, methods: null };
}

interface Property {
  readonly flags: number;
  readonly tag: string;
  readonly value: string;
}

interface Permission {
  readonly methods: readonly string[] | null;
}

function readProperty(record: AnswerRecord): Property {
  const [, flags = "0", tag = "", value = ""] = /^(\d+) (\S+) "(.*)"$/s.exec(record.value) ?? [];
  return { flags: Number(flags), tag: tag.toLowerCase(), value: value.replace(/\\(.)/gs, "$1") };
}

async function decide(
  properties: readonly Property[],
  issuer: CaaIssuer,
  isWildcard: boolean,
): Promise<Permission | CaaRefusal> {
  // RFC 8659 §4.1: a critical property that is not understood forbids.
  const unknown = properties.find(
    ({ flags, tag }) => (flags & criticalFlag) !== 0 && !knownTags.has(tag),
  );
  if (unknown !== undefined) {
    const text = `the critical property ${unknown.tag} is not understood`;
    return { by: "critical", value: unknown.tag, text };
  }
  // RFC 8659 §4.3: for a wildcard `issuewild` counts instead, where there is any.
  const hasWild = isWildcard && properties.some(({ tag }) => tag === "issuewild");
  const by = hasWild ? "issuewild" : "issue";
  const rules = properties.filter(({ tag }) => tag === by).map(({ value }) => readRule(value));
  if (rules.length === 0) return { methods: null };
  const ours = rules.filter(({ domain }) => issuer.issuers.some((name) => isSame(name, domain)));
  const decisions = await Promise.all(ours.map((rule) => decideRule(rule, issuer)));
  const allowed = decisions.filter((decision): decision is Permission => !("by" in decision));
  if (allowed.length > 0) return combined(allowed);
  const text = `no ${by} property names ${issuer.issuers.join(" or ")}`;
  return decisions[0] ?? { by, value: null, text };
}

interface Rule {
  /** Empty when no CA is allowed. */
  readonly domain: string;
  readonly parameters: ReadonlyMap<string, readonly string[]>;
}

/** RFC 8659 §4.2: `issuer-domain ; name=value …`. */
function readRule(value: string): Rule {
  const [domain = "", ...rest] = value.split(";").map((part) => part.trim());
  const parameters = new Map<string, string[]>();
  for (const part of rest.filter(Boolean)) {
    const [, name = "", set = ""] = /^([^=]*?)\s*(?:=\s*(.*))?$/s.exec(part) ?? [];
    const key = name.toLowerCase();
    parameters.set(key, [...(parameters.get(key) ?? []), set]);
  }
  return { domain, parameters };
}

function isSame(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase().replace(/\.$/, "");
}

async function decideRule(rule: Rule, issuer: CaaIssuer): Promise<Permission | CaaRefusal> {
  const uris = rule.parameters.get("accounturi");
  const account = uris === undefined ? null : await accountRefusal(uris, issuer);
  if (account !== null) return account;
  const set = rule.parameters.get("validationmethods");
  if (set === undefined || issuer.methods === undefined) return { methods: null };
  const value = set.join(" ");
  const named =
    set.length === 1 ? value.split(",").map((method) => method.trim().toLowerCase()) : [];
  const methods = issuer.methods.filter((method) => named.includes(method));
  if (methods.length > 0) return { methods };
  const text = `validationmethods=${value} allows none of ${issuer.methods.join(", ")}`;
  return { by: "validationmethods", value, text };
}

/** RFC 8657 §3: several `accounturi` in one property match no account. */
async function accountRefusal(
  uris: readonly string[],
  { accountUri }: CaaIssuer,
): Promise<CaaRefusal | null> {
  const known = (await accountUri?.()) ?? null;
  if (known === null) return null;
  const [uri] = uris;
  if (uris.length === 1 && uri !== undefined && [known].flat().includes(uri)) return null;
  const value = uris.join(" ");
  return { by: "accounturi", value, text: `accounturi=${value} is not our account` };
}

/** Several properties name the CA: each adds the methods that it allows. */
function combined(permissions: readonly Permission[]): Permission {
  if (permissions.some(({ methods }) => methods === null)) return { methods: null };
  return { methods: [...new Set(permissions.flatMap(({ methods }) => methods ?? []))] };
}
