import { isTooLong, readDomain, typedName } from "../domain-name.ts";
import { stepBack } from "./automating.ts";
import { canSwitch, preparable } from "./cutover.ts";
import { type Change, change, type Handlers, ignore } from "./event.ts";
import { showDomains } from "./listing.ts";
import { isTaken, offersWildcard, pairChoice, wantsCutover } from "./pairing.ts";
import { canAutomate, enter, fromRecords, isUnproven, toSetup, waitFor } from "./routing.ts";
import {
  type CloseReason,
  type Effect,
  freshAutomatic,
  hasSucceeded,
  type InputProblem,
  initialState,
  type State,
} from "./state.ts";

/** From an empty field to a connection: enter a domain, check it, create the connection. */
export const entering: Handlers<
  | "settings_loaded"
  | "typed"
  | "submitted"
  | "checked"
  | "continued"
  | "pair_chosen"
  | "created"
  | "loaded"
  | "restarted"
> = {
  settings_loaded(state, { settings }) {
    return change(state, { settings });
  },

  typed(state, { text }) {
    if (state.step !== "enter_domain") return ignore(state);
    return change(state, { input: text, inputProblem: null });
  },

  submitted(state) {
    if (state.step !== "enter_domain" || state.busy !== null) return ignore(state);
    return submit(state);
  },

  checked(state, { domain, check }) {
    if (state.busy !== "check" || typedName(state.input) !== domain) return ignore(state);
    return change(state, { busy: null, check });
  },

  continued(state, { way }) {
    const { check } = state;
    if (state.step !== "domain_analysis" || check === null || state.busy !== null) {
      return ignore(state);
    }
    return change(state, { way, busy: "create" }, creation(state, check.domain));
  },

  pair_chosen(state, { choice }) {
    const isFree = state.step === "domain_analysis" && state.busy === null;
    return isFree ? change(state, { pairChoice: choice }) : ignore(state);
  },

  created(state, { domain, connection }) {
    const requested = state.check?.domain ?? state.connection?.hostname;
    if (state.busy !== "create" || requested !== domain) return ignore(state);
    const check = preparable(state.check, connection);
    return enter({ ...state, busy: null, check }, connection);
  },

  loaded(state, { connection, check }) {
    if (state.busy !== "load") return ignore(state);
    const known = preparable(check ?? state.check, connection);
    return enter({ ...state, busy: null, check: known, input: connection.hostname }, connection);
  },

  restarted(state, { domain }) {
    const { setting, isOnline, succeededId, settings, domains } = state;
    const stored = { isOnline, succeededId, settings, domains };
    const fresh = { ...initialState(setting, domain), ...stored };
    return domain === "" ? change(fresh, {}) : submit(fresh);
  },
};

/** A name of somebody else is contested by a proof; nobody who means it has to wait. */
function creation(state: State, domain: string): Effect<"create"> {
  if (isTaken(state)) return { type: "create", domain, contest: true };
  const choice = pairChoice(state);
  return {
    type: "create",
    domain,
    ...(choice === "single" ? {} : { canonical: choice }),
    ...(wantsCutover(state) ? { cutover: true } : {}),
  };
}

function submit(state: State): Change {
  const read = readDomain(state.input, offersWildcard(state));
  if (read.outcome === "empty") return refuse(state, "empty");
  if (read.outcome === "problem") return refuse(state, read.problem);
  if (isTooLong(read.hostname)) return refuse(state, "long");
  const { boundDomain } = state.setting;
  if (boundDomain !== null && boundDomain !== read.hostname) return refuse(state, "other_domain");
  return change(
    state,
    {
      step: "domain_analysis",
      inputProblem: null,
      busy: "check",
      check: null,
      pairChoice: null,
      cutoverChoice: null,
      acceptsOrigin: false,
      connection: null,
      records: null,
      automatic: freshAutomatic,
      draft: {},
      recordsFrom: null,
      failure: null,
    },
    { type: "check", domain: read.hostname },
  );
}

function refuse(state: State, key: InputProblem): Change {
  return change(state, { inputProblem: { key } });
}

/** Writes what was previewed. */
function writeMail(state: State): Change {
  const { connection, mailDraft } = state;
  if (connection === null || mailDraft === null) return ignore(state);
  return change(
    state,
    { busy: "email", emailProblem: null },
    { type: "email", id: connection.id, ...mailDraft },
  );
}

/** The optional mail step; the domain is already live. */
export const mailing: Handlers<
  | "email_chosen"
  | "email_confirmed"
  | "email_revised"
  | "access_allowed"
  | "email_applied"
  | "sending_applied"
  | "sending_check_asked"
  | "email_done"
> = {
  email_chosen(state, { provider, inputs }) {
    const { step, busy, connection, mailAccess, reusesAccess } = state;
    if (step !== "email" || busy !== null || connection === null) return ignore(state);
    const mailDraft = { provider, inputs, access: reusesAccess ? mailAccess : null };
    return change(
      state,
      { busy: "email", emailProblem: null, email: null, sending: null, mailDraft },
      { type: "email", id: connection.id, ...mailDraft, isPreview: true },
    );
  },

  email_confirmed(state) {
    return state.step === "email" && state.busy === null ? writeMail(state) : ignore(state);
  },

  email_revised(state) {
    if (state.step !== "email" || state.busy !== null) return ignore(state);
    return change(state, { email: null, sending: null, mailDraft: null, emailProblem: null });
  },

  access_allowed(state, { isGiven }) {
    return change(state, { reusesAccess: isGiven });
  },

  email_applied(state, { result, isPreview }) {
    if (state.busy !== "email") return ignore(state);
    if (isPreview === true && result.written_records.length === 0) return writeMail(state);
    const mailDraft = isPreview === true ? state.mailDraft : null;
    return change(state, { busy: null, email: result, mailDraft });
  },

  sending_applied(state, { result, isPreview }) {
    if (state.step !== "email" || state.busy !== "email") return ignore(state);
    const isEmpty = !result.records.some(({ action }) => action === "written");
    if (isPreview === true && isEmpty) return writeMail(state);
    const mailDraft = isPreview === true ? state.mailDraft : null;
    return change(state, { busy: null, sending: result, mailDraft });
  },

  sending_check_asked(state) {
    const { step, busy, connection, sending } = state;
    if (step !== "email" || busy !== null || connection === null || sending === null) {
      return ignore(state);
    }
    const { provider } = sending;
    const effect = { type: "check_sending", id: connection.id, provider } as const;
    return change(state, { busy: "email", emailProblem: null }, effect);
  },

  email_done(state) {
    return state.step === "email"
      ? change(state, { step: "success", busy: null, mailAccess: null, mailDraft: null })
      : ignore(state);
  },
};

/** Going back and closing. */
export const leaving: Handlers<"automatic_asked" | "back" | "close_asked" | "stayed" | "left"> = {
  automatic_asked(state) {
    const isFree = state.busy === null || state.busy === "share";
    return isFree && offersAutomatic(state) ? fromRecords({ ...state, busy: null }) : ignore(state);
  },

  back(state) {
    if (state.busy === null && isSwitchOpen(state)) {
      return waitFor(state);
    }
    switch (state.step) {
      case "domain_analysis":
        return change(state, { step: "enter_domain", busy: null, check: null });
      case "automatic_setup":
        return backFromAutomatic(state);
      case "manual_configuration":
        return backFromRecords(state);
      default:
        return ignore(state);
    }
  },

  close_asked(state) {
    if (state.closed !== null) return ignore(state);
    return needsConfirmation(state) ? change(state, { overlay: "exit" }) : close(state);
  },

  stayed(state) {
    return state.overlay === "exit" ? change(state, { overlay: null }) : ignore(state);
  },

  left: close,
};

/** From manual records to automatic setup, until ownership is proven. */
export function offersAutomatic(state: State): boolean {
  const isOpen = state.connection?.state === "pending_ownership" || state.isRepairing;
  const isRecords = state.step === "manual_configuration" && !isSwitchOpen(state);
  return isRecords && isOpen && canAutomate(state);
}

/** A contested name has no other screen than its records, beside the list. */
export function canGoBack({ connection, domains }: State): boolean {
  if (connection === null) return false;
  return domains.length > 0 || !connection.contest;
}

/** To where the records were asked for. */
function backFromRecords(state: State): Change {
  const { connection, recordsFrom } = state;
  const isFree = state.busy === null || state.busy === "share";
  if (connection === null || !isFree || !canGoBack(state)) return ignore(state);
  const free = { ...state, busy: null };
  if (connection.contest) return showDomains(free);
  if (state.isRepairing) return enter({ ...free, isRepairing: false }, connection);
  if (!isUnproven(connection)) return waitFor(free);
  return recordsFrom === null ? beforeSetup(free) : toSetup(free, recordsFrom);
}

/** What was found out about the domain; without that, the list or the field. */
function beforeSetup(state: State): Change {
  const back = { ...state, automatic: freshAutomatic, recordsFrom: null };
  if (state.check !== null) return change(back, { step: "domain_analysis" });
  return state.domains.length > 0 ? showDomains(back) : change(back, { step: "enter_domain" });
}

/** The person chooses how a prepared name is switched. */
function isSwitchOpen({ step, connection }: State): boolean {
  const isChoosing = step === "automatic_setup" || step === "manual_configuration";
  return isChoosing && canSwitch(connection);
}

function backFromAutomatic(state: State): Change {
  if (state.busy !== null) return ignore(state);
  const automatic = stepBack(state);
  if (automatic.mode === state.automatic.mode) return beforeSetup(state);
  return change(state, { automatic }, { type: "close_popup" });
}

/** An unfinished connection is not closed without confirmation. */
function needsConfirmation({ overlay, step, connection }: State): boolean {
  if (overlay !== null || connection === null) return false;
  return step !== "success" && step !== "error" && step !== "email";
}

function close(state: State): Change {
  if (state.closed !== null) return ignore(state);
  return change(
    state,
    {
      closed: closeReason(state),
      automatic: freshAutomatic,
      draft: {},
      mailAccess: null,
      mailDraft: null,
      interrupted: null,
    },
    { type: "close_popup" },
    { type: "close" },
  );
}

function closeReason(state: State): CloseReason {
  if (hasSucceeded(state)) return "success";
  if (state.overlay === "expired") return "expired";
  return state.step === "error" ? "error" : "user";
}
