import { hasSucceeded } from "./announcements.ts";
import { stepBack } from "./automating.ts";
import { type Change, change, type Handlers, ignore } from "./happenings.ts";
import { automatically, canAutomate } from "./routing.ts";
import { type CloseReason, freshAutomatic, type State } from "./state.ts";

/** Going back, and going away. */
export const leaving: Handlers<"back" | "close_asked" | "stayed" | "left"> = {
  back(state) {
    switch (state.step) {
      case "domain_analysis":
        return change(state, { step: "enter_domain", busy: null, check: null });
      case "automatic_setup":
        return backFromAutomatic(state);
      case "manual_configuration":
        return canGoBack(state) ? automatically({ ...state, busy: null }) : ignore(state);
      default:
        return ignore(state);
    }
  },

  close_asked(state) {
    if (state.closed !== null) return ignore(state);
    return needsWord(state) ? change(state, { overlay: "exit" }) : close(state);
  },

  stayed(state) {
    return state.overlay === "exit" ? change(state, { overlay: null }) : ignore(state);
  },

  left: close,
};

/** From records by hand to the automatic way, as long as nothing is proven yet. */
export function canGoBack(state: State): boolean {
  const isOpen = state.connection?.state === "pending_ownership" || state.isRepairing;
  return state.step === "manual_configuration" && isOpen && canAutomate(state);
}

function backFromAutomatic(state: State): Change {
  if (state.busy !== null) return ignore(state);
  return change(state, { automatic: stepBack(state) }, { type: "close_popup" });
}

/** Whoever has begun and not finished is told that nothing is lost. */
function needsWord({ overlay, step, connection }: State): boolean {
  if (overlay !== null || connection === null) return false;
  return step !== "success" && step !== "error" && step !== "email";
}

function close(state: State): Change {
  if (state.closed !== null) return ignore(state);
  return change(
    state,
    { closed: reasonOf(state), automatic: freshAutomatic, interrupted: null },
    { type: "close_popup" },
    { type: "close" },
  );
}

function reasonOf(state: State): CloseReason {
  if (hasSucceeded(state)) return "success";
  if (state.overlay === "expired") return "expired";
  return state.step === "error" ? "error" : "user";
}
