import type { ConnectionDetail } from "@mooring/sdk";
import { moveStatus, switched } from "./cutover.ts";
import { type Change, change } from "./event.ts";
import type { Joined } from "./joined.ts";
import { type Automatic, type FailureKind, freshAutomatic, type State } from "./state.ts";
import { explain } from "./trouble.ts";
import { easyWays, hasCredential, setupWays } from "./ways.ts";

/** Goes to the screen of the connection's state, also when the widget is reopened. */
export function enter(state: State, connection: Joined): Change {
  return explain(route({ ...state, asked: null, isChecking: false }, connection));
}

function route(state: State, connection: ConnectionDetail): Change {
  const known: State = {
    ...state,
    connection,
    records: state.connection?.id === connection.id ? state.records : null,
    proofs: state.connection?.id === connection.id ? state.proofs : [],
    recordsFrom: null,
    failure: null,
  };
  const stop = failureKind(connection);
  if (stop !== null) {
    return change(known, { step: "error", failure: { kind: stop, problem: null, retry: null } });
  }
  // Its prover has done their part, and its holder must do it again.
  if (connection.contest) return byHand(known);
  switch (connection.state) {
    case "live":
      return succeed(known);
    case "created":
    case "pending_ownership":
    case "verifying":
      return setUp(known);
    case "verified":
    case "propagating":
    case "stalled":
      if (isWithVisitors(connection)) return waitFor(known);
      if (wantsRecordsByHand(known, connection)) return byHand(known);
      return waitFor(known);
    default:
      return waitFor(known);
  }
}

/** A move whose records for the proof are there; its screen says how far it is. */
function isWithVisitors(connection: ConnectionDetail): boolean {
  const status = moveStatus(connection);
  if (status === null) return false;
  return status !== "preparing" || connection.validation?.status === "right";
}

/** Somebody else has proven the connection's domain: it must be proven again. */
export function isContested({ state, contest }: ConnectionDetail): boolean {
  return Boolean(contest) && !isUnproven({ state });
}

export function isUnproven({ state }: Pick<ConnectionDetail, "state">): boolean {
  return state === "created" || state === "pending_ownership" || state === "verifying";
}

function failureKind({ state }: ConnectionDetail): FailureKind | null {
  return state === "drifted" || state === "failed" || state === "archived" ? state : null;
}

function wantsRecordsByHand({ way, check }: State, connection: ConnectionDetail): boolean {
  const isByHand = way === "manual" || connection.setup_type === "manual";
  return isByHand || easyWays(check).length === 0;
}

/** The easiest way, unless the person chose another; a stored credential costs them nothing. */
function setUp(state: State): Change {
  const isEasy = easyWays(state.check).length > 0 || mayUseStored(state);
  return state.way === "automatic" && isEasy ? automatically(state) : byHand(state);
}

export function canAutomate({ check }: State): boolean {
  return setupWays(check).length > 1;
}

/** With a token for this hostname, and for no other; the API refuses it otherwise. */
function mayUseStored({ setting, connection, check }: State): boolean {
  if (connection === null || connection.pair !== undefined) return false;
  return setting.boundDomain === connection.hostname && hasCredential(check);
}

/**
 * From the records to the other ways; a developer's credential is one of them by name only.
 */
export function fromRecords(state: State): Change {
  if (easyWays(state.check).length > 0) return automatically(state);
  return toSetup(state, "credential");
}

/** Without a stored credential, which was tried when the setup began. */
export function toSetup(state: State, mode: "choose" | "credential"): Change {
  const { alternative } = state.automatic;
  const automatic = { ...freshAutomatic, mode, alternative };
  return change(state, { step: "automatic_setup", way: "automatic", automatic });
}

/** Tries a stored credential first, where the token is for this hostname. */
export function automatically(state: State): Change {
  const { connection } = state;
  if (connection === null) return change(state, {});
  const next: Partial<State> = {
    step: "automatic_setup",
    way: "automatic",
    automatic: { ...freshAutomatic, mode: firstMode(state) },
    failure: null,
  };
  if (!mayUseStored(state)) return change(state, next);
  return change(
    state,
    { ...next, busy: "plan" },
    { type: "plan", id: connection.id, provider: null, credential: "stored", ...switched(state) },
  );
}

/** The credential form when there is nothing to choose. */
export function firstMode({ check }: State): Automatic["mode"] {
  const easy = easyWays(check);
  const isOnly = easy.length === 0 || (easy.length === 1 && easy[0] === "token");
  return isOnly && hasCredential(check) ? "credential" : "choose";
}

export function byHand(state: State): Change {
  return change(
    state,
    {
      step: "manual_configuration",
      way: "manual",
      automatic: { ...freshAutomatic, alternative: state.automatic.alternative },
      failure: null,
    },
    { type: "poll_now" },
  );
}

export function waitFor(state: State): Change {
  return change(
    state,
    {
      step: "in_progress",
      automatic: freshAutomatic,
      draft: {},
      isStalling: false,
      diagnosis: null,
      failure: null,
    },
    { type: "time_stall" },
    { type: "poll_now" },
  );
}

/** A name that is an alias can have no MX and no SPF record beside it. */
function canHaveMail({ hostname, desired_records: records }: ConnectionDetail): boolean {
  return !records.some(({ host, type }) => host === hostname && type === "CNAME");
}

export function succeed(state: State): Change {
  const { connection, setting } = state;
  if (connection === null) return change(state, {});
  return change(
    state,
    {
      step: setting.offersEmail && canHaveMail(connection) ? "email" : "success",
      automatic: freshAutomatic,
      draft: {},
      succeededId: connection.id,
      isRepairing: false,
      overlay: state.overlay === "exit" ? null : state.overlay,
      failure: null,
    },
    { type: "close_popup" },
  );
}
