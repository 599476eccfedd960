import { randomBytes } from "node:crypto";
import { orElse } from "@mooring/concurrency";
import {
  caaAllows,
  checkAlias,
  checkRecords,
  type DnssecVerdict,
  nothingObserved,
  proveCname,
  proveTxt,
  type RecordProof,
  type RecordsCheck,
  type Resolver,
  type Silence,
  validateHostname,
  withoutCaches,
} from "@mooring/dns";
import { selectAccountUris } from "../../../db/queries/certificates/certificates.ts";
import { selectRival } from "../../../db/queries/connections/contests.ts";
import { selectSilentServers } from "../../../db/queries/connections/silent-servers.ts";
import { caaIssuer, validationMethods } from "../../../domain/certificates/certificate.ts";
import { decidesSwitch, validationAlias } from "../../../domain/certificates/validation.ts";
import {
  type Connection,
  connectionPhase,
  type DesiredRecord,
  holdsClaim,
} from "../../../domain/connections/connection.ts";
import type { FrontSight } from "../../../domain/connections/front.ts";
import {
  behindFront,
  emptyObservation,
  isTraffic,
  type MovingObservation,
  type Observation,
  ownershipVerdict,
  type RecordsObservation,
  recordsVerdict,
  silenceObservation,
} from "../../../domain/connections/observation.ts";
import { ownershipRecord } from "../../../domain/ownership/ownership-challenge.ts";
import {
  decidingProof,
  type OwnershipProof,
  type ProofRecord,
  proofRecords,
} from "../../../domain/ownership/proofs.ts";
import { acceptedNames, isEdgeName } from "../../../domain/ownership/target.ts";
import { fromDesired } from "../../../domain/records/desired-records.ts";
import { neededRecords } from "../../../domain/records/needed-records.ts";
import { withBudget } from "../../budget.ts";
import { forOneCheck } from "../../dns-view.ts";
import type { Runtime } from "../../runtime.ts";
import { currentRecords, resolvesToAnEdge } from "../current-records.ts";
import { observeCutover } from "../cutover/observe-cutover.ts";
import { allowedProofs } from "../needed.ts";
import { acceptsFronts, observeFront } from "./observe-front.ts";

/**
 * A question that DNS has not answered by then counts as `unknown`. Without a limit a check could
 * run forever, and the connection would have neither an error code nor an end of its phase.
 */
const checkBudgetMs = 12_000;

const cutoverBudgetMs = 12_000;

/**
 * What a check gathered: the observation for the lifecycle, and the DNS evidence for the caller.
 */
export interface ConnectionCheck {
  readonly observation: Observation;
  /** The proof that decides, of those that the application allows. */
  readonly proof: OwnershipProof | null;
  readonly records: RecordsCheck | null;
}

/** What a check covers; by default what the connection's state needs. */
export interface CheckScope {
  readonly ownership?: boolean;
  readonly records?: boolean;
}

/** Gathers what the connection's state needs, or what the scope says instead. Writes nothing. */
export async function observe(
  shared: Runtime,
  connection: Connection,
  signal: AbortSignal,
  scope: CheckScope = {},
): Promise<ConnectionCheck> {
  const runtime = { ...shared, dns: forOneCheck(shared.dns) };
  const phase = connectionPhase(connection.state);
  // A holder against whom a contest is open is asked to prove again.
  const isContested = connection.contest !== null && phase !== "ownership";
  const wantsOwnership = isContested || (scope.ownership ?? phase === "ownership");
  const wantsRecords = scope.records ?? (connection.state !== "verified" && phase !== "ownership");
  const [[proof, rival], found, dnssec, caa, certificate, validation] = await withBudget(
    checkBudgetMs,
    signal,
    (inner) =>
      Promise.all([
        wantsOwnership ? proveBoth(runtime, connection, inner) : ([null, null] as const),
        observeRecords(runtime, connection, wantsRecords, inner),
        wantsRecords ? orElse(inner, validate(runtime, connection, inner), null) : null,
        needsCaa(connection)
          ? orElse(inner, freshCaa(runtime, connection, inner), "unknown" as const)
          : null,
        hasCertificate(connection) ? runtime.certificates.load(connection) : null,
        orElse(inner, observeValidation(runtime, connection, inner), null),
      ]),
  );
  const { requested, records, moving } = found;
  const isBogus = dnssec?.outcome === "bogus";
  const cutover = await withBudget(cutoverBudgetMs, signal, (inner) =>
    orElse(inner, observeCutover(runtime, connection, isBogus, inner), null),
  );
  const front = await observeFront(runtime, connection, records, signal);
  // The caller has gone or the process stops: an `unknown` for that reason says nothing about DNS.
  signal.throwIfAborted();
  const mayBeBehind = records === null || (await acceptsFronts(runtime, connection));
  const behind = (verdict: RecordsObservation): RecordsObservation =>
    mayBeBehind ? behindFront(connection, front, verdict) : verdict;
  return {
    proof,
    records,
    observation: {
      ...emptyObservation,
      ownership: proof ? ownershipVerdict(proof) : null,
      rival,
      requested,
      records: records && behind(judge(runtime, connection, records, dnssec, front)),
      moving: moving && followFront(connection, moving, front),
      caa,
      certificate,
      validation,
      cutover,
      front,
      silence: proof ? silenceObservation(proof) : null,
    },
  };
}

/** Null where validation is not delegated, or no server answered. */
async function observeValidation(
  runtime: Runtime,
  connection: Connection,
  signal: AbortSignal,
): Promise<Observation["validation"]> {
  const alias = validationAlias(runtime.config.validationZone, connection);
  if (alias === null || connectionPhase(connection.state) === "ownership") return null;
  const resolver = runtime.dns.resolverFor(connection.environment, connection.hostname);
  const status = await checkAlias(resolver, alias.name, alias.target, signal);
  return status === "unknown" ? null : status;
}

interface CheckedRecords extends Pick<Observation, "requested" | "moving"> {
  readonly records: RecordsCheck | null;
}

/** The requested records in DNS, and while others are pending these too. */
async function observeRecords(
  runtime: Runtime,
  connection: Connection,
  isRequested: boolean,
  signal: AbortSignal,
): Promise<CheckedRecords> {
  const requested = await orElse(signal, currentRecords(runtime, connection, signal), null);
  if (!isRequested) return { requested, records: null, moving: null };
  const check = (records: readonly DesiredRecord[]) =>
    orElse(signal, checkAgainst(runtime, connection, records, signal), unansweredRecords(records));
  const pending = requested?.pending ?? null;
  const [records, replacing] = await Promise.all([
    check(requested?.desired ?? connection.desiredRecords),
    pending === null ? null : check(pending),
  ]);
  if (replacing === null) return { requested, records, moving: null };
  const checks = [...records.records, ...replacing.records];
  const leading = resolvesToAnEdge(runtime, connection, checks, signal);
  return {
    requested,
    records,
    moving: {
      records: recordsVerdict(replacing, runtime.clock.now()),
      resolvesToEdge: await orElse(signal, leading, null),
    },
  };
}

/**
 * The connection's own proof, and that of the holder of the hostname: where the own one is there,
 * or was when the contest began.
 */
async function proveBoth(
  runtime: Runtime,
  connection: Connection,
  signal: AbortSignal,
): Promise<readonly [OwnershipProof, Observation["rival"]]> {
  const proveOwn = proveOwnership(runtime, connection, signal, knownSilence(runtime, connection));
  const proof = await orElse(signal, proveOwn, unansweredProof(connection));
  const isContending = proof.outcome === "match" || connection.contest !== null;
  if (holdsClaim(connection.state) || !isContending) return [proof, null];
  const rival = await runtime.system((tx) => selectRival(tx, connection));
  if (rival === null) return [proof, null];
  const { environment } = connection;
  const proveRival = proveOwnership(runtime, { ...rival, environment }, signal);
  const { outcome } = await orElse(signal, proveRival, unansweredProof(rival));
  const isRestored =
    rival.state === "drifted" && outcome === "match" && (await hasRecords(runtime, rival, signal));
  return [proof, { holderId: rival.id, outcome, isRestored }];
}

async function hasRecords(
  runtime: Runtime,
  connection: Connection,
  signal: AbortSignal,
): Promise<boolean> {
  const { desiredRecords } = connection;
  const check = checkAgainst(runtime, connection, desiredRecords, signal);
  const records = await orElse(signal, check, unansweredRecords(desiredRecords));
  return judge(runtime, connection, records, null).outcome === "match";
}

/** Where requests arrive through a CDN, the records that it hides decide nothing. */
function judge(
  { clock }: Pick<Runtime, "clock">,
  connection: Connection,
  records: RecordsCheck,
  dnssec: DnssecVerdict | null,
  front: FrontSight | null = null,
): RecordsObservation {
  const isHidden = (record: { readonly name: string; readonly type: string }): boolean =>
    isReached(front) && isTraffic(connection.hostname, record);
  const verdict = recordsVerdict(
    records,
    clock.now(),
    dnssec,
    (record) => decidesSwitch(connection, record) && !isHidden(record),
  );
  const observed = verdict.observed.map((seen) =>
    isHidden({ name: seen.host, type: seen.type }) ? { ...seen, propagated: true } : seen,
  );
  return { ...verdict, observed };
}

function isReached(front: FrontSight | null): boolean {
  return front?.is === "present" && front.outcome === "ours";
}

/** The customer's record is behind the CDN: that requests arrive is all that can be seen of it. */
function followFront(
  { hostname }: Connection,
  moving: MovingObservation,
  front: FrontSight | null,
): MovingObservation {
  const { records } = moving;
  if (!isReached(front) || records.outcome !== "wrong") return moving;
  const isOther = records.observed.some(
    ({ host: name, type, propagated }) => !propagated && !isTraffic(hostname, { name, type }),
  );
  if (isOther) return { ...moving, resolvesToEdge: true };
  const right = { ...records, outcome: "match", error: null, cachedUntil: null } as const;
  return { records: right, resolvesToEdge: true };
}

const unanswered = {
  outcome: "unknown",
  observed: [],
  servers: [],
  reason: "dns_timeout",
} as const satisfies RecordProof;

function unansweredProof(connection: Connection): OwnershipProof {
  return { ...unanswered, method: "txt", record: ownershipRecord(connection) };
}

function unansweredRecords(records: readonly DesiredRecord[]): RecordsCheck {
  const unknown = { outcome: "unknown", ...nothingObserved } as const;
  return {
    records: records.map((record) => ({
      record: fromDesired(record),
      ...unknown,
    })),
    visibleEverywhereBy: null,
  };
}

type ProofRuntime = Pick<Runtime, "dns" | "config"> & Partial<Pick<Runtime, "applications">>;

/** Checks every record that can prove the connection; any of them does. */
export async function proveOwnership(
  runtime: ProofRuntime,
  connection: Connection,
  signal: AbortSignal,
  silence?: Silence,
): Promise<OwnershipProof> {
  const { config } = runtime;
  const allowed = await allowedProofs(runtime, connection);
  const resolver = runtime.dns.resolverFor(connection.environment, connection.hostname);
  const found = await Promise.all(
    proofRecords(connection, allowed, config).map((one) =>
      checkProof(resolver, one, signal, silence),
    ),
  );
  const { proof: leading } = neededRecords(connection, allowed, config);
  return decidingProof(found, leading) ?? { ...unansweredProof(connection), outcome: "absent" };
}

async function checkProof(
  resolver: Resolver,
  { method, record }: ProofRecord,
  signal: AbortSignal,
  silence: Silence | undefined,
): Promise<OwnershipProof> {
  const { name, value } = record;
  // Like the label that it stands beside: what a server makes of the one it makes of the other.
  const prefix = name.startsWith("_") ? "_" : "r";
  const randomLabel = `${prefix}${randomBytes(9).toString("hex")}`;
  const expected = { name, value, randomLabel, signal, ...(silence ? { silence } : {}) };
  const prove = method === "txt" ? proveTxt : proveCname;
  return { ...(await prove(resolver, expected)), method, record };
}

function knownSilence(runtime: Runtime, { id }: Connection): Silence {
  return {
    now: runtime.clock.now(),
    since: () => runtime.system((tx) => selectSilentServers(tx, id)),
  };
}

/** Compares records of the connection with DNS. */
export function checkAgainst(
  runtime: Pick<Runtime, "dns" | "config" | "clock">,
  connection: Connection,
  records: readonly DesiredRecord[],
  signal: AbortSignal,
): Promise<RecordsCheck> {
  const { edgeIpv4, edgeIpv6 } = runtime.config;
  return checkRecords(
    runtime.dns.resolverFor(connection.environment, connection.hostname),
    records.map(fromDesired),
    {
      edgeAddresses: [...edgeIpv4, ...edgeIpv6],
      ...edgeNamesFor(runtime.config, connection),
      now: runtime.clock.now(),
      signal,
    },
  );
}

/** A connection with a target is right with the shared name and the edge's addresses, too. */
export function edgeNamesFor(
  { edgeCname }: Pick<Runtime["config"], "edgeCname">,
  connection: Connection,
): { readonly edgeNames?: readonly string[] } {
  if (connection.targetLabel === null) return {};
  return { edgeNames: acceptedNames(edgeCname, connection) };
}

function validate(
  runtime: Pick<Runtime, "dns">,
  { environment, hostname }: Connection,
  signal: AbortSignal,
): Promise<DnssecVerdict> {
  return validateHostname(runtime.dns.resolverFor(environment, hostname), hostname, signal);
}

/**
 * Read while a certificate is awaited or may have been ordered by a handshake, and for its
 * renewals.
 */
function hasCertificate({ state }: Connection): boolean {
  return needsCaa({ state }) || state === "drifted";
}

/** Checked before a certificate is ordered, and while it is served: a renewal needs it too. */
function needsCaa({ state }: Pick<Connection, "state">): boolean {
  return ["propagating", "stalled", "issuing_cert", "live"].includes(state);
}

function freshCaa(runtime: Runtime, connection: Connection, signal: AbortSignal) {
  const resolver = runtime.dns.resolverFor(connection.environment, connection.hostname);
  return checkCaa(runtime, connection, resolver, signal);
}

/** Whether CAA allows our certificates, as the servers that own the names answer. */
export async function checkCaa(
  runtime: Runtime,
  connection: Connection,
  resolver: Resolver,
  signal: AbortSignal,
): Promise<"allowed" | "forbidden" | "unknown"> {
  const accountUris = (directories: readonly string[]) =>
    runtime.system((tx) => selectAccountUris(tx, directories));
  const verdict = await caaAllows(
    withoutCaches(resolver, (name) => isEdgeName(runtime.config.edgeCname, name)),
    connection.hostname,
    caaIssuer(
      runtime.config.acmeDirectoryUrls,
      accountUris,
      validationMethods(connection, runtime.config.validationPersist),
    ),
    signal,
  );
  return verdict.outcome;
}
