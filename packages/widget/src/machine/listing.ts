import type { Connection } from "@mooring/sdk";
import { type Change, change, type Handlers, ignore } from "./event.ts";
import { initialState, type OwnDomain, type State } from "./state.ts";

/** Newest first, without what was disconnected. */
export function ownDomains(connections: readonly Connection[]): readonly OwnDomain[] {
  const open = connections.filter(({ state }) => state !== "archived");
  const isPartnerOf = (one: Connection, main: Connection) =>
    one.redirect_to === main.hostname && isPair(one.hostname, main.hostname);
  const mains = open.filter((one) => !open.some((other) => isPartnerOf(one, other)));
  return mains.map((main) => ({
    main,
    partner: open.find((one) => isPartnerOf(one, main)) ?? null,
  }));
}

function isPair(one: string, other: string): boolean {
  return one === `www.${other}` || other === `www.${one}`;
}

/** The customer's own domains: shown first when there are any, continued, disconnected. */
export const listing: Handlers<
  | "listed"
  | "domains_asked"
  | "domain_opened"
  | "another_asked"
  | "removal_asked"
  | "removal_cancelled"
  | "removal_confirmed"
  | "removed"
> = {
  listed(state, { connections }) {
    const domains = ownDomains(connections);
    const isWaiting = state.busy === "list";
    const next = { domains, busy: isWaiting ? null : state.busy };
    if (domains.length === 0) return change(state, { ...next, isListing: false, removing: null });
    // A person who has begun to type is not interrupted.
    return change(state, { ...next, isListing: state.isListing || (isWaiting && isFresh(state)) });
  },

  domains_asked(state) {
    if (state.domains.length === 0 || state.busy !== null) return ignore(state);
    return showDomains(state);
  },

  domain_opened(state, { id }) {
    const domain = findDomain(state, id);
    if (domain === null || state.busy !== null) return ignore(state);
    return change(
      state,
      { step: "domain_analysis", busy: "load", isListing: false, input: domain.main.hostname },
      { type: "load", id },
    );
  },

  another_asked(state) {
    if (!state.isListing) return ignore(state);
    return change(state, { isListing: false, removing: null, input: "" });
  },

  removal_asked(state, { id }) {
    if (!state.isListing || findDomain(state, id) === null) return ignore(state);
    return change(state, { removing: id, removeProblem: null });
  },

  removal_cancelled(state) {
    return state.busy === null ? change(state, { removing: null }) : ignore(state);
  },

  removal_confirmed(state) {
    const domain = findDomain(state, state.removing);
    if (domain === null || state.busy !== null) return ignore(state);
    // First the one that redirects: the main one then ends nothing else.
    const ids = [domain.partner, domain.main].flatMap((one) => (one === null ? [] : [one.id]));
    return change(state, { busy: "remove", removeProblem: null }, { type: "remove", ids });
  },

  removed(state, { connections }) {
    if (state.busy !== "remove") return ignore(state);
    const domains = ownDomains(connections);
    return change(state, { domains, busy: null, removing: null, isListing: domains.length > 0 });
  },
};

/** The list as it is known, while it is read again. */
export function showDomains(state: State): Change {
  const { setting, isOnline, succeededId, settings, domains } = state;
  const fresh = initialState(setting, "");
  const stored = { isOnline, succeededId, settings, domains, isListing: true };
  return change({ ...fresh, ...stored }, {}, { type: "list" });
}

function isFresh({ step, input }: State): boolean {
  return step === "enter_domain" && input === "";
}

function findDomain({ domains }: State, id: string | null): OwnDomain | null {
  return domains.find(({ main }) => main.id === id) ?? null;
}

/** What could not be listed is not shown; what could not be disconnected is said. */
export function afterListing(
  state: State,
  effect: "list" | "remove",
  problem: State["removeProblem"],
): Change {
  if (effect === "remove") return change(state, { busy: null, removeProblem: problem });
  return change(state, { busy: state.busy === "list" ? null : state.busy });
}
