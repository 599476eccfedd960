import type { Tx } from "../../db/engine/transaction.ts";
import { selectApplication } from "../../db/queries/applications/applications.ts";
import { selectClaimHolder } from "../../db/queries/connections/claims.ts";
import {
  countContestsAgainst,
  endContestsAgainst,
  endOwnContest,
  insertContest,
  moveDeadline,
  selectLastLoss,
  selectOwnContest,
  selectRestoredAt,
  showContests,
  sweepContests,
} from "../../db/queries/connections/contests.ts";
import { insertTimeline } from "../../db/queries/connections/timeline.ts";
import { insertEvent } from "../../db/queries/webhooks/events.ts";
import {
  type Connection,
  type Contest,
  contestSnapshot,
} from "../../domain/connections/connection.ts";
import {
  type ContestFacts,
  type ContestMove,
  type LossReason,
  noContestFacts,
} from "../../domain/connections/contest.ts";
import type { ClaimState } from "../../domain/connections/observation.ts";
import { ownershipChallenge } from "../../domain/ownership/ownership-challenge.ts";
import { proofMethods } from "../../domain/ownership/proof-methods.ts";
import { type ProofZones, proofRecords } from "../../domain/ownership/proofs.ts";
import { toDesired } from "../../domain/records/desired-records.ts";
import type { EventType } from "../../domain/webhooks/event.ts";
import type { Runtime } from "../runtime.ts";

/**
 * Call it under the hostname's lock. Nothing is read of a connection that no contest can concern.
 */
export async function readContestFacts(
  tx: Tx,
  connection: Connection,
  claim: ClaimState,
  restMs: number,
): Promise<ContestFacts> {
  if (claim === "own" || (claim === "free" && connection.contest === null)) return noContestFacts;
  const holder = await selectClaimHolder(tx, connection.hostname);
  const lostAt = await selectLastLoss(tx, connection);
  return {
    own: await selectOwnContest(tx, connection.id),
    holderId: holder?.connectionId ?? null,
    mayBeginAt: lostAt && new Date(lostAt.getTime() + restMs),
    restoredAt: holder && (await selectRestoredAt(tx, holder.connectionId, connection)),
  };
}

/**
 * Carries a move out, in the transaction of the check that made it: the contest, and what the other
 * side sees of it. `connection` is as it is after the check.
 */
export async function writeContestMove(
  { config }: Pick<Runtime, "config">,
  tx: Tx,
  connection: Connection,
  { holderId }: ContestFacts,
  move: ContestMove,
  now: Date,
): Promise<void> {
  switch (move.is) {
    case "none":
    case "restored":
      return;
    case "begin":
      if (holderId === null) throw new Error("a contest against nobody");
      return beginContest(config, tx, { prover: connection, holderId, contest: move.contest }, now);
    case "postpone": {
      const against = await moveDeadline(tx, connection.id, move.contest.deadline);
      if (against) await showContests(tx, against, now, { hasEvent: false });
      return;
    }
    case "lost":
      return loseContest(tx, connection, move.reason, now);
    case "void":
    case "taken_over":
    case "passed": {
      await note(tx, connection, { contest: move.is }, now);
      const outcome = move.is === "void" ? "void" : "prover";
      const against = await endOwnContest(tx, connection.id, outcome, now);
      if (against) await showContests(tx, against, now, { hasEvent: false });
      return;
    }
    case "won":
      return endAgainst(tx, connection, "holder", now);
  }
}

/** The holder is asked once, however many prove: the earliest deadline counts. */
async function beginContest(
  zones: ProofZones,
  tx: Tx,
  begun: { readonly prover: Connection; readonly holderId: string; readonly contest: Contest },
  now: Date,
): Promise<void> {
  const { prover, holderId, contest } = begun;
  const isFirst = (await countContestsAgainst(tx, holderId)) === 0;
  await insertContest(tx, prover, holderId, contest);
  await note(tx, prover, { contest: "begun", ...contestSnapshot(contest) }, now);
  const holder = await showContests(tx, holderId, now, { hasEvent: isFirst });
  if (!isFirst || holder === null) return;
  const application = await selectApplication(tx, holder.applicationId);
  const proofs = proofRecords(holder, application?.proofs ?? proofMethods, zones);
  await notifyHolder(tx, holder, "domain.contested", now, {
    contest: contestSnapshot(contest),
    ownership_challenge: ownershipChallenge(holder),
    proof_records: proofs.map(({ method, record }) => ({ method, ...toDesired(record) })),
  });
}

/** The prover's contest ends for the holder, which gets an event when no other is open. */
async function loseContest(
  tx: Tx,
  prover: Connection,
  reason: LossReason,
  now: Date,
): Promise<void> {
  const own = await selectOwnContest(tx, prover.id);
  if (own === null) return;
  if (reason === "proven") {
    await endAgainst(tx, { id: own.holderId }, "holder", now);
    return notifyWon(tx, own.holderId, own, reason, now);
  }
  await note(tx, prover, { contest: "lost", reason }, now);
  await endOwnContest(tx, prover.id, "holder", now);
  if ((await countContestsAgainst(tx, own.holderId)) === 0) {
    return notifyWon(tx, own.holderId, own, reason, now);
  }
  await showContests(tx, own.holderId, now, { hasEvent: false });
}

async function notifyWon(
  tx: Tx,
  holderId: string,
  contest: Contest,
  reason: LossReason,
  now: Date,
): Promise<void> {
  const holder = await showContests(tx, holderId, now, { hasEvent: true });
  if (holder === null) return;
  await notifyHolder(tx, holder, "domain.contest_won", now, {
    contest: contestSnapshot(contest),
    reason,
  });
}

async function notifyHolder(
  tx: Tx,
  holder: Connection,
  type: EventType,
  now: Date,
  data: object,
): Promise<void> {
  await insertEvent(tx, holder, { type, sequence: holder.sequence, at: now, data });
  await note(tx, holder, { contest: type.slice(type.indexOf(".") + 1), ...data }, now);
}

/**
 * A connection that ends takes no further part: its own contest is given up, those against it are
 * void.
 */
export async function endContests(tx: Tx, connection: Connection, now: Date): Promise<void> {
  if (connection.contest === null) return;
  await loseContest(tx, connection, "withdrawn", now);
  await endAgainst(tx, connection, "void", now);
}

async function endAgainst(
  tx: Tx,
  holder: Pick<Connection, "id">,
  outcome: "holder" | "void",
  now: Date,
): Promise<void> {
  for (const prover of await endContestsAgainst(tx, holder.id, outcome, now)) {
    await note(tx, prover, { contest: outcome === "void" ? "void" : "lost" }, now);
  }
}

const retentionMs = 30 * 86_400_000;
const sweepBatch = 1_000;

/** Deletes contests that ended 30 days ago: long after they have any effect. */
export async function sweepEndedContests(runtime: Runtime): Promise<void> {
  const before = new Date(runtime.clock.now().getTime() - retentionMs);
  while ((await runtime.system((tx) => sweepContests(tx, before, sweepBatch))) === sweepBatch);
}

function note(tx: Tx, connection: Connection, details: object, createdAt: Date): Promise<void> {
  return insertTimeline(tx, connection, {
    kind: "check",
    fromState: null,
    toState: null,
    errorCode: connection.errorCode,
    details,
    createdAt,
  });
}
