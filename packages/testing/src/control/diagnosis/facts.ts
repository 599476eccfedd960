import {
  type AnswerRecord,
  type DnsRecord,
  type FailureReason,
  nothingObserved,
  type QueryType,
  type RecordCheck,
  type RecordOutcome,
  type Reply,
  type ServerCheck,
  type ServerProof,
  type TxtProof,
} from "@mooring/dns";
import type {
  Connection,
  DesiredRecord,
} from "../../../../control/src/domain/connections/connection.ts";
import type { Front } from "../../../../control/src/domain/connections/front.ts";
import type { DiagnosisFacts, DnsFacts } from "../../../../control/src/domain/diagnosis/facts.ts";
import type { Finding } from "../../../../control/src/domain/diagnosis/finding.ts";
import { ownershipRecord } from "../../../../control/src/domain/ownership/ownership-challenge.ts";
import { proofMethods } from "../../../../control/src/domain/ownership/proof-methods.ts";
import type { OwnershipProof } from "../../../../control/src/domain/ownership/proofs.ts";
import { testConnection } from "../connection.ts";

/** Facts, and the finding that a rule must make of them. */
export interface Case {
  readonly facts: DiagnosisFacts;
  readonly severity: Finding["severity"];
  readonly actor: Finding["actor"];
  readonly title: string;
  readonly evidence: readonly string[];
  readonly fix: RegExp;
}

export const now = new Date("2026-11-15T12:00:00.000Z");
export const later = (ms: number): Date => new Date(now.getTime() + ms);
export const hostname = "shop.acme.example";
export const challengeAt = "_service-challenge.shop.acme.example";
export const token = "service-verify=Zm9yIHRlc3RzIG9ubHksIG5vdCBhIHNlY3JldCBhdCBhbGw";
export const edgeName = "edge.mooring.example";
export const ada = "ada.ns.cloudflare.com";
export const bob = "bob.ns.cloudflare.com";

export function record(type: DnsRecord["type"], value: string, name: string = hostname): DnsRecord {
  return { name, type, value, ttl: 300, priority: null };
}

export function desired(type: string, value: string, host: string = hostname): DesiredRecord {
  return { host, type, value, ttl: 300, priority: null };
}

export const toEdge = record("CNAME", edgeName);

type Said = readonly string[] | FailureReason;

/** A desired record with each server's answer; the first outcome is the summary. */
export function check(
  requested: DnsRecord,
  outcome: RecordOutcome,
  said: Readonly<Record<string, Said | { outcome: RecordOutcome; values: readonly string[] }>>,
): RecordCheck {
  const servers = Object.entries(said).map(([server, one]): ServerCheck => {
    if (typeof one === "string") return { server, outcome: "unknown", values: [], reason: one };
    return "outcome" in one ? { server, ...one } : { server, outcome, values: one };
  });
  const observedValues = [...new Set(servers.flatMap(({ values }) => values))];
  return { record: requested, outcome, ...nothingObserved, observedValues, servers };
}

export function wrong(requested: DnsRecord, ...values: readonly string[]): RecordCheck {
  return check(requested, "mismatch", { [ada]: values, [bob]: values });
}

export function absent(requested: DnsRecord): RecordCheck {
  return check(requested, "absent", { [ada]: [], [bob]: [] });
}

export function beside(requested: DnsRecord, ...values: readonly string[]): RecordCheck {
  return check(requested, "conflict", { [ada]: values, [bob]: values });
}

export function right(requested: DnsRecord): RecordCheck {
  return check(requested, "match", { [ada]: [requested.value], [bob]: [requested.value] });
}

export function withRecords(...records: readonly RecordCheck[]): Pick<DnsFacts, "records"> {
  return { records: { records, visibleEverywhereBy: now } };
}

export function answer(type: QueryType, ...values: readonly string[]): Reply {
  const records = values.map(
    (value): AnswerRecord => ({ name: "acme.example", type, value, ttl: 600, priority: null }),
  );
  return { outcome: "records", records, chain: [], authoritative: true, transport: "udp" };
}

export function failure(reason: FailureReason): Reply {
  return { outcome: "failed", reason };
}

export function absentReply(negativeTtlSeconds: number | null = null): Reply {
  const absence = {
    outcome: "absent",
    rcode: "NXDOMAIN",
    chain: [],
    authoritative: false,
  } as const;
  return { ...absence, negativeTtlSeconds };
}

export function proof(
  outcome: TxtProof["outcome"],
  values: Readonly<Record<string, readonly string[]>>,
  extra: Pick<TxtProof, "reason"> & { readonly server?: ServerProof["reason"] } = {},
): OwnershipProof {
  const { server: why, ...because } = extra;
  const servers = Object.entries(values).map(([server, found]): ServerProof => {
    const answer = found.includes(token) ? "match" : found.length > 0 ? "mismatch" : "absent";
    const isKnown = outcome !== "unknown";
    const reason = why === undefined ? {} : { reason: why };
    return { server, outcome: isKnown ? answer : "unknown", values: found, ...reason };
  });
  const observed = [...new Set(Object.values(values).flat())];
  const record = ownershipRecord({ hostname, challenge: token });
  return { outcome, observed, servers, ...because, method: "txt", record };
}

export function makeProof(...values: readonly string[]): OwnershipProof {
  return proof(values.length > 0 ? "mismatch" : "absent", { [ada]: values, [bob]: values });
}

const servers = [ada, bob].map((host) => ({ host, addresses: ["192.0.2.53"] }));

const healthyDns: DnsFacts = {
  zone: { outcome: "found", zone: "acme.example", servers },
  servers: servers.map(({ host }) => ({ host, reply: answer("NS", ada, bob) })),
  dnssec: { status: "unsigned", fault: null, ds: [], keys: [] },
  proof: null,
  otherProofs: [],
  strayProofs: [],
  ...withRecords(right(toEdge)),
  pending: null,
  strayRecords: [],
  aliasLoops: [],
  names: [{ name: hostname, records: [toEdge], fromWildcard: false, complete: true }],
  conflicts: [],
  caches: [],
  caa: { outcome: "allowed", records: [], name: null, methods: null },
  twin: null,
  unfinished: [],
};

interface Bend extends Partial<Omit<DiagnosisFacts, "connection" | "dns">> {
  readonly connection?: Partial<Connection>;
  readonly dns?: Partial<DnsFacts>;
}

/** A live connection at Cloudflare without problems, with the changes of a test. */
export function healthy({ connection, dns, ...rest }: Bend = {}): DiagnosisFacts {
  return {
    connection: testConnection({
      state: "live",
      provider: "cloudflare",
      challenge: token,
      desiredRecords: [desired("CNAME", edgeName)],
      phaseStartedAt: now,
      firstLiveAt: now,
      ...connection,
    }),
    now,
    application: {
      originUrl: "https://app.example",
      recordTemplate: [],
      proofs: proofMethods,
      proxied: "accept",
    },
    fault: null,
    certificate: {
      status: "issued",
      notAfter: later(30 * 86_400_000),
      errorCode: null,
      nextAttemptAt: null,
    },
    cachedUntil: null,
    renewal: null,
    originRefusal: null,
    troubles: [],
    failingCredentials: [],
    foreignCertificates: [],
    claim: "own",
    mayContestAt: null,
    contestAfterMs: 72 * 3_600_000,
    lastWrite: null,
    consent: null,
    issuers: ["letsencrypt.org"],
    edge: {
      cname: edgeName,
      configured: ["192.0.2.10", "2001:db8::10"],
      addresses: new Set(["192.0.2.10", "2001:db8::10"]),
      validationZone: "v.mooring.example",
    },
    dns: { ...healthyDns, ...dns },
    email: null,
    ...rest,
  };
}

/** What a check saw of a CDN in front of the name, through which requests arrive. */
export const cloudflareFront: Front = {
  by: "cloudflare",
  since: now.toISOString(),
  seen: "ours",
  status: null,
  tls: "full",
  challenge: "passed",
  is_cached: false,
  misses: 0,
  workers: [],
};

/** The same before ownership is proven, with nothing in DNS yet. */
export function pending({ connection, dns, ...rest }: Bend = {}): DiagnosisFacts {
  return healthy({
    connection: { state: "pending_ownership", firstLiveAt: null, ...connection },
    dns: { proof: makeProof(), ...dns },
    certificate: null,
    claim: "free",
    ...rest,
  });
}

/** The same after ownership is proven, while the records are awaited. */
export function propagating({ connection, dns, ...rest }: Bend = {}): DiagnosisFacts {
  return healthy({
    connection: { state: "propagating", firstLiveAt: null, ...connection },
    ...(dns ? { dns } : {}),
    certificate: null,
    ...rest,
  });
}
