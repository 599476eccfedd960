import { selfAndAncestors } from "../name.ts";
import type { Resolver } from "../resolve/resolver.ts";
import type { AnswerRecord } from "../wire/message.ts";

export type CaaVerdict =
  | {
      readonly outcome: "allowed" | "forbidden";
      /** The records that decide, and their name; without records every CA is allowed. */
      readonly records: readonly AnswerRecord[];
      readonly name: string | null;
    }
  | { readonly outcome: "unknown"; readonly name: string };

export interface CaaIssuer {
  /** The names that the CA accepts in CAA records (`letsencrypt.org`). */
  readonly issuers: readonly string[];
  /** The validation methods that will be used (RFC 8657 §4). */
  readonly methods?: readonly string[];
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
 * Whether a CA may issue for this exact hostname: the first non-empty CAA set from the name up to the
 * root decides (RFC 8659 §3). Lookups follow CNAMEs.
 */
export async function caaAllows(
  resolver: Resolver,
  hostname: string,
  issuer: CaaIssuer,
  signal: AbortSignal,
): Promise<CaaVerdict> {
  for (const name of selfAndAncestors(hostname)) {
    const reply = await resolver.resolve(name, "CAA", signal);
    if (reply.outcome === "failed") return { outcome: "unknown", name };
    if (reply.outcome === "absent") continue;
    const outcome = permits(reply.records, issuer) ? "allowed" : "forbidden";
    return { outcome, records: reply.records, name };
  }
  return { outcome: "allowed", records: [], name: null };
}

function permits(records: readonly AnswerRecord[], issuer: CaaIssuer): boolean {
  const properties = records.map(readProperty);
  // RFC 8659 §4.1: a critical property that is not understood forbids.
  if (properties.some(({ flags, tag }) => (flags & criticalFlag) !== 0 && !knownTags.has(tag))) {
    return false;
  }
  const issue = properties.filter(({ tag }) => tag === "issue");
  return issue.length === 0 || issue.some(({ value }) => names(value, issuer));
}

function readProperty(record: AnswerRecord): { flags: number; tag: string; value: string } {
  const [, flags = "0", tag = "", value = ""] = /^(\d+) (\S+) "(.*)"$/s.exec(record.value) ?? [];
  return { flags: Number(flags), tag, value: value.replace(/\\(.)/gs, "$1") };
}

/** RFC 8659 §4.2: `issuer-domain ; name=value …`; an empty issuer allows no CA. */
function names(value: string, { issuers, methods }: CaaIssuer): boolean {
  const [domain = "", ...parameters] = value.split(";").map((part) => part.trim().toLowerCase());
  if (!issuers.some((name) => name.toLowerCase() === domain)) return false;
  const restricted = parameters.find((parameter) => /^validationmethods\s*=/.test(parameter));
  if (restricted === undefined || methods === undefined) return true;
  const allowed = restricted.slice(restricted.indexOf("=") + 1).split(",");
  return allowed.some((method) => methods.includes(method.trim()));
}
