import { typedName } from "../domain-name.ts";
import type { CloseDetail, ErrorDetail, StepDetail, SuccessDetail, SvcEvent } from "../events.ts";
import { automating } from "./automating.ts";
import { entering, leaving, mailing } from "./entry-and-exit.ts";
import {
  type Change,
  type Handler,
  type Handlers,
  ignore,
  type MachineEvent,
  type MachineEventType,
} from "./event.ts";
import { failing } from "./failing.ts";
import { listing } from "./listing.ts";
import { moving } from "./moving.ts";
import {
  type Effect,
  type Failure,
  hasSucceeded,
  initialState,
  type Problem,
  type Setting,
  type State,
} from "./state.ts";
import { watching } from "./watching.ts";

const handlers: Handlers<MachineEventType> = {
  ...entering,
  ...automating,
  ...watching,
  ...listing,
  ...mailing,
  ...moving,
  ...leaving,
  ...failing,
};

/** Pure and total: every event is valid in every state, though it may change nothing. */
export function transition<T extends MachineEventType>(
  state: Change["state"],
  event: MachineEvent<T>,
): Change {
  if (state.closed !== null) return ignore(state);
  const handler: Handler<T> = handlers[event.type];
  return handler(state, event);
}

export interface Beginning {
  readonly setting: Setting;
  readonly domain: string;
  readonly connectionId: string | null;
}

/** Returns the first state; with a connection id, the widget resumes that connection. */
export function begin({ setting, domain, connectionId }: Beginning): Change {
  const state = initialState(setting, domain || (setting.boundDomain ?? ""));
  const settings = { type: "settings" } as const;
  if (connectionId === null && setting.isOfCustomer === true) {
    const list = { type: "list" } as const;
    const isWaiting = state.input === "";
    return { state: isWaiting ? { ...state, busy: "list" } : state, effects: [settings, list] };
  }
  if (connectionId === null) return { state, effects: [settings] };
  const effects: readonly Effect[] = [settings, { type: "load", id: connectionId }];
  return { state: { ...state, step: "domain_analysis", busy: "load" }, effects };
}

/** The events that the page gets for a change of state; `before` is null at the start. */
export function pageEvents(before: State | null, after: State): readonly SvcEvent[] {
  const events: SvcEvent[] = [];
  if (before?.closed != null) return events;
  if (before?.step !== after.step) events.push({ name: "svc:step", detail: stepDetail(after) });
  if (after.succeededId !== null && after.succeededId !== before?.succeededId) {
    events.push({ name: "svc:success", detail: successDetail(after, after.succeededId) });
  }
  const { failure, sessionProblem } = after;
  const addError = (problem: PageProblem) =>
    events.push({ name: "svc:error", detail: errorDetail(after, problem) });
  if (failure !== null && failure !== before?.failure) addError(failureProblem(failure, after));
  if (sessionProblem !== null && sessionProblem !== before?.sessionProblem)
    addError(sessionProblem);
  if (after.closed !== null) events.push({ name: "svc:close", detail: closeDetail(after) });
  return events;
}

type PageProblem = Pick<Problem, "code" | "message" | "upgradeUrl">;

/** A failed or drifted connection has no failed call; its error code is reported instead. */
function failureProblem({ kind, problem }: Failure, { connection }: State): PageProblem {
  const code = connection?.error_code ?? kind;
  return problem ?? { code, message: `the connection is ${kind}`, upgradeUrl: null };
}

function eventSubject(state: State) {
  const { connection, check, busy, input } = state;
  return {
    domain: connection?.hostname ?? check?.domain ?? (busy === "check" ? typedName(input) : null),
    provider: connection?.provider ?? check?.provider_slug ?? null,
  };
}

function setupTypeOf({ connection, check }: State) {
  return connection?.setup_type ?? check?.setup_type ?? null;
}

function stepDetail(state: State): StepDetail {
  return { ...eventSubject(state), step: state.step, jobId: state.connection?.id ?? null };
}

function successDetail(state: State, jobId: string): SuccessDetail {
  const { domain, provider } = eventSubject(state);
  return { domain: domain ?? "", success: true, setupType: setupTypeOf(state), provider, jobId };
}

export function errorDetail(state: State, problem: PageProblem): ErrorDetail {
  const { code, message, upgradeUrl } = problem;
  return { ...stepDetail(state), code, message, upgradeUrl };
}

function closeDetail(state: State): CloseDetail {
  return {
    ...eventSubject(state),
    success: hasSucceeded(state),
    setupType: setupTypeOf(state),
    lastStatus: state.connection?.state ?? null,
    jobId: state.connection?.id ?? null,
    reason: state.closed ?? "user",
  };
}
