import type { AnswerRecord, QueryType, Reply } from "@mooring/dns";
import {
  isDrifted,
  isMagic,
  type Node,
  nameserverAddress,
  nodeAt,
  type SandboxRecord,
  type SandboxZone,
  sandboxHome,
  sandboxNameservers,
  sandboxTtlSeconds,
  toSandboxRecord,
} from "../../domain/sandbox/sandbox.ts";

/** What is known at one owner name, before any CNAME is followed. */
export type Step =
  | { readonly kind: "records"; readonly records: readonly AnswerRecord[] }
  | { readonly kind: "cname"; readonly target: string }
  | {
      readonly kind: "absent";
      readonly rcode: "NXDOMAIN" | "NOERROR";
      readonly negativeTtlSeconds: number | null;
    }
  /** The reply of another resolver, which ends the chain. */
  | { readonly kind: "reply"; readonly reply: Reply };

/** What the zone has at one name. */
export async function zoneStep(
  zone: ReadZone,
  name: string,
  type: QueryType,
  flatten: (target: string) => Promise<Reply>,
): Promise<Step> {
  const node = await zone.nodeAt(name);
  if (!node.exists) return absent("NXDOMAIN");
  const followed = node.records.find((record) => isFlattened(record, zone.zone));
  const plain = node.records.filter((record) => record !== followed);
  const records = [...plain.map(toAnswer), ...apexRecords(zone, name)].filter(
    (record) => record.type === type,
  );
  if (records.length > 0) return { kind: "records", records: unique(records) };
  if (followed && (type === "A" || type === "AAAA")) {
    return flattened(await flatten(followed.value), followed);
  }
  const cname = plain.find((record) => record.type === "CNAME");
  return cname ? { kind: "cname", target: cname.value } : absent("NOERROR");
}

/** RFC 2308 §5: the SOA's own TTL and its minimum field both have this value. */
function absent(rcode: "NXDOMAIN" | "NOERROR"): Step {
  return { kind: "absent", rcode, negativeTtlSeconds: sandboxTtlSeconds };
}

/** DNS forbids a CNAME at an apex (RFC 1912 §2.4); a provider that accepts one flattens it. */
function isFlattened(record: SandboxRecord, zone: string): boolean {
  return record.type === "ALIAS" || (record.type === "CNAME" && record.host === zone);
}

/**
 * The target's addresses, answered as the alias's own; when the target fails, so does the reply.
 */
function flattened(reply: Reply, alias: SandboxRecord): Step {
  if (reply.outcome === "failed") {
    return { kind: "reply", reply: { outcome: "failed", reason: "servfail" } };
  }
  if (reply.outcome === "absent") return absent("NOERROR");
  const records = reply.records.map((record) => ({
    ...record,
    name: alias.host,
    ttl: Math.min(record.ttl, alias.ttl),
  }));
  return { kind: "records", records };
}

const answerTypes: readonly string[] = ["A", "AAAA", "CNAME", "TXT", "MX", "CAA", "NS", "SRV"];

function isAnswerType(type: string): type is QueryType {
  return answerTypes.includes(type);
}

function toAnswer({ host, type, value, ttl, priority }: SandboxRecord): AnswerRecord {
  if (!isAnswerType(type)) throw new Error(`a sandbox zone answers no ${type} records`);
  return { name: host, type, value, ttl, priority };
}

/** The NS and SOA records at a zone's apex. They are generated, never stored. */
function apexRecords(zone: ReadZone, name: string): readonly AnswerRecord[] {
  if (name !== zone.zone) return [];
  const common = { name, ttl: sandboxTtlSeconds, priority: null };
  const [primary = name] = zone.nameservers;
  const times = `${zone.serial} 3600 600 604800 ${sandboxTtlSeconds}`;
  return [
    ...zone.nameservers.map((value) => ({ ...common, type: "NS" as const, value })),
    { ...common, type: "SOA", value: `${primary} hostmaster.${name} ${times}` },
  ];
}

function unique(records: readonly AnswerRecord[]): readonly AnswerRecord[] {
  return [
    ...new Map(records.map((record) => [`${record.priority} ${record.value}`, record])).values(),
  ];
}

/** A zone's content at one time. */
export interface ReadZone {
  readonly zone: string;
  readonly nameservers: readonly string[];
  readonly serial: number;
  nodeAt(name: string): Promise<Node>;
}

interface Needs {
  readonly loadZone: (zone: string) => Promise<SandboxZone | null>;
  readonly liveSince: (hostname: string) => Promise<Date | null>;
  readonly now: () => Date;
}

export function createZoneReader(
  needs: Needs,
): (zone: string, signal: AbortSignal) => Promise<ReadZone> {
  return async (zone, signal) => {
    const loaded = zone === sandboxHome ? home : await needs.loadZone(zone);
    signal.throwIfAborted();
    const { records, nameservers, updatedAt } = loaded ?? empty;
    return {
      zone,
      nameservers,
      serial: Math.max(1, Math.floor(updatedAt.getTime() / 1_000)),
      async nodeAt(name) {
        const now = needs.now();
        const liveSince = isMagic(name, "drift") ? await needs.liveSince(name) : null;
        signal.throwIfAborted();
        return nodeAt({ zone, records }, name, {
          now,
          isDrifted: isDrifted(liveSince, updatedAt, now),
        });
      },
    };
  };
}

const never = new Date(0);
const empty = { nameservers: sandboxNameservers, records: [], updatedAt: never };

/** The zone of the sandbox's name servers, with their addresses. */
const home: Omit<SandboxZone, "tenantId"> = {
  ...empty,
  zone: sandboxHome,
  records: sandboxNameservers.map((name, index) =>
    toSandboxRecord(
      { name, type: "A", value: nameserverAddress(index), ttl: 3_600, priority: null },
      never,
    ),
  ),
};
