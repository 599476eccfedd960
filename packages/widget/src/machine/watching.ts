import type { ConnectionDetail, RecordCheck } from "@mooring/sdk";
import { canSwitch, moveStatus } from "./cutover.ts";
import { type Change, change, type Handlers, ignore } from "./event.ts";
import { partnerId, partsOf } from "./joined.ts";
import { byHand, enter, isContested, isUnproven, succeed, waitFor } from "./routing.ts";
import type { State } from "./state.ts";
import { diagnose, explain } from "./trouble.ts";

/** Results of polling, and help while the person waits: diagnosis, records, share link. */
export const watching: Handlers<
  "polled" | "stalling" | "diagnosed" | "check_asked" | "records_asked" | "share_asked" | "shared"
> = {
  polled(state, { connection, records, times, proofs, isEarly }) {
    if (state.connection?.id !== connection.id || planWatch(state) === null) return ignore(state);
    const isOther = connection.error_code !== state.connection.error_code;
    const seen: State = {
      ...state,
      connection,
      records: records ?? state.records,
      proofs: proofs ?? state.proofs,
      isEarly: isEarly ?? state.isEarly,
      diagnosis: isOther ? null : state.diagnosis,
      ...(state.isChecking && times != null ? { asked: times, isChecking: false } : {}),
    };
    return explain(follow(seen, state.connection));
  },

  stalling(state) {
    if (state.step !== "in_progress") return ignore(state);
    return diagnose({ ...state, isStalling: true });
  },

  diagnosed(state, { diagnosis }) {
    const parts = state.connection === null ? [] : partsOf(state.connection);
    if (!parts.some(({ id }) => id === diagnosis.connection_id)) return ignore(state);
    return change(state, { diagnosis, isDiagnosing: false });
  },

  check_asked(state) {
    if (planWatch(state) === null) return ignore(state);
    const { state: next, effects } = diagnose(state);
    return change(next, { isChecking: true, asked: null }, { type: "poll_now" }, ...effects);
  },

  records_asked(state) {
    if (state.connection === null || state.busy !== null) return ignore(state);
    return byHand({ ...state, isRepairing: state.connection.state === "drifted" });
  },

  share_asked(state) {
    const { connection, busy } = state;
    if (connection === null || busy !== null) return ignore(state);
    return change(
      state,
      { busy: "share", shareProblem: null },
      { type: "share", id: connection.id },
    );
  },

  shared(state, { url, expiresAt }) {
    if (state.busy !== "share") return ignore(state);
    return change(state, { busy: null, share: { url, expiresAt } });
  },
};

/** Goes from the current screen to the one of the polled connection. */
function follow(state: State, before: ConnectionDetail): Change {
  const { connection, step } = state;
  if (connection === null) return change(state, {});
  if (isContested(connection) && step === "manual_configuration") return change(state, {});
  if (connection.state === "live") return succeed(state);
  if (connection.state === "drifted" && state.isRepairing) return change(state, {});
  if (["drifted", "failed", "archived"].includes(connection.state)) return stop(state, connection);
  if (step === "error") return enter(state, connection);
  if (step === "automatic_setup") return followAutomatic(state, connection);
  if (step === "manual_configuration") return followManual(state, connection, before);
  if (wasRefused(connection) && !wasRefused(before)) return byHand(state);
  const isNewlyStalled = connection.state === "stalled" && !state.isStalling;
  return isNewlyStalled ? diagnose({ ...state, isStalling: true }) : change(state, {});
}

function stop(state: State, connection: ConnectionDetail): Change {
  return state.step === "error" ? change(state, {}) : enter(state, connection);
}

/** Proven ownership means that the records were written, by the service or by the provider. */
function followAutomatic(state: State, connection: ConnectionDetail): Change {
  const isPlanned = state.busy !== null || isUnproven(connection) || canSwitch(connection);
  if (isPlanned) return change(state, {});
  return wasRefused(connection) ? change(state, {}) : waitFor(state);
}

function followManual(
  state: State,
  connection: ConnectionDetail,
  before: ConnectionDetail,
): Change {
  // A move can be prepared between two polls. Once it was, the records here are those of the
  // switch.
  const isReadyNow = canSwitch(connection) && !canSwitch(before);
  const isDone =
    isReadyNow ||
    connection.state === "issuing_cert" ||
    (moveStatus(connection) === null
      ? isAllThere(connection, state.records)
      : isPrepared(connection));
  return isDone ? waitFor(state) : change(state, {});
}

/** What the person had to add for this part of a move is there. */
function isPrepared(connection: ConnectionDetail): boolean {
  if (canSwitch(connection) || isUnproven(connection)) return false;
  return moveStatus(connection) === "switching" || connection.validation?.status === "right";
}

function isAllThere(connection: ConnectionDetail, records: readonly RecordCheck[] | null): boolean {
  if (isUnproven(connection) || records === null || records.length === 0) return false;
  return records.every(({ propagated }) => propagated);
}

/** The provider refused to write, and the service changed the setup to `manual`. */
function wasRefused({ setup_type, error_code }: ConnectionDetail): boolean {
  return setup_type === "manual" && error_code !== null && error_code.startsWith("provider_");
}

export interface Watch {
  readonly id: string;
  /** The other name of a pair. */
  readonly partnerId?: string;
  /** Also checks each record, which makes the service query DNS now. */
  readonly withRecords: boolean;
  /** The person says that the records were added. */
  readonly isAdded?: true;
}

/** What to poll in this state; the runner starts and stops polling accordingly. */
export function planWatch(state: State): Watch | null {
  const { connection, step, overlay, closed, busy } = state;
  if (connection === null || overlay === "expired" || closed !== null) return null;
  const other = partnerId(connection);
  const ids = { id: connection.id, ...(other === null ? {} : { partnerId: other }) };
  const isBeforeCertificate = connection.state !== "issuing_cert";
  switch (step) {
    case "manual_configuration":
    case "in_progress":
      return {
        ...ids,
        withRecords: isBeforeCertificate || state.isChecking,
        ...(state.isChecking ? { isAdded: true } : {}),
      };
    case "automatic_setup":
      return busy === null ? { ...ids, withRecords: state.automatic.mode === "popup" } : null;
    case "error":
      return state.failure?.kind === "drifted" ? { ...ids, withRecords: false } : null;
    default:
      return null;
  }
}
