import {
  type DnsRecord,
  isAtOrBelow,
  normalizeName,
  parseRecord,
  recordKey,
  recordTypes,
  toAbsolute,
} from "@mooring/dns";
import { z } from "zod";
import { type Issue, invalid } from "../../domain/errors.ts";
import {
  fromSandboxRecord,
  isSandboxName,
  type SandboxRecord,
  sandboxTtlSeconds,
  toSandboxRecord,
} from "../../domain/sandbox/sandbox.ts";

export const zoneRecord = z.strictObject({
  host: z
    .string()
    .min(1)
    .max(500)
    .describe("Absolute, or relative to the zone; `@` is the zone itself, `*` its wildcard"),
  type: z
    .string()
    .toUpperCase()
    .pipe(z.enum(recordTypes))
    .describe(`One of ${recordTypes.join(", ")}`),
  value: z.string().min(1).max(4_096),
  ttl: z.int().min(0).max(2_147_483_647).nullish().describe("Seconds; 60 by default"),
  priority: z.int().min(0).max(65_535).nullish().describe("MX and SRV only"),
});
type ZoneRecordInput = z.infer<typeof zoneRecord>;

/** The records of a PUT in canonical form, without duplicates; `invalid` names every wrong one. */
export function readZoneRecords(zone: string, inputs: readonly ZoneRecordInput[]): DnsRecord[] {
  const issues: Issue[] = [];
  const records = new Map<string, DnsRecord>();
  for (const [index, input] of inputs.entries()) {
    const read = readRecord(zone, input, `records.${index}`);
    if ("message" in read) issues.push(read);
    else records.set(recordKey(read), read);
  }
  const unique = [...records.values()];
  if (issues.length === 0) issues.push(...clashes(zone, unique));
  if (issues.length > 0) throw invalid(issues);
  return unique;
}

function readRecord(zone: string, input: ZoneRecordInput, at: string): DnsRecord | Issue {
  const name = absoluteHost(input.host, zone);
  if (name === null) return { path: `${at}.host`, message: `is outside of the zone ${zone}` };
  const ttl = input.ttl ?? sandboxTtlSeconds;
  const parsed = parseRecord({ ...input, name, ttl });
  if (!parsed.ok) {
    const field = parsed.field === "name" ? "host" : parsed.field;
    return { path: `${at}.${field}`, message: parsed.message };
  }
  if (parsed.record.type === "NS" && parsed.record.name === zone) {
    return { path: at, message: "the zone's own servers are given as nameservers" };
  }
  return parsed.record;
}

/**
 * A trailing dot, or an end in `.test`, makes a host absolute; null when it is then outside the
 * zone.
 */
function absoluteHost(host: string, zone: string): string | null {
  if (host === "@") return zone;
  if (host === "*") return toAbsolute(host, zone);
  const name = normalizeName(host);
  // The parser says what is wrong with it.
  if (name === null) return host;
  if (isAtOrBelow(name, zone)) return name;
  return host.endsWith(".") || isSandboxName(name) ? null : toAbsolute(name, zone);
}

/** RFC 1034 §3.6.2: nothing beside a CNAME; and no other target beside a flattened CNAME. */
function clashes(zone: string, records: readonly DnsRecord[]): Issue[] {
  const byName = Map.groupBy(records, ({ name }) => name);
  return [...byName].flatMap(([name, here]) => {
    const isAlone = here.length === 1;
    const cname = name !== zone && here.find(({ type }) => type === "CNAME");
    if (cname && !isAlone) {
      return [
        { path: "records", message: `${name} has a CNAME, beside which nothing else can be` },
      ];
    }
    const pointing = here.filter(({ type }) => /^(A|AAAA|CNAME|ALIAS)$/.test(type));
    const alias = pointing.find(({ type }) => type === "ALIAS" || type === "CNAME");
    if (!alias || pointing.length === 1) return [];
    const message = `${name} has ${alias.type}, beside which no address or other target can be`;
    return [{ path: "records", message }];
  });
}

/** A record that the zone had before stays visible; a new one is answered from `visibleAt` on. */
export function withVisibility(
  records: readonly DnsRecord[],
  before: readonly SandboxRecord[],
  visibleAt: Date,
): SandboxRecord[] {
  const known = new Map(before.map((record) => [recordKey(fromSandboxRecord(record)), record]));
  return records.map((record) => {
    const since = known.get(recordKey(record))?.visible_at;
    return toSandboxRecord(record, since === undefined ? visibleAt : new Date(since));
  });
}
