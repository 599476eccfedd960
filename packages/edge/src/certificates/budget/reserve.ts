import type { Clock } from "@mooring/postgres";
import type pg from "pg";
import type { Log } from "../../config/settings.ts";
import type { WantedCertificate } from "../../db/certificates.ts";
import { preferIssuer } from "../../db/waiting-certificates.ts";
import { IssueError, type Issuer, OrderHeld, type Permit } from "../issue/issuer.ts";
import type { Budget, Grant, Held, OrderOutcome } from "./budget.ts";

interface ReserveParts {
  readonly pool: pg.Pool;
  readonly clock: Clock;
  readonly log: Log;
  readonly budget: Budget;
}

/** Resolves with whether a certificate was obtained. */
type Work = (attempt: Attempt) => Promise<boolean>;

/** One attempt at one CA, with a place in its budget. */
export interface Attempt {
  readonly issuer: Issuer;
  readonly permit: Permit;
}

const day = 86_400_000;
/** A served certificate with more left than this waits for its CA; a new name tries the next one. */
const longRemainderMs = 7 * day;

/**
 * Attempts an order at the first CA that takes it. Its budget is taken before any other work, so that a
 * name that waits costs one transaction and no look-up. A CA that CAA forbids, that limits or that
 * does not answer is passed over; throws `OrderHeld` when no other is left.
 */
export async function underBudget(
  parts: ReserveParts,
  wanted: WantedCertificate,
  issuers: readonly Issuer[],
  work: Work,
): Promise<void> {
  let forbidden: IssueError | null = null;
  let held: OrderHeld | null = null;
  for (const issuer of issuers) {
    const reason = await attemptAt(parts, wanted, issuer, work).catch((error: unknown) =>
      refusalOf(parts, wanted, issuer, error),
    );
    if (reason instanceof IssueError) {
      forbidden ??= reason;
      continue;
    }
    // CAA forbade the one before: from now on this one is tried first.
    if (forbidden !== null) await preferIssuer(parts.pool, wanted, issuer.name);
    if (reason === null) return;
    if (held === null || reason.waitMs < held.waitMs) held = reason;
    if (mayWait(parts, wanted)) break;
  }
  throw held ?? forbidden ?? new Error("no issuer is configured");
}

function mayWait({ clock }: ReserveParts, { notAfter }: WantedCertificate): boolean {
  return notAfter !== null && notAfter.getTime() - clock.now().getTime() > longRemainderMs;
}

async function attemptAt(
  { budget }: ReserveParts,
  wanted: WantedCertificate,
  issuer: Issuer,
  work: Work,
): Promise<null> {
  if (!issuer.isLimited) {
    await work({ issuer, permit: async () => () => undefined });
    return null;
  }
  let grant = await grantOf(budget, wanted, issuer);
  let isAccepted = grant.isResumed;
  const permit: Permit = async () => {
    // The order that was to be resumed is lost.
    if (grant.isResumed) grant = await grantOf(budget, wanted, issuer, false);
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

async function grantOf(
  budget: Budget,
  wanted: WantedCertificate,
  issuer: Issuer,
  mayResume = true,
): Promise<Grant> {
  const taken = await budget.take(wanted, issuer.name, mayResume);
  if (taken.isGranted) return taken;
  throw new HeldByBudget(taken);
}

class HeldByBudget extends Error {
  readonly held: Held;
  constructor(held: Held) {
    super("the order waits for its turn");
    this.held = held;
  }
}

/** Why this CA is passed over; rethrows what concerns the name and not the CA. */
async function refusalOf(
  { budget, log }: ReserveParts,
  wanted: WantedCertificate,
  issuer: Issuer,
  error: unknown,
): Promise<OrderHeld | IssueError> {
  if (error instanceof HeldByBudget) {
    return new OrderHeld(error.message, error.held);
  }
  if (!(error instanceof IssueError)) throw error;
  const { code, scope, retryAfterSeconds } = error;
  if (code === "caa_forbidden") return error;
  if (code === "certificate_failed" || !issuer.isLimited) throw error;
  log.warn({ err: error, issuer: issuer.name, scope }, "orders wait for the ca");
  await budget.hold(wanted, issuer.name, { scope, code, retryAfterSeconds });
  const taken = await budget.take(wanted, issuer.name);
  // The hold was shorter than this took.
  if (taken.isGranted) await taken.end("unused");
  const held = taken.isGranted ? { waitMs: 1_000, code, place: null } : taken;
  return new OrderHeld(error.message, { ...held, code });
}
