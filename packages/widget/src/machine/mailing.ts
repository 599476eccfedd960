import { change, type Handlers, ignore } from "./happenings.ts";

/** The optional step for mail; the domain is live already. */
export const mailing: Handlers<"email_chosen" | "email_applied" | "email_done"> = {
  email_chosen(state, { provider }) {
    const { step, busy, connection } = state;
    if (step !== "email" || busy !== null || connection === null) return ignore(state);
    return change(
      state,
      { busy: "email", emailProblem: null, email: null },
      { type: "email", id: connection.id, provider },
    );
  },

  email_applied(state, { result }) {
    if (state.busy !== "email") return ignore(state);
    return change(state, { busy: null, email: result });
  },

  email_done(state) {
    return state.step === "email" ? change(state, { step: "success", busy: null }) : ignore(state);
  },
};
