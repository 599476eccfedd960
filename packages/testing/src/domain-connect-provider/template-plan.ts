import type { DomainConnectTemplate } from "../../../dns/src/domain-connect/template.ts";
import { isSpf, parseSpfTerm } from "../../../dns/src/email/spf.ts";
import { mergeSpf } from "../../../dns/src/email/spf-merge.ts";
import { isAtOrBelow } from "../../../dns/src/name.ts";
import { type DnsRecord, recordKey } from "../../../dns/src/record.ts";
import {
  type FilledRecord,
  fillTemplate,
  spfTtlSeconds,
  TemplateError,
  type TemplateParameters,
} from "./template-fill.ts";

/** What applying a template does to a zone; removing and adding are one change. */
export type TemplatePlan =
  | {
      readonly ok: true;
      readonly add: readonly DnsRecord[];
      /** What must make way; a person has to agree. */
      readonly remove: readonly DnsRecord[];
      /** Records of the template that are there already. */
      readonly keep: readonly DnsRecord[];
    }
  | { readonly ok: false; readonly reason: string };

/**
 * The change that a template makes to a zone by the protocol's conflict rules
 * (draft-ietf-dconn-domainconnect §8). Pure. Not ok leaves the zone untouched: a variable without
 * value, records of the template that exclude each other, or ones that would break the zone itself.
 */
export function planTemplate(
  zone: readonly DnsRecord[],
  template: DomainConnectTemplate,
  parameters: TemplateParameters,
): TemplatePlan {
  try {
    const filled = fillTemplate(template, parameters);
    const spf = spfChanges(zone, filled);
    const coming: readonly Coming[] = [
      ...filled.filter((one) => one.kind === "record"),
      ...spf.requested.map((record) => ({ record, txtRivals: "none" }) as const),
    ];
    const requested = once(coming.map(({ record }) => record));
    refuseClashes(requested, parameters.domain);
    const requestedKeys = new Set(requested.map(recordKey));
    const present = new Set(zone.map(recordKey));
    const isInTheWay = (existing: DnsRecord): boolean =>
      spf.replaced.has(recordKey(existing)) ||
      coming.some((one) => makesWay(existing, one, parameters.domain));
    return {
      ok: true,
      add: requested.filter((record) => !present.has(recordKey(record))),
      remove: zone.filter((record) => !requestedKeys.has(recordKey(record)) && isInTheWay(record)),
      keep: requested.filter((record) => present.has(recordKey(record))),
    };
  } catch (error) {
    if (error instanceof TemplateError) return { ok: false, reason: error.message };
    throw error;
  }
}

function once(records: readonly DnsRecord[]): readonly DnsRecord[] {
  return [...new Map(records.map((record) => [recordKey(record), record])).values()];
}

type Coming = Pick<Extract<FilledRecord, { kind: "record" }>, "record" | "txtRivals">;

const addressTypes: ReadonlySet<string> = new Set(["A", "AAAA", "ALIAS"]);

/** Whether an existing record goes when the new one comes. */
function makesWay(existing: DnsRecord, { record, txtRivals }: Coming, zone: string): boolean {
  // The zone's own name servers are no part of what a template can touch.
  if (existing.type === "NS" && existing.name === zone) return false;
  if (existing.type === "NS" && isAtOrBelow(record.name, existing.name)) {
    return record.type !== "NS" || record.name !== existing.name || record.value !== existing.value;
  }
  if (record.type === "NS") return isAtOrBelow(existing.name, record.name);
  if (existing.name !== record.name) return false;
  if (record.type === "CNAME" || existing.type === "CNAME") return true;
  if (addressTypes.has(record.type)) return addressTypes.has(existing.type);
  if (record.type === "MX" || record.type === "SRV") return existing.type === record.type;
  if (record.type !== "TXT" || existing.type !== "TXT" || txtRivals === "none") return false;
  return txtRivals === "all" || existing.value.startsWith(txtRivals.prefix);
}

/** Records of one template that cannot stand together make it invalid. */
function refuseClashes(records: readonly DnsRecord[], zone: string): void {
  for (const record of records) {
    if (record.name === zone && (record.type === "CNAME" || record.type === "NS")) {
      throw new TemplateError(`a ${record.type} cannot be put at the apex of a zone`);
    }
    const others = records.filter((other) => other !== record);
    if (record.type === "CNAME" && others.some(({ name }) => name === record.name)) {
      throw new TemplateError(`the template has a CNAME and other records at ${record.name}`);
    }
    const isCovered = others.some(
      (other) => other.type !== "NS" && isAtOrBelow(other.name, record.name),
    );
    if (record.type === "NS" && isCovered) {
      throw new TemplateError(`the template delegates ${record.name} and has records there`);
    }
  }
}

interface SpfChanges {
  readonly requested: readonly DnsRecord[];
  /** Keys of the SPF records that they replace. */
  readonly replaced: ReadonlySet<string>;
}

function spfChanges(zone: readonly DnsRecord[], filled: readonly FilledRecord[]): SpfChanges {
  const rulesByName = new Map<string, readonly string[]>();
  for (const one of filled) {
    if (one.kind === "spf") {
      rulesByName.set(one.name, [...(rulesByName.get(one.name) ?? []), ...one.rules]);
    }
  }
  const requested: DnsRecord[] = [];
  const replaced = new Set<string>();
  for (const [name, rules] of rulesByName) {
    const existing = zone.filter(
      (record) => record.name === name && record.type === "TXT" && isSpf(record.value),
    );
    const value = mergedSpf(
      existing.map((record) => record.value),
      [...new Set(rules)],
    );
    const ttl = existing[0]?.ttl ?? spfTtlSeconds;
    requested.push({ name, type: "TXT", value, ttl, priority: null });
    for (const record of existing) replaced.add(recordKey(record));
  }
  return { requested, replaced };
}

/** What cannot be merged is a conflict: a new record replaces all that are there. */
function mergedSpf(existing: readonly string[], rules: readonly string[]): string {
  for (const rule of rules) {
    const term = parseSpfTerm(rule);
    if (term === null || term.qualifier !== "+" || term.name === "all") {
      throw new TemplateError(`${rule} cannot be merged into an SPF record`);
    }
  }
  return mergeSpf(existing, rules).value ?? `v=spf1 ${rules.join(" ")} ~all`;
}
