import type { DnsRecord } from "./record.ts";
import type { AnswerRecord } from "./wire/message.ts";

/** What one server holds at a name. `aliases`: CNAME targets that its answers led through. */
export interface Seen {
  readonly records: readonly AnswerRecord[];
  readonly aliases: readonly string[];
}

type Compared = "match" | "mismatch" | "absent" | "conflict";

function addressesIn(seen: Seen): readonly string[] {
  return seen.records
    .filter(({ type }) => type === "A" || type === "AAAA")
    .map(({ value }) => value);
}

function cnamesIn(seen: Seen): readonly string[] {
  const asked = seen.records.filter(({ type }) => type === "CNAME").map(({ value }) => value);
  return [...new Set([...asked, ...seen.aliases])];
}

/**
 * A and AAAA are one set: an address beside ours takes part of the visitors, and perhaps the CA,
 * elsewhere. A name that is an alias has no addresses of its own.
 */
export function compareAddresses(seen: Seen, wanted: string, union: ReadonlySet<string>): Compared {
  if (cnamesIn(seen).length > 0) return "mismatch";
  const found = addressesIn(seen);
  if (found.length === 0) return "absent";
  const isForeign = found.some((address) => !union.has(address));
  if (found.includes(wanted)) return isForeign ? "conflict" : "match";
  return isForeign ? "mismatch" : "absent";
}

export function compareCname(seen: Seen, target: string): Compared {
  const cnames = cnamesIn(seen);
  if (cnames.length > 0) return cnames.every((found) => found === target) ? "match" : "mismatch";
  return addressesIn(seen).length > 0 ? "mismatch" : "absent";
}

/** A flattened name shows addresses only; all of them must be the target's or the edge's. */
export function compareAlias(
  seen: Seen,
  target: string,
  allowed: ReadonlySet<string>,
  isTargetKnown: boolean,
): Compared | "unknown" {
  const cnames = cnamesIn(seen);
  if (cnames.includes(target)) return "match";
  const found = addressesIn(seen);
  if (found.length === 0) return cnames.length > 0 ? "mismatch" : "absent";
  const foreign = found.filter((address) => !allowed.has(address));
  if (foreign.length === 0) return "match";
  if (!isTargetKnown) return "unknown";
  return foreign.length < found.length ? "conflict" : "mismatch";
}

/** Other types are sets that others share: ours must be among them. */
export function compareSet(seen: Seen, wanted: DnsRecord): Compared {
  const found = seen.records.filter(({ type }) => type === wanted.type);
  const isThere = found.some(
    ({ value, priority }) => value === wanted.value && priority === wanted.priority,
  );
  if (isThere) return "match";
  return found.length > 0 || seen.aliases.length > 0 ? "mismatch" : "absent";
}
