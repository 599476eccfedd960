import { canSwitch, findBlockers, switched } from "./cutover.ts";
import { type Change, change, type Handlers, ignore } from "./event.ts";
import { paired } from "./joined.ts";
import { automatically, byHand } from "./routing.ts";
import { freshAutomatic, type State } from "./state.ts";

/** The choice to prepare first, and the switch. */
export const moving: Handlers<"cutover_chosen" | "origin_accepted" | "switch_asked"> = {
  cutover_chosen(state, { isWanted }) {
    const isFree = state.step === "domain_analysis" && state.busy === null;
    return isFree ? change(state, { cutoverChoice: isWanted }) : ignore(state);
  },

  origin_accepted(state, { isGiven }) {
    return change(state, { acceptsOrigin: isGiven });
  },

  switch_asked(state, { way }) {
    return maySwitch(state) ? startSwitch(state, way) : ignore(state);
  },
};

function maySwitch({ step, connection, busy, acceptsOrigin }: State): boolean {
  if (step !== "in_progress" || busy !== null || connection === null) return false;
  return canSwitch(connection) && findBlockers(connection, acceptsOrigin).length === 0;
}

function startSwitch(state: State, way: "automatic" | "manual"): Change {
  const { connection, mailAccess, reusesAccess } = state;
  if (way === "manual" || connection === null) return byHand(state);
  if (mailAccess === null || !reusesAccess) return automatically(state);
  const { provider, fields: credential } = mailAccess;
  return change(
    state,
    {
      step: "automatic_setup",
      way,
      busy: "plan",
      automatic: { ...freshAutomatic, mode: "credential", credential },
    },
    {
      type: "plan",
      id: connection.id,
      provider,
      credential,
      ...paired(connection),
      ...switched(state),
    },
  );
}
