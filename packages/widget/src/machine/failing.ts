import { isSignedIn } from "./automating.ts";
import { type Change, change, type Handlers, ignore } from "./event.ts";
import { afterListing } from "./listing.ts";
import { automatically, byHand, firstMode, waitFor } from "./routing.ts";
import type { Effect, InputProblem } from "./state.ts";
import { type FailureKind, freshAutomatic, type Problem, type State } from "./state.ts";
import { easyWays } from "./ways.ts";

/** Failures: error responses, expired sessions, lost networks. */
export const failing: Handlers<
  | "failed"
  | "retried"
  | "expired"
  | "renew_asked"
  | "renewed"
  | "renew_failed"
  | "went_offline"
  | "went_online"
> = {
  failed(state, { effect, problem }) {
    if (state.closed !== null) return ignore(state);
    return afterFailure(state, effect, problem);
  },

  retried(state) {
    const { failure } = state;
    if (state.step !== "error" || failure === null || state.busy !== null) return ignore(state);
    if (failure.kind === "drifted") return repair(state);
    if (failure.kind === "conflict") return prove(state);
    return retry(state, failure.retry);
  },

  expired(state, { effect, problem }) {
    if (state.closed !== null) return ignore(state);
    return change(state, {
      overlay: "expired",
      sessionProblem: problem,
      interrupted: effect ?? state.interrupted,
      isRenewing: false,
    });
  },

  renew_asked(state) {
    if (state.overlay !== "expired" || !state.setting.canRenew || state.isRenewing) {
      return ignore(state);
    }
    return change(state, { isRenewing: true }, { type: "renew" });
  },

  renewed(state, { boundDomain }) {
    const next: Partial<State> = {
      setting: { ...state.setting, boundDomain },
      overlay: state.overlay === "expired" ? null : state.overlay,
      interrupted: null,
      sessionProblem: null,
      isRenewing: false,
    };
    return state.interrupted === null
      ? change(state, next)
      : change(state, next, state.interrupted);
  },

  renew_failed(state) {
    return change(state, { isRenewing: false });
  },

  went_offline(state) {
    return change(state, { isOnline: false });
  },

  went_online(state) {
    const next = { ...state, isOnline: true };
    return state.failure?.kind === "unreachable" ? retry(next, state.failure.retry) : ignore(next);
  },
};

function repair(state: State): Change {
  const next = { ...state, isRepairing: true };
  return easyWays(next.check).length > 0 ? automatically(next) : byHand(next);
}

/** Another account has the domain: the person proves that it is theirs. */
function prove(state: State): Change {
  const domain = state.connection?.hostname ?? state.check?.domain ?? null;
  return retry(state, domain === null ? null : { type: "create", domain, contest: true });
}

/** Repeats the effect; without one, creates the connection of the same domain again. */
function retry(state: State, effect: Effect | null): Change {
  const domain = state.connection?.hostname ?? state.check?.domain ?? null;
  const again: Effect | null = effect ?? (domain === null ? null : { type: "create", domain });
  if (again === null) return change(state, { step: "enter_domain", failure: null });
  const step = again.type === "check" || again.type === "load" || again.type === "create";
  return change(
    state,
    {
      failure: null,
      busy: busyDuring(again),
      ...(step ? { step: "domain_analysis" } : {}),
    },
    again,
  );
}

function busyDuring({ type }: Effect): State["busy"] {
  return type === "check" || type === "load" || type === "create" ? type : null;
}

function afterFailure(state: State, effect: Effect, problem: Problem): Change {
  if (problem.code === "origin") {
    const failure = { kind: "not_set_up", problem, retry: null } as const;
    return change(state, { busy: null, step: "error", failure });
  }
  switch (effect.type) {
    case "check":
    case "create":
    case "load":
      return state.busy === effect.type ? afterStart(state, effect, problem) : ignore(state);
    case "plan":
    case "apply":
      return state.busy === effect.type ? afterWrite(state, effect, problem) : ignore(state);
    case "start_domain_connect":
    case "start_oauth":
      return state.automatic.mode === "popup"
        ? change(
            state,
            { automatic: { ...freshAutomatic, mode: firstMode(state), problem } },
            { type: "close_popup" },
          )
        : ignore(state);
    case "share":
      return change(state, { busy: null, shareProblem: problem });
    case "email":
    case "check_sending":
      return change(state, { busy: null, emailProblem: problem });
    case "list":
    case "remove":
      return afterListing(state, effect.type, problem);
    case "diagnose":
      return change(state, { isDiagnosing: false });
    default:
      return ignore(state);
  }
}

/** Why the service refuses a name, by the code of its answer. */
const refusals: Readonly<Record<string, InputProblem>> = {
  bad_character: "characters",
  bad_hyphen: "hyphen",
  ip_literal: "ip",
  label_too_long: "long",
  name_too_long: "long",
  public_suffix: "suffix",
  single_label: "incomplete",
  underscore: "underscore",
  wildcard: "wildcard",
};

function afterStart(state: State, effect: Effect, problem: Problem): Change {
  const idle = { ...state, busy: null };
  if (problem.code === "invalid") {
    return change(idle, {
      step: "enter_domain",
      inputProblem: { key: refusals[problem.issue ?? ""] ?? "refused" },
    });
  }
  if (problem.code === "HostnameConflict" && problem.connectionId !== null) {
    return change(state, { busy: "load" }, { type: "load", id: problem.connectionId });
  }
  return change(idle, {
    step: "error",
    failure: { kind: failureKind(problem), problem, retry: planRetry(effect, problem) },
  });
}

/** A failed stored credential is not the person's mistake, so other ways are offered. */
function afterWrite(state: State, effect: Effect<"plan" | "apply">, problem: Problem): Change {
  const idle = { ...state, busy: null };
  if (effect.credential === "stored") {
    // The service itself is already writing the zone; it does not wait for the widget.
    if (problem.code === "conflict") return waitFor(idle);
    if (easyWays(state.check).length === 0) return byHand(idle);
    const shown = effect.type === "apply" ? problem : null;
    return change(idle, {
      automatic: { ...freshAutomatic, mode: firstMode(state), problem: shown },
    });
  }
  const first = isSignedIn(state.automatic) ? firstMode(state) : "credential";
  const mode = effect.type === "plan" ? first : state.automatic.mode;
  return change(idle, { automatic: { ...state.automatic, mode, problem } });
}

const kinds: Readonly<Record<string, FailureKind>> = {
  QuotaExceeded: "quota",
  HostnameConflict: "conflict",
  not_found: "not_found",
  network: "unreachable",
  timeout: "unreachable",
  unavailable: "unreachable",
  rate_limited: "unreachable",
};

function failureKind({ code }: Problem): FailureKind {
  return kinds[code] ?? "internal";
}

/** A retry helps when the service or the network was unavailable, and not otherwise. */
function planRetry(effect: Effect, problem: Problem): Effect | null {
  const kind = failureKind(problem);
  return kind === "unreachable" || kind === "internal" || kind === "conflict" ? effect : null;
}
