import { isTooLong, readDomain } from "../domain-name.ts";
import { type Change, change, type Handlers, ignore } from "./happenings.ts";
import { enter } from "./routing.ts";
import { freshAutomatic, type InputProblem, initialState, type State } from "./state.ts";

/** From an empty field to a connection: entering, analysis, create. */
export const entering: Handlers<
  "typed" | "submitted" | "checked" | "continued" | "created" | "loaded" | "restarted"
> = {
  typed(state, { text }) {
    if (state.step !== "enter_domain") return ignore(state);
    return change(state, { input: text, inputProblem: null });
  },

  submitted(state) {
    if (state.step !== "enter_domain" || state.busy !== null) return ignore(state);
    return submit(state);
  },

  checked(state, { domain, check }) {
    if (state.busy !== "check" || state.input !== domain) return ignore(state);
    return change(state, { busy: null, check });
  },

  continued(state, { way }) {
    const { check } = state;
    if (state.step !== "domain_analysis" || check === null || state.busy !== null) {
      return ignore(state);
    }
    return change(state, { way, busy: "create" }, { type: "create", domain: check.domain });
  },

  created(state, { domain, connection }) {
    const wanted = state.check?.domain ?? state.connection?.hostname;
    if (state.busy !== "create" || wanted !== domain) return ignore(state);
    return enter({ ...state, busy: null }, connection);
  },

  loaded(state, { connection, check }) {
    if (state.busy !== "load") return ignore(state);
    const known = check ?? state.check;
    return enter({ ...state, busy: null, check: known, input: connection.hostname }, connection);
  },

  restarted(state, { domain }) {
    const { setting, isOnline, succeededId } = state;
    const fresh = { ...initialState(setting, domain), isOnline, succeededId };
    return domain === "" ? change(fresh, {}) : submit(fresh);
  },
};

function submit(state: State): Change {
  const read = readDomain(state.input);
  if (read.outcome === "empty") return refuse(state, "empty");
  if (read.outcome === "problem") return refuse(state, read.problem);
  if (isTooLong(read.hostname)) return refuse(state, "long");
  const { boundDomain } = state.setting;
  if (boundDomain !== null && boundDomain !== read.hostname) return refuse(state, "other_domain");
  return change(
    state,
    {
      step: "domain_analysis",
      input: read.hostname,
      inputProblem: null,
      busy: "check",
      check: null,
      connection: null,
      records: null,
      automatic: freshAutomatic,
      failure: null,
    },
    { type: "check", domain: read.hostname },
  );
}

function refuse(state: State, key: InputProblem): Change {
  return change(state, { inputProblem: { key } });
}
