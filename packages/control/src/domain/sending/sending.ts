import type { MailNote, SendingKey, SendingRecord, SendingRecordStatus } from "@mooring/dns";
import type { SpfAdvice } from "./email-setup.ts";

/**
 * - `waiting`: records are missing or wrong.
 * - `ready`: all of them are right, so that the service accepts the domain when it checks next.
 * - `accepted`: the service says that it sends for the domain.
 * - `broken`: records that were right are gone or changed.
 */
export const sendingStates = ["waiting", "ready", "accepted", "broken"] as const;
export type SendingState = (typeof sendingStates)[number];

export interface SendingDomainRecord extends SendingRecord {
  /**
   * `written`: in the zone by this service, or before; `none`: nothing is to be done, and a note
   * says why.
   */
  readonly action: "written" | "manual" | "none";
  /** Null before the first check, and while DNS does not answer. */
  readonly status: SendingRecordStatus | null;
}

/** What a person has to know. */
interface SendingAdvice {
  readonly spf: SpfAdvice | null;
  readonly notes: readonly string[];
  /** The notes by code; rows of an earlier release have none. */
  readonly details?: readonly MailNote[];
}

export interface SendingDomain {
  readonly id: string;
  readonly connectionId: string;
  readonly provider: SendingKey;
  readonly domain: string;
  readonly inputs: Readonly<Record<string, string>>;
  readonly records: readonly SendingDomainRecord[];
  readonly advice: SendingAdvice;
  readonly spfTerm: string | null;
  readonly state: SendingState;
  readonly sealedAccess: string | null;
  readonly accountError: string | null;
  readonly checkedAt: Date | null;
  readonly readyAt: Date | null;
  readonly acceptedAt: Date | null;
  readonly checks: number;
  readonly misses: number;
  readonly dueAt: Date | null;
  readonly version: number;
  readonly createdAt: Date;
}

export interface SendingObservation {
  /** Every record that the service insists on is right. */
  readonly isRight: boolean;
  /** Every name was answered; otherwise what is missing may be there. */
  readonly isComplete: boolean;
  /** What the service says of the domain; null when it was not, or could not be, asked. */
  readonly isAccepted: boolean | null;
}

export type SendingEventType = "sending.ready" | "sending.accepted" | "sending.broken";

export interface SendingDecision {
  readonly state: SendingState;
  readonly events: readonly SendingEventType[];
  readonly misses: number;
  readonly nextCheckMs: number;
}

const secondMs = 1_000;
const minuteMs = 60 * secondMs;
const hourMs = 60 * minuteMs;

/** A record that was right is missed twice before it counts as gone. */
const missesToBreak = 2;

/** Pure: what a check makes of a sending domain. */
export function decideSendingState(
  before: Pick<SendingDomain, "state" | "checks" | "misses" | "sealedAccess">,
  observed: SendingObservation,
): SendingDecision {
  const { state, misses } = stateAfter(before, observed);
  const isNew = state !== before.state;
  return {
    state,
    misses,
    events: sendingEvents(before.state, state),
    nextCheckMs: nextCheckMs(
      state,
      isNew ? 0 : before.checks,
      before.sealedAccess !== null,
      misses,
    ),
  };
}

function stateAfter(
  before: Pick<SendingDomain, "state" | "misses">,
  { isRight, isComplete, isAccepted }: SendingObservation,
): { readonly state: SendingState; readonly misses: number } {
  if (isAccepted === true) return { state: "accepted", misses: 0 };
  if (isRight) {
    // Not being able to ask the service takes nothing back.
    const stays = before.state === "accepted" && isAccepted === null;
    return { state: stays ? "accepted" : "ready", misses: 0 };
  }
  if (!isComplete) return before;
  if (before.state === "waiting" || before.state === "broken") {
    return { state: before.state, misses: 0 };
  }
  const misses = before.misses + 1;
  return misses < missesToBreak ? { state: before.state, misses } : { state: "broken", misses: 0 };
}

function sendingEvents(before: SendingState, after: SendingState): readonly SendingEventType[] {
  if (before === after) return [];
  if (after === "broken") return ["sending.broken"];
  const wasRight = before === "ready" || before === "accepted";
  return [
    ...(wasRight ? [] : (["sending.ready"] as const)),
    ...(after === "accepted" ? (["sending.accepted"] as const) : []),
  ];
}

function nextCheckMs(
  state: SendingState,
  checks: number,
  hasAccess: boolean,
  misses: number,
): number {
  if (misses > 0) return minuteMs;
  if (state === "accepted" || (state === "ready" && !hasAccess)) return 6 * hourMs;
  const longest = checks > 200 ? hourMs : 10 * minuteMs;
  return Math.min(5 * secondMs * 1.5 ** Math.min(checks, 20), longest);
}
