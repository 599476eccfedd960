import { type CadenceSettings, confirmMs } from "../backoff.ts";
import { type Connection, type Contest, holdsClaim } from "./connection.ts";
import type { ClaimState, Observation } from "./observation.ts";

/** Read under the hostname's lock. */
export interface ContestFacts {
  /** The open contest in which the connection is the prover. */
  readonly own: (Contest & { readonly holderId: string }) | null;
  /** Who holds the hostname now. */
  readonly holderId: string | null;
  /** The holder has proven against this tenant: until then no contest begins. */
  readonly mayBeginAt: Date | null;
  /** The holder had drifted when the connection was made; when its records were right again. */
  readonly restoredAt: Date | null;
}

export const noContestFacts: ContestFacts = {
  own: null,
  holderId: null,
  mayBeginAt: null,
  restoredAt: null,
};

export interface ContestSettings extends CadenceSettings {
  readonly contestAfterMs: number;
  /** How long a tenant whose contest the holder has won must wait before the next. */
  readonly contestRestMs: number;
}

export const contestRestMs = 7 * 86_400_000;

/**
 * For so long a holder that had drifted gives way to a connection that was made meanwhile: a new
 * owner's own records make the old holder's right again.
 */
export const takeoverWindowMs = 86_400_000;

/**
 * What a check does to a contest. `lost`: the holder stays, because its own record was seen or the
 * prover's is gone. `void`: the holder no longer has the name. `won`: the connection itself is the
 * holder, and its record was seen. `taken_over`: the holder had drifted, and gives way without a
 * contest. `restored`: the holder has drifted, but has its record and the others too: it stays.
 */
export type ContestMove =
  | { readonly is: "none" }
  | { readonly is: "begin" | "postpone"; readonly contest: Contest }
  | { readonly is: "lost"; readonly reason: LossReason }
  | { readonly is: "void" | "passed" | "won" | "taken_over" | "restored" };

export type LossReason = "proven" | "withdrawn";

/** The move, and what it means for the connection's own checks. */
export interface ContestStep {
  readonly move: ContestMove;
  /** The connection's contest after the check; undefined: unchanged. */
  readonly contest?: Contest | null;
  readonly misses?: number;
  readonly firstMissAt?: Date | null;
  readonly nextCheckMs?: number;
  /** The next check is not later than this. */
  readonly latestCheckMs?: number;
}

/** Checks of a contest are minutes apart: a longer gap may be a clock that has jumped. */
const longestGapMs = 15 * 60_000;

const nothing: ContestStep = { move: { is: "none" } };

/**
 * The only place that knows the rules of a contest. The holder's own record decides for the holder
 * at any time; at the deadline the prover's decides for the prover. What could not be observed
 * moves the deadline by the time since the last check, and decides nothing.
 */
export function contestStep(
  connection: Connection,
  observation: Observation,
  claim: ClaimState,
  facts: ContestFacts,
  now: Date,
  settings: ContestSettings,
): ContestStep {
  if (holdsClaim(connection.state)) return asHolder(connection, observation);
  const { own, holderId } = facts;
  if (claim === "drifted" && isRestored(observation, holderId)) return { move: { is: "restored" } };
  if (own !== null && (claim !== "held" || own.holderId !== holderId)) {
    return { move: { is: "void" }, contest: null };
  }
  if (claim !== "held" || observation.ownership === null) return nothing;
  const rival = rivalOutcome(observation, holderId);
  if (givesWay(observation, rival, facts, now))
    return { move: { is: "taken_over" }, contest: null };
  if (own === null) return begin(observation, rival, facts, now, settings);
  return continued(connection, own, { proof: observation.ownership.outcome, rival }, now, settings);
}

/**
 * A holder that loses the name is like one that has drifted; one that is about to be live again is
 * not.
 */
export function claimAfter({ move }: ContestStep, claim: ClaimState): ClaimState {
  if (move.is === "passed" || move.is === "taken_over") return "drifted";
  return move.is === "restored" ? "held" : claim;
}

type ProofOutcome = NonNullable<Observation["ownership"]>["outcome"];

/** The record of the present holder; one that was not asked for is unknown. */
function rivalOutcome({ rival }: Observation, holderId: string | null): ProofOutcome {
  return rival !== null && rival.holderId === holderId ? rival.outcome : "unknown";
}

/** Its next check would find it live: that it was not the first to be checked decides nothing. */
function isRestored({ rival }: Observation, holderId: string | null): boolean {
  return rival !== null && rival.holderId === holderId && rival.isRestored;
}

/** The connection was made while the holder had drifted, has the proof, and the holder has none. */
function givesWay(
  { ownership }: Observation,
  rival: ProofOutcome,
  { restoredAt }: ContestFacts,
  now: Date,
): boolean {
  if (ownership?.outcome !== "match" || ownership.isByDns === true) return false;
  if (rival !== "absent" && rival !== "mismatch") return false;
  return restoredAt !== null && now.getTime() - restoredAt.getTime() <= takeoverWindowMs;
}

function asHolder({ contest }: Connection, { ownership }: Observation): ContestStep {
  if (contest === null || ownership?.outcome !== "match") return nothing;
  return { move: { is: "won" }, contest: null };
}

/** With both records present the holder stays, and is not asked for anything. */
function begin(
  { ownership }: Observation,
  rival: ProofOutcome,
  { mayBeginAt }: ContestFacts,
  now: Date,
  settings: ContestSettings,
): ContestStep {
  const isAgainstNobody = rival !== "absent" && rival !== "mismatch";
  if (ownership?.outcome !== "match" || isAgainstNobody) return nothing;
  if (mayBeginAt !== null && now < mayBeginAt) return nothing;
  const contest = { since: now, deadline: new Date(now.getTime() + settings.contestAfterMs) };
  return { move: { is: "begin", contest }, contest, latestCheckMs: untilDeadline(contest, now) };
}

function continued(
  connection: Connection,
  own: Contest,
  seen: { readonly proof: ProofOutcome; readonly rival: ProofOutcome },
  now: Date,
  settings: ContestSettings,
): ContestStep {
  const contest = { since: own.since, deadline: own.deadline };
  const { proof, rival } = seen;
  if (rival === "match") return { move: { is: "lost", reason: "proven" }, contest: null };
  const isUnclear = [proof, rival].some((one) => one === "unknown" || one === "partial");
  if (isUnclear) return postponed(connection, contest, now);
  if (proof !== "match") return missed(connection, contest, now, settings);
  const leftMs = contest.deadline.getTime() - now.getTime();
  if (leftMs > 0) return { ...nothing, contest, latestCheckMs: untilDeadline(contest, now) };
  if (gapMs(connection, contest, now) > longestGapMs) {
    return { ...nothing, contest, nextCheckMs: confirmMs(settings) };
  }
  return { move: { is: "passed" }, contest: null };
}

function gapMs({ lastCheckedAt }: Connection, { since }: Contest, now: Date): number {
  const last = Math.max(since.getTime(), lastCheckedAt?.getTime() ?? 0);
  return Math.max(0, now.getTime() - last);
}

function postponed(connection: Connection, contest: Contest, now: Date): ContestStep {
  const byMs = gapMs(connection, contest, now);
  const moved = { ...contest, deadline: new Date(contest.deadline.getTime() + byMs) };
  return {
    move: { is: "postpone", contest: moved },
    contest: moved,
    misses: connection.misses,
    firstMissAt: connection.firstMissAt,
    latestCheckMs: untilDeadline(moved, now),
  };
}

/** A prover that has removed its record gives the contest up; two checks must agree on that. */
function missed(
  { misses, firstMissAt }: Connection,
  contest: Contest,
  now: Date,
  settings: ContestSettings,
): ContestStep {
  const waitMs = confirmMs(settings);
  if (misses === 0 || firstMissAt === null) {
    return { ...nothing, contest, misses: 1, firstMissAt: now, nextCheckMs: waitMs };
  }
  const leftMs = waitMs - (now.getTime() - firstMissAt.getTime());
  if (leftMs > 0) return { ...nothing, contest, misses, firstMissAt, nextCheckMs: leftMs };
  return { move: { is: "lost", reason: "withdrawn" }, contest: null };
}

const shortestWaitMs = 1_000;

function untilDeadline({ deadline }: Contest, now: Date): number {
  return Math.max(shortestWaitMs, deadline.getTime() - now.getTime());
}
