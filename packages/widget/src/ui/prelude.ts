import type { MachineEvent } from "../machine/event.ts";
import { initialState, type State } from "../machine/state.ts";
import type { ParsedOptions } from "../options.ts";
import { readClaims } from "../runner/token.ts";

/**
 * The widget until its session is loaded: what is typed is shown and not lost, a submitted domain
 * waits, and closing works.
 */
export interface Prelude {
  readonly dispatch: (event: MachineEvent) => void;
  readonly input: () => string;
  /** The person has submitted the domain already. */
  readonly isSubmitted: () => boolean;
}

export interface PreludeHooks {
  readonly onState: (state: State) => void;
  readonly onClosed: () => void;
}

/** What the session decides. */
const setting = { offersEmail: false, boundDomain: null, canRenew: false } as const;

export function createPrelude(
  { domain, connectionId, token }: Pick<ParsedOptions, "domain" | "connectionId" | "token">,
  { onState, onClosed }: PreludeHooks,
): Prelude {
  const first = initialState(setting, domain || (readClaims(token).domain ?? ""));
  const loading = { step: "domain_analysis", busy: "load" } as const;
  // A customer's own domains are loaded first; without any, the field is shown.
  const hasList = connectionId === null && domain === "" && readClaims(token).isOfCustomer;
  const fresh: State = hasList ? { ...first, busy: "list" } : first;
  let state: State = connectionId === null ? fresh : { ...first, ...loading };
  let isSubmitted = false;
  const show = (fields: Partial<State>) => {
    state = { ...state, ...fields };
    onState(state);
  };
  const submit = (isNow: boolean) => {
    isSubmitted = isNow;
    show(isNow ? { step: "domain_analysis", busy: "check" } : { step: "enter_domain", busy: null });
  };
  const dispatch = (event: MachineEvent) => {
    switch (event.type) {
      case "typed":
        return show({ input: event.text });
      case "submitted":
        return state.input.trim() === "" ? undefined : submit(true);
      case "back":
        return isSubmitted ? submit(false) : undefined;
      case "went_offline":
      case "went_online":
        return show({ isOnline: event.type === "went_online" });
      case "close_asked":
      case "left":
        return onClosed();
      default:
        return;
    }
  };
  onState(state);
  return { dispatch, input: () => state.input, isSubmitted: () => isSubmitted };
}
