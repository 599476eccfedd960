import type { DueRows } from "@mooring/postgres";
import {
  pauseServer,
  reserveQuestion,
  selectPause,
} from "../../db/queries/registrations/rdap-servers.ts";
import { sweepNames } from "../../db/queries/registrations/registered-names.ts";
import {
  claimDueRegistrations,
  type DueRegistration,
  deleteRegistration,
  endRegistrationRun,
  extendRegistrations,
  type QuestionResult,
  releaseRegistration,
  storeQuestion,
} from "../../db/queries/registrations/registrations.ts";
import { findServer } from "../../domain/registrations/bootstrap.ts";
import {
  isCurrent,
  nextNoticeAt,
  nextQuestionAt,
  type Registration,
} from "../../domain/registrations/registration.ts";
import type { Runtime } from "../runtime.ts";
import type { BootstrapSource } from "./bootstrap.ts";
import { sendNotices } from "./notices.ts";
import { askRegistry, type RdapAnswer } from "./rdap-client.ts";

export type { DueRegistration } from "../../db/queries/registrations/registrations.ts";

/** Questions that were put, by what became of them; those that wait for their share as well. */
export type QuestionCounts = Record<
  "answered" | "unknown" | "failed" | "limited" | "waited",
  number
>;

export interface RegistrationChecks {
  readonly bootstrap: BootstrapSource;
  readonly counts: QuestionCounts;
}

export function emptyCounts(): QuestionCounts {
  return { answered: 0, unknown: 0, failed: 0, limited: 0, waited: 0 };
}

/** Domains whose next question or notice is due. None where RDAP is off. */
export function dueRegistrations(runtime: Runtime): DueRows<DueRegistration> {
  const { database, config } = runtime;
  return {
    table: "registrations",
    idOf: ({ domain }) => domain,
    versionOf: ({ version }) => version,
    claim: async (now, until, limit) =>
      config.rdap ? claimDueRegistrations(database, now, until, limit) : [],
    extend: (leased, until) => extendRegistrations(database, leased, until),
    release: (row, dueAt) => releaseRegistration(database, row, dueAt),
  };
}

/**
 * One run of a leased row: forgets archived names, puts the day's question if its time has come,
 * tells the connections whose notice is due, and makes the row due for the next of both. Returns
 * false when the lease was lost.
 */
export async function checkLeasedRegistration(
  runtime: Runtime,
  checks: RegistrationChecks,
  row: DueRegistration,
  signal: AbortSignal,
): Promise<boolean> {
  const isNamed = await runtime.system((tx) => sweepNames(tx, row.domain));
  if (!isNamed) {
    await runtime.system((tx) => deleteRegistration(tx, row));
    return true;
  }
  const asked = await askIfDue(runtime, checks, row, signal);
  if (asked === null) return false;
  const { registration, askAt } = asked;
  const now = runtime.clock.now();
  const known = registration !== null && isCurrent(registration, now) ? registration : null;
  if (known !== null) await sendNotices(runtime, known, signal);
  const noticeAt = nextNoticeAt(known?.expiresAt ?? null, runtime.clock.now());
  await runtime.system((tx) => endRegistrationRun(tx, row, earlier(askAt, noticeAt)));
  return true;
}

function earlier(one: Date | null, other: Date | null): Date | null {
  if (one === null || other === null) return one ?? other;
  return one <= other ? one : other;
}

interface Asked {
  readonly registration: Registration | null;
  readonly askAt: Date | null;
}

/** Null when the lease was lost. */
async function askIfDue(
  runtime: Runtime,
  checks: RegistrationChecks,
  row: DueRegistration,
  signal: AbortSignal,
): Promise<Asked | null> {
  const { registration, askAt, domain } = row;
  if (askAt === null || askAt > runtime.clock.now()) return { registration, askAt };
  const result = await putQuestion(runtime, checks, row, signal);
  const now = runtime.clock.now();
  const isStored = await runtime.system((tx) => storeQuestion(tx, row, result, now));
  if (!isStored) return null;
  const { facts } = result;
  const learned = facts === "keep" ? registration : facts && { ...facts, domain, checkedAt: now };
  return { registration: learned, askAt: result.askAt };
}

async function putQuestion(
  runtime: Runtime,
  { bootstrap, counts }: RegistrationChecks,
  row: DueRegistration,
  signal: AbortSignal,
): Promise<QuestionResult> {
  const { domain } = row;
  const current = await bootstrap(runtime);
  const server = findServer(current, domain);
  if (server === null) {
    return { outcome: "no_server", facts: null, askAt: null, isReserved: false };
  }
  const waitUntil = await reserve(runtime, new URL(server).host, row.isReserved);
  if (waitUntil !== null) {
    counts.waited += 1;
    return { outcome: "limited", facts: "keep", askAt: waitUntil, isReserved: true };
  }
  const question = { server, domain, now: runtime.clock.now() };
  const answer = await askRegistry(runtime.egress, current, question, signal);
  counts[answer.kind] += 1;
  if (answer.kind === "failed") {
    runtime.log.debug({ domain, reason: answer.reason }, "registry gave no answer");
  }
  return toResult(runtime, domain, answer);
}

/** Questions that a registry gets at once after a while without any. */
const burst = 5;

/** Null when the question may be put now; otherwise when, which is then reserved for it. */
async function reserve(
  { system, clock, config }: Runtime,
  host: string,
  isReserved: boolean,
): Promise<Date | null> {
  const limit = { intervalMs: 1_000 / config.rdapRate, burst };
  return system(async (tx) => {
    const now = clock.now();
    const pause = await selectPause(tx, host, now);
    if (isReserved && pause === null) return null;
    const at = await reserveQuestion(tx, host, limit, now);
    return at > now ? at : null;
  });
}

/** Without a time of the registry's own it is asked again after this. */
const pauseMs = 15 * 60_000;
const minPauseMs = 1_000;
/** A registry that names a longer time is asked again the next day all the same. */
const maxPauseMs = 86_400_000;

async function toResult(
  runtime: Runtime,
  domain: string,
  answer: RdapAnswer,
): Promise<QuestionResult> {
  const now = runtime.clock.now();
  const askAt = nextQuestionAt(domain, now);
  switch (answer.kind) {
    case "answered":
      return { outcome: "answered", facts: answer.facts, askAt, isReserved: false };
    case "unknown":
      return { outcome: "unknown", facts: null, askAt, isReserved: false };
    case "failed":
      return { outcome: "failed", facts: "keep", askAt, isReserved: false };
    case "limited": {
      const waitMs = Math.min(Math.max(answer.retryAfterMs ?? pauseMs, minPauseMs), maxPauseMs);
      const until = new Date(now.getTime() + waitMs);
      await runtime.system((tx) => pauseServer(tx, answer.host, until));
      return { outcome: "limited", facts: "keep", askAt: until, isReserved: false };
    }
  }
}
