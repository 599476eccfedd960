import type { Tx } from "../../db/engine/transaction.ts";
import { dropCertificate, storeProbed, wantCertificate } from "../../db/queries/certificates.ts";
import { deleteClaim, insertClaim, selectClaimHolder } from "../../db/queries/claims.ts";
import {
  type ConnectionUpdate,
  lockConnection,
  lockHostname,
  updateConnection,
} from "../../db/queries/connections.ts";
import { announceDue } from "../../db/queries/due-connections.ts";
import { insertEvent, insertTimeline } from "../../db/queries/events.ts";
import { type Connection, phaseOf } from "../../domain/connection.ts";
import type { EventType } from "../../domain/event.ts";
import { type Decision, decide, type LifecycleSettings } from "../../domain/lifecycle.ts";
import type { ClaimState, Observation } from "../../domain/observation.ts";
import { isSandboxName } from "../../domain/sandbox.ts";
import type { Runtime } from "../runtime.ts";
import { countCertificate, raisePeak } from "../usage.ts";
import { archiveIn } from "./archive.ts";
import { readClaimState } from "./read.ts";

/**
 * The only writer of a connection's state. Under the hostname's lock it reads the claim, calls the
 * lifecycle's `decide`, and writes row, claim, events, timeline and certificate request in one
 * transaction. Null when the row was leased or written since it was read: the observation is then
 * stale and nothing is written.
 */
export async function applyObservation(
  runtime: Runtime,
  connection: Connection,
  observation: Observation,
): Promise<Connection | null> {
  return runtime.system(async (tx) => {
    await lockHostname(tx, connection.hostname);
    const now = runtime.clock.now();
    const claim = await readClaimState(tx, connection);
    const decision = decide(
      connection,
      observation,
      claim,
      now,
      lifecycleSettings(runtime, connection),
    );
    return writeDecision(runtime, tx, { connection, observation, claim, decision, now });
  });
}

/** A new proof of ownership takes the hostname over from a drifted holder. */
async function archiveHolder(runtime: Runtime, tx: Tx, hostname: string, now: Date): Promise<void> {
  const holder = await selectClaimHolder(tx, hostname);
  const loser = holder ? await lockConnection(tx, holder.connectionId) : null;
  if (loser) await archiveIn(runtime, tx, loser, { now, actor: "takeover", reason: "taken_over" });
}

interface Writing {
  readonly connection: Connection;
  readonly observation: Observation;
  readonly claim: ClaimState;
  readonly decision: Decision;
  readonly now: Date;
}

async function writeDecision(
  runtime: Runtime,
  tx: Tx,
  writing: Writing,
): Promise<Connection | null> {
  const { connection, observation, claim, decision, now } = writing;
  const written = await updateConnection(
    tx,
    connection.id,
    connection.version,
    toUpdate(writing),
    now,
  );
  // Nothing may be written before this line: a stale observation must leave no trace.
  if (!written) return null;
  if (decision.claim === "take") {
    if (claim === "drifted") await archiveHolder(runtime, tx, connection.hostname, now);
    await raisePeak(tx, written, { held: await insertClaim(tx, written, now), now });
  }
  if (decision.claim === "release") {
    await deleteClaim(tx, written);
    await dropCertificate(tx, written);
  }
  if (decision.wantsCertificate) await wantCertificate(tx, written, now);
  if (observation.probe && observation.certificate)
    await storeProbed(tx, written, observation, now);
  if (decision.newCertificate) await countCertificate(tx, written, decision.newCertificate, now);
  for (const [index, type] of decision.events.entries()) {
    const sequence = connection.sequence + 1 + index;
    await insertEvent(tx, written, { type, sequence, at: now, data: eventData(type, writing) });
  }
  await noteChange(tx, writing, written);
  if (decision.nextCheckMs === 0) await announceDue(tx, "connections");
  return written;
}

/** What an event of this type carries beside the connection. */
function eventData(type: EventType, writing: Writing): object {
  const { connection, observation } = writing;
  if (type === "domain.verified") return silentServers(writing);
  if (type !== "ssl.issued") return {};
  const { ca = null, notAfter = null } = observation.certificate ?? {};
  return {
    renewal: connection.certificateId !== null,
    certificate: { ca, not_after: notAfter?.toISOString() ?? null },
  };
}

/** The servers without whose answer ownership was decided. */
function silentServers({ observation }: Writing): { readonly silent_servers?: readonly string[] } {
  const passedOver = observation.silence?.passedOver ?? [];
  return passedOver.length > 0 ? { silent_servers: passedOver } : {};
}

function toUpdate({ connection, observation, decision, now }: Writing): ConnectionUpdate {
  const isNew = decision.state !== connection.state;
  const isNewPhase = phaseOf(decision.state) !== phaseOf(connection.state);
  return {
    state: decision.state,
    setupType: decision.setupType,
    errorCode: decision.errorCode,
    observedRecords: observation.records?.observed ?? connection.observedRecords,
    phaseStartedAt: isNewPhase ? now : connection.phaseStartedAt,
    checks: isNew ? 0 : connection.checks + 1,
    misses: decision.misses,
    firstMissAt: decision.firstMissAt,
    firstLiveAt: connection.firstLiveAt ?? (decision.state === "live" ? now : null),
    lastCheckedAt: now,
    certificateId: decision.newCertificate ?? connection.certificateId,
    sequence: connection.sequence + decision.events.length,
    archivedAt: connection.archivedAt,
    silentServers: observation.silence?.since,
    dueAt: decision.nextCheckMs === null ? null : spread(now, decision),
  };
}

/** ±10 % on the long interval, so that names connected together are not checked together. */
function spread(now: Date, { state, nextCheckMs }: Decision): Date {
  const factor = state === "live" ? 0.9 + Math.random() * 0.2 : 1;
  return new Date(now.getTime() + Math.round((nextCheckMs ?? 0) * factor));
}

async function noteChange(tx: Tx, writing: Writing, after: Connection): Promise<void> {
  const { connection: before, now } = writing;
  const isMove = before.state !== after.state;
  const isNews = before.errorCode !== after.errorCode || before.misses !== after.misses;
  if (!isMove && !isNews) return;
  await insertTimeline(tx, after, {
    kind: isMove ? "state" : "check",
    fromState: isMove ? before.state : null,
    toState: isMove ? after.state : null,
    errorCode: after.errorCode,
    details: { ...(after.misses > 0 ? { misses: after.misses } : {}), ...silentServers(writing) },
    createdAt: now,
  });
}

export function lifecycleSettings(runtime: Runtime, connection: Connection): LifecycleSettings {
  const { config } = runtime;
  return {
    recheckIntervalMs: config.recheckIntervalMs,
    stallAfterMs: config.stallAfterMs,
    giveUpAfterMs: config.giveUpAfterMs,
    isSandbox: isInSandbox(connection),
    hasExternalEdge: hasExternalEdge(runtime, connection),
  };
}

/** Sandbox names are always served by our own edge: no public CA issues for them. */
export function hasExternalEdge(
  { config }: Pick<Runtime, "config">,
  connection: Connection,
): boolean {
  return config.edgeKind === "external" && !isInSandbox(connection);
}

function isInSandbox({ environment, hostname }: Connection): boolean {
  return environment === "test" && isSandboxName(hostname);
}
