import type { RecordChange, RecordPlan } from "@mooring/sdk";
import { canSwitch, moveStatus, switched } from "./cutover.ts";
import { type Change, change, type Handlers, ignore } from "./event.ts";
import { type Joined, paired, partsOf } from "./joined.ts";
import { byHand, firstMode, isUnproven, waitFor } from "./routing.ts";
import {
  type Automatic,
  type DnsAccess,
  type Effect,
  freshAutomatic,
  type PopupState,
  type State,
} from "./state.ts";

/** Automatic setup: consent at the provider, a stored credential, or a pasted one. */
export const automating: Handlers<
  | "method_chosen"
  | "credential_typed"
  | "credential_given"
  | "alternative_chosen"
  | "planned"
  | "consented"
  | "mail_loss_accepted"
  | "plan_accepted"
  | "applied"
  | "popup_changed"
> = {
  method_chosen(state, { method }) {
    if (state.step !== "automatic_setup" || state.busy !== null) return ignore(state);
    if (method === "manual") return byHand({ ...state, recordsFrom: choiceMode(state) });
    if (method === "credential") {
      const { alternative } = state.automatic;
      return inMode(state, { ...freshAutomatic, mode: "credential", alternative });
    }
    return startPopup(state, method);
  },

  credential_typed(state, { key, text }) {
    if (state.automatic.mode !== "credential") return ignore(state);
    return change(state, { draft: { ...state.draft, [key]: text } });
  },

  credential_given(state, { fields }) {
    const { step, connection, check, busy } = state;
    if (step !== "automatic_setup" || connection === null || busy !== null) return ignore(state);
    return change(
      state,
      {
        busy: "plan",
        automatic: {
          ...freshAutomatic,
          mode: "credential",
          credential: fields,
          alternative: state.automatic.alternative,
        },
      },
      {
        type: "plan",
        id: connection.id,
        provider: check?.provider_slug ?? null,
        credential: fields,
        ...paired(connection),
        ...switched(state),
      },
    );
  },

  alternative_chosen(state, { index }) {
    const { automatic, busy, check } = state;
    const isOffered = index >= 0 && index < (check?.guide.token?.alternatives.length ?? 0);
    if (automatic.mode !== "credential" || busy !== null || !isOffered) return ignore(state);
    return inMode(state, { ...automatic, alternative: index });
  },

  planned(state, { plan }) {
    if (state.busy !== "plan") return ignore(state);
    const isStored = state.automatic.credential === null;
    const automatic: Automatic = {
      ...state.automatic,
      mode: "plan",
      credential: state.automatic.credential ?? "stored",
      plan,
      replace: [],
      mailLoss: [],
      problem: null,
    };
    const next = { ...state, busy: null, automatic };
    // The tenant stored its credential for this purpose; only a conflict needs the person's
    // consent.
    const isAgreed = isStored || isSwitch(state);
    return isAgreed && findConflicts(plan).length === 0 ? apply(next) : change(next, {});
  },

  consented(state, { id, isGiven }) {
    const { automatic } = state;
    const offered = findConflicts(automatic.plan).filter(({ replaceable }) => replaceable);
    if (!offered.some((conflict) => conflict.id === id)) return ignore(state);
    return inMode(state, { ...automatic, replace: toggled(automatic.replace, id, isGiven) });
  },

  mail_loss_accepted(state, { id, isGiven }) {
    const { automatic } = state;
    if (!findConflicts(automatic.plan).some((one) => one.id === id && losesMail(one))) {
      return ignore(state);
    }
    return inMode(state, { ...automatic, mailLoss: toggled(automatic.mailLoss, id, isGiven) });
  },

  plan_accepted(state) {
    const { step, busy, automatic } = state;
    if (step !== "automatic_setup" || busy !== null) return ignore(state);
    return mayApply(automatic) ? apply(state) : ignore(state);
  },

  applied(state, { plan }) {
    if (state.busy !== "apply") return ignore(state);
    const next = { ...state, busy: null };
    if (plan.applied) {
      return waitFor({ ...next, mailAccess: chooseAccess(state), reusesAccess: false });
    }
    // The zone changed since the preview: the new conflicts are shown and need consent again.
    return inMode(next, { ...state.automatic, mode: "plan", plan, replace: [], mailLoss: [] });
  },

  popup_changed(state, { status, applyUrl, providerName, covers, grant }) {
    const { popup } = state.automatic;
    if (state.automatic.mode !== "popup" || popup === null) return ignore(state);
    if (grant !== undefined) return planWith(state, grant);
    if (status === "returned") return afterConsent(state);
    const next: PopupState = {
      method: popup.method,
      status,
      applyUrl: applyUrl ?? popup.applyUrl,
      providerName: providerName ?? popup.providerName,
      covers: covers ?? popup.covers,
    };
    return inMode(state, { ...state.automatic, popup: next });
  },
};

const afterReturn = [
  { type: "close_popup" },
  { type: "time_stall" },
  { type: "poll_now" },
] as const;

/** A provider that takes one name at a time is visited again for the other one of a pair. */
function afterConsent(state: State): Change {
  const { connection, automatic } = state;
  const consented = [...automatic.consented, ...(automatic.popup?.covers ?? [])];
  const next = { ...state, automatic: { ...automatic, consented } };
  if (connection === null || nextConsent(next) === null) {
    return change(waitFor(state).state, {}, ...afterReturn);
  }
  return change(
    state,
    { automatic: { ...freshAutomatic, consented } },
    { type: "close_popup" },
    { type: "poll_now" },
  );
}

/** The connection whose records are to be approved next; null when none is left. */
function nextConsent({ connection, automatic }: State): string | null {
  const waiting = (connection === null ? [] : partsOf(connection)).filter(
    (one) => !automatic.consented.includes(one.id),
  );
  return (waiting.find(isUnproven) ?? waiting[0])?.id ?? null;
}

function inMode(state: State, automatic: Automatic): Change {
  return change(state, { automatic });
}

/**
 * An unused URL is opened again. After a refusal or a closed window the URL may have been used, and
 * it is valid once, so a new one is requested.
 */
function startPopup(state: State, method: PopupState["method"]): Change {
  const { connection, automatic } = state;
  if (connection === null) return ignore(state);
  const { popup: last } = automatic;
  const isSame = last?.method === method;
  const isUnused = isSame && (last.status === "blocked" || last.status === "open");
  const url = isUnused ? last.applyUrl : null;
  const popup: PopupState = {
    method,
    status: url === null ? "starting" : "open",
    applyUrl: url,
    providerName: last?.providerName ?? null,
    covers: isUnused ? last.covers : [],
  };
  return change(
    state,
    { automatic: { ...freshAutomatic, mode: "popup", popup, consented: automatic.consented } },
    url === null
      ? method === "oauth"
        ? { type: "start_oauth", id: connection.id }
        : startConsent(state, connection)
      : { type: "reopen_popup", url },
  );
}

/** One consent is asked for both names of a pair, unless one of them is done. */
function startConsent(state: State, connection: Joined): Effect<"start_domain_connect"> {
  const isForBoth = partsOf(connection).every(isUnproven) && state.automatic.consented.length === 0;
  const id = nextConsent(state) ?? connection.id;
  return { type: "start_domain_connect", id, ...(isForBoth ? paired(connection) : {}) };
}

/** The person has signed in: the plan is shown, as with a token. */
function planWith(state: State, grant: string): Change {
  const { connection } = state;
  if (connection === null) return ignore(state);
  const credential = { oauth_grant: grant };
  return change(
    state,
    { busy: "plan", automatic: { ...freshAutomatic, mode: "choose", credential } },
    { type: "close_popup" },
    {
      type: "plan",
      id: connection.id,
      provider: null,
      credential,
      ...paired(connection),
      ...switched(state),
    },
  );
}

export function isSignedIn({ credential }: Automatic): boolean {
  return credential !== null && credential !== "stored" && "oauth_grant" in credential;
}

function apply(state: State): Change {
  const { connection, check, automatic } = state;
  const { credential, replace } = automatic;
  if (connection === null || credential === null) return ignore(state);
  return change(
    state,
    { busy: "apply", automatic: { ...automatic, problem: null } },
    {
      type: "apply",
      id: connection.id,
      provider: credential === "stored" ? null : (check?.provider_slug ?? null),
      credential,
      replace,
      ...paired(connection),
      ...switched(state),
    },
  );
}

export function findConflicts(plan: RecordPlan | null) {
  return (plan?.changes ?? []).filter(({ action }) => action === "conflict");
}

function toggled(ids: readonly string[], id: string, isGiven: boolean): readonly string[] {
  const others = ids.filter((other) => other !== id);
  return isGiven ? [...others, id] : others;
}

function losesMail({ existing }: RecordChange): boolean {
  return existing.some(({ type }) => type === "MX");
}

/**
 * Whether the person consented to every conflict, and to the loss of mail where an MX record is
 * replaced; one that cannot be replaced stops the plan.
 */
export function mayApply({ plan, replace, mailLoss }: Automatic): boolean {
  if (plan === null) return false;
  return findConflicts(plan).every(
    (one) => replace.includes(one.id) && (!losesMail(one) || mailLoss.includes(one.id)),
  );
}

/** From the plan back to the form with what was entered; from the form back to the choice. */
export function stepBack(state: State): Automatic {
  const first = firstMode(state);
  const { mode: now, credential: input } = state.automatic;
  if (now === "plan" && input !== "stored" && !isSignedIn(state.automatic)) {
    const { credential, alternative } = state.automatic;
    return { ...freshAutomatic, mode: "credential", credential, alternative };
  }
  return { ...freshAutomatic, mode: first, alternative: state.automatic.alternative };
}

/** Where the person chose to add the records by hand: among the ways, or at the form. */
function choiceMode(state: State): "choose" | "credential" {
  return state.automatic.mode === "credential" || firstMode(state) === "credential"
    ? "credential"
    : "choose";
}

/**
 * The person has pressed the switch and gave the access before: the records are those that were
 * shown.
 */
function isSwitch({ connection, mailAccess, reusesAccess }: State): boolean {
  return mailAccess !== null && reusesAccess && canSwitch(connection);
}

/** What a customer gave is stored only for the mail step and for the switch, where there is one. */
function chooseAccess({ automatic, check, setting, connection }: State): DnsAccess | null {
  const { credential } = automatic;
  const provider = check?.provider_slug ?? null;
  // What a sign-in gave is used up.
  if (credential === null || credential === "stored" || isSignedIn(automatic)) return null;
  const isGiven = setting.offersEmail || moveStatus(connection) !== null;
  return isGiven && provider !== null ? { provider, fields: credential } : null;
}
