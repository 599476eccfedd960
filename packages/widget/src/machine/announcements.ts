import type { CloseDetail, ErrorDetail, StepDetail, SuccessDetail, SvcEvent } from "../events.ts";
import type { Failure, Problem, State } from "./state.ts";

/** What the page is told when the machine goes from one state to the next; null is before the first. */
export function announcements(before: State | null, after: State): readonly SvcEvent[] {
  const events: SvcEvent[] = [];
  if (before?.closed != null) return events;
  if (before?.step !== after.step) events.push({ name: "svc:step", detail: stepDetail(after) });
  if (after.succeededId !== null && after.succeededId !== before?.succeededId) {
    events.push({ name: "svc:success", detail: successDetail(after, after.succeededId) });
  }
  const { failure, sessionProblem } = after;
  const tellError = (problem: Told) =>
    events.push({ name: "svc:error", detail: errorDetail(after, problem) });
  if (failure !== null && failure !== before?.failure) tellError(problemOf(failure, after));
  if (sessionProblem !== null && sessionProblem !== before?.sessionProblem)
    tellError(sessionProblem);
  if (after.closed !== null) events.push({ name: "svc:close", detail: closeDetail(after) });
  return events;
}

type Told = Pick<Problem, "code" | "message" | "upgradeUrl">;

/** A connection that ended or drifted is no call that failed; its own code says why. */
function problemOf({ kind, problem }: Failure, { connection }: State): Told {
  const code = connection?.error_code ?? kind;
  return problem ?? { code, message: `the connection is ${kind}`, upgradeUrl: null };
}

function whose(state: State) {
  const { connection, check, busy, input } = state;
  return {
    domain: connection?.hostname ?? check?.domain ?? (busy === "check" ? input : null),
    provider: connection?.provider ?? check?.provider_slug ?? null,
  };
}

function setupTypeOf({ connection, check }: State) {
  return connection?.setup_type ?? check?.setup_type ?? null;
}

function stepDetail(state: State): StepDetail {
  return { ...whose(state), step: state.step, jobId: state.connection?.id ?? null };
}

function successDetail(state: State, jobId: string): SuccessDetail {
  const { domain, provider } = whose(state);
  return { domain: domain ?? "", success: true, setupType: setupTypeOf(state), provider, jobId };
}

export function errorDetail(state: State, problem: Told): ErrorDetail {
  const { code, message, upgradeUrl } = problem;
  return { ...stepDetail(state), code, message, upgradeUrl };
}

function closeDetail(state: State): CloseDetail {
  return {
    ...whose(state),
    success: hasSucceeded(state),
    setupType: setupTypeOf(state),
    lastStatus: state.connection?.state ?? null,
    jobId: state.connection?.id ?? null,
    reason: state.closed ?? "user",
  };
}

/** Whether the connection at hand is live, as opposed to one before it in the same window. */
export function hasSucceeded({ connection, succeededId }: State): boolean {
  return connection !== null && connection.id === succeededId;
}
