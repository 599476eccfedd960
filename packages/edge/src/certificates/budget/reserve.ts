import type { Clock } from "@mooring/postgres";
import type pg from "pg";
import type { Log } from "../../config/settings.ts";
import type { DueCertificate } from "../../db/certificates.ts";
import { preferIssuer } from "../../db/waiting-certificates.ts";
import { IssueError, type Issuer, OrderWaits, type Permit } from "../issue/issuer.ts";
import type { Budget, Grant, OrderOutcome, Waiting } from "./budget.ts";

interface ReserveParts {
  readonly pool: pg.Pool;
  readonly clock: Clock;
  readonly log: Log;
  readonly budget: Budget;
}

/** Resolves with whether a certificate was obtained. */
type Work = (attempt: Attempt) => Promise<boolean>;

/** One attempt at one CA, granted by its budget. */
export interface Attempt {
  readonly issuer: Issuer;
  readonly permit: Permit;
}

const day = 86_400_000;
/**
 * A served certificate with more left than this waits for its CA; a new name tries the next one.
 */
const longRemainderMs = 7 * day;

/**
 * Attempts an order at the first CA that takes it. Its budget is taken before any other work, so
 * that a name that waits costs one transaction and no look-up. A CA that CAA forbids, that limits
 * or that does not answer is passed over; throws `OrderWaits` when no other is left.
 */
export async function underBudget(
  parts: ReserveParts,
  due: DueCertificate,
  issuers: readonly Issuer[],
  work: Work,
): Promise<void> {
  let forbidden: IssueError | null = null;
  let waiting: OrderWaits | null = null;
  for (const issuer of issuers) {
    const reason = await attemptAt(parts, due, issuer, work).catch((error: unknown) =>
      explainRefusal(parts, due, issuer, error),
    );
    if (reason instanceof IssueError) {
      forbidden ??= reason;
      continue;
    }
    // CAA forbade the one before: from now on this one is tried first.
    if (forbidden !== null) await preferIssuer(parts.pool, due, issuer.name);
    if (reason === null) return;
    if (waiting === null || reason.waitMs < waiting.waitMs) waiting = reason;
    if (mayWait(parts, due)) break;
  }
  throw waiting ?? forbidden ?? new Error("no issuer is configured");
}

function mayWait({ clock }: ReserveParts, { notAfter }: DueCertificate): boolean {
  return notAfter !== null && notAfter.getTime() - clock.now().getTime() > longRemainderMs;
}

async function attemptAt(
  { budget }: ReserveParts,
  due: DueCertificate,
  issuer: Issuer,
  work: Work,
): Promise<null> {
  if (!issuer.isLimited) {
    await work({ issuer, permit: async () => () => undefined });
    return null;
  }
  let grant = await takeGrant(budget, due, issuer);
  let isAccepted = grant.isResumed;
  const permit: Permit = async () => {
    // The order that was to be resumed is lost.
    if (grant.isResumed) grant = await takeGrant(budget, due, issuer, false);
    isAccepted = false;
    return () => {
      isAccepted = true;
    };
  };
  let outcome: OrderOutcome = "unused";
  try {
    if (await work({ issuer, permit })) outcome = "issued";
    return null;
  } catch (error) {
    const isInvalid = error instanceof IssueError && error.isInvalid;
    if (isAccepted) outcome = isInvalid ? "invalid" : "ordered";
    throw error;
  } finally {
    await grant.end(outcome);
  }
}

async function takeGrant(
  budget: Budget,
  due: DueCertificate,
  issuer: Issuer,
  mayResume = true,
): Promise<Grant> {
  const taken = await budget.take(due, issuer.name, mayResume);
  if (taken.isGranted) return taken;
  throw new WaitsForBudget(taken);
}

class WaitsForBudget extends Error {
  readonly waiting: Waiting;
  constructor(waiting: Waiting) {
    super("the order waits for its turn");
    this.waiting = waiting;
  }
}

/** Why this CA is passed over; rethrows what concerns the name and not the CA. */
async function explainRefusal(
  { budget, log }: ReserveParts,
  due: DueCertificate,
  issuer: Issuer,
  error: unknown,
): Promise<OrderWaits | IssueError> {
  if (error instanceof WaitsForBudget) {
    return new OrderWaits(error.message, error.waiting);
  }
  if (!(error instanceof IssueError)) throw error;
  const { code, scope, retryAfterSeconds, caError } = error;
  if (code === "caa_forbidden") return error;
  if (code === "certificate_failed" || !issuer.isLimited) throw error;
  log.warn({ err: error, issuer: issuer.name, scope }, "orders wait for the ca");
  await budget.hold(due, issuer.name, { scope, code, retryAfterSeconds });
  const taken = await budget.take(due, issuer.name);
  // The hold was shorter than this took.
  if (taken.isGranted) await taken.end("unused");
  const waiting = taken.isGranted ? { waitMs: 1_000, code, position: null } : taken;
  return new OrderWaits(error.message, { ...waiting, code, caError });
}
