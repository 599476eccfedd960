import type { RecordCheck, ResponseOf } from "@mooring/sdk";
import type { SvcEvent } from "../events.ts";
import type { Change, MachineEvent } from "../machine/event.ts";
import { type Joined, joined } from "../machine/joined.ts";
import { begin, pageEvents, transition } from "../machine/machine.ts";
import type { CheckTimes, Effect, EffectType, State } from "../machine/state.ts";
import { planWatch, type Watch } from "../machine/watching.ts";
import type { ParsedOptions } from "../options.ts";
import { type Api, ApiProblem, createApi, createProblem } from "./api.ts";
import { createPerformers, type Performers } from "./effects.ts";
import { createOriginCheck, originHelp } from "./origin.ts";
import { createPoller } from "./poller.ts";
import { createPopup } from "./popup.ts";
import { createRenewal, isRefused, type Renewal, readClaims } from "./token.ts";

export interface SessionHooks {
  readonly onState: (state: State) => void;
  readonly onEvent: (event: SvcEvent) => void;
  readonly onClosed: () => void;
}

export interface Session {
  readonly dispatch: (event: MachineEvent) => void;
  readonly stop: () => void;
}

/** After this time without success the widget shows a diagnosis. */
const stallAfterMs = 45_000;

/** Runs one machine: stores its state, performs its effects and polls as the state requires. */
export function createSession(
  window: Window,
  options: ParsedOptions,
  hooks: SessionHooks,
): Session {
  const ending = new AbortController();
  const { document, navigator } = window;
  const renewal = createRenewal(options.token, options.getToken);
  const api = guardedApi(window, options, renewal, ending.signal);
  const poller = createPoller({
    setTimeout: (run, ms) => window.setTimeout(run, ms),
    clearTimeout: (timer) => window.clearTimeout(timer),
    isHidden: () => document.visibilityState === "hidden",
    isOnline: () => navigator.onLine,
  });
  const popup = createPopup({
    window,
    origin: new URL(options.baseUrl).origin,
    onReturn: (status, grant) =>
      dispatch({ type: "popup_changed", status, ...(grant === null ? {} : { grant }) }),
    onClosed: () => dispatch({ type: "popup_changed", status: "closed" }),
  });
  let stallTimer: number | undefined;
  const performers = createPerformers({
    api,
    applicationId: options.applicationId,
    popup,
    pollNow: () => poller.nudge(),
    timeStall() {
      window.clearTimeout(stallTimer);
      stallTimer = window.setTimeout(() => dispatch({ type: "stalling" }), stallAfterMs);
    },
    renew: async () => ((await renewal.renew()) ? renewed(renewal) : { type: "renew_failed" }),
    close: () => hooks.onClosed(),
  });
  const dispatch = createLoop(beginning(options), telling(options, hooks), {
    watch(watch, step) {
      poller.watch(watch && `${watch.id} ${step}`, () =>
        pollOnce(api, watch, dispatch, () => navigator.onLine),
      );
    },
    perform: (effect) => void perform(performers, effect, (event) => dispatch(event)),
  });
  listen(window, dispatch, () => poller.wake(), ending.signal);
  return {
    dispatch,
    stop() {
      poller.stop();
      popup.close();
      window.clearTimeout(stallTimer);
      ending.abort();
    },
  };
}

function guardedApi(window: Window, options: ParsedOptions, renewal: Renewal, signal: AbortSignal) {
  const { baseUrl } = options;
  const fetch: typeof globalThis.fetch = (input, init) => window.fetch(input, init);
  const { origin: pageOrigin } = window.location;
  const origin = createOriginCheck({ baseUrl, pageOrigin, fetch, signal });
  return renewal.guard(createApi({ baseUrl, token: renewal.token, fetch, signal, origin }));
}

function beginning({ domain, connectionId, email, getToken, token }: ParsedOptions): Change {
  const setting = {
    offersEmail: email,
    boundDomain: readClaims(token).domain,
    canRenew: getToken !== null,
    isOfCustomer: readClaims(token).isOfCustomer,
  };
  return begin({ setting, domain, connectionId });
}

/**
 * The customer can do nothing about a forgotten origin; the page's developer searches in the
 * console.
 */
function telling({ baseUrl, applicationId }: ParsedOptions, hooks: SessionHooks): SessionHooks {
  return {
    ...hooks,
    onEvent(event) {
      if (event.name === "svc:error" && event.detail.code === "origin") {
        // biome-ignore lint/suspicious/noConsole: the console is where the page's developer reads
        console.error(originHelp(baseUrl, applicationId, location.origin));
      }
      hooks.onEvent(event);
    },
  };
}

interface LoopActions {
  readonly watch: (watch: Watch | null, step: string) => void;
  readonly perform: (effect: Effect) => void;
}

/** Sends each event through the machine and acts on the new state. */
function createLoop(first: Change, hooks: SessionHooks, actions: LoopActions): Dispatch {
  let state: State | null = null;
  const settle = (next: State, effects: readonly Effect[]) => {
    const before = state;
    state = next;
    actions.watch(planWatch(next), next.step);
    hooks.onState(next);
    for (const event of pageEvents(before, next)) hooks.onEvent(event);
    for (const effect of effects) actions.perform(effect);
  };
  // Results of the first effects are dispatched after this function returns.
  settle(first.state, first.effects);
  return (event) => {
    if (state === null) return;
    const { state: next, effects } = transition(state, event);
    if (next !== state || effects.length > 0) settle(next, effects);
  };
}

/** Reacts to the network and to the visibility of the tab. */
function listen(window: Window, dispatch: Dispatch, wake: () => void, signal: AbortSignal): void {
  const online = () => {
    dispatch({ type: "went_online" });
    wake();
  };
  window.addEventListener("online", online, { signal });
  window.addEventListener("offline", () => dispatch({ type: "went_offline" }), { signal });
  window.document.addEventListener("visibilitychange", wake, { signal });
}

function renewed({ token }: Renewal): MachineEvent {
  return { type: "renewed", boundDomain: readClaims(token()).domain };
}

type Dispatch = (event: MachineEvent) => void;

function performOne<T extends EffectType>(performers: Performers, effect: Effect<T>) {
  return performers[effect.type](effect);
}

async function perform(performers: Performers, effect: Effect, dispatch: Dispatch): Promise<void> {
  try {
    const event = await performOne(performers, effect);
    if (event !== null) dispatch(event);
  } catch (error) {
    const problem =
      error instanceof ApiProblem ? error.problem : createProblem("internal", String(error));
    dispatch(
      isRefused(error) ? { type: "expired", effect, problem } : { type: "failed", effect, problem },
    );
  }
}

/** One poll; resolves to the seconds of the service's Retry-After, or null. */
async function pollOnce(
  api: Api,
  watch: Watch | null,
  dispatch: Dispatch,
  isOnline: () => boolean,
): Promise<number | null> {
  if (watch === null) return null;
  try {
    const checks = [];
    for (const id of watchedIds(watch)) checks.push(await checkRecords(api, id, watch));
    const { retryAfter, ...seen } = together(checks);
    const connection = await readJoined(api, watch);
    // A response may still arrive after the network was lost.
    if (isOnline()) dispatch({ type: "went_online" });
    dispatch({ type: "polled", connection, ...seen });
    return retryAfter;
  } catch (error) {
    if (!(error instanceof ApiProblem)) throw error;
    const { problem } = error;
    if (isRefused(error)) dispatch({ type: "expired", effect: null, problem });
    if (error.status === 0) dispatch({ type: "went_offline" });
    return problem.retryAfterSeconds;
  }
}

/** Both names of a pair are polled. */
function watchedIds({ id, partnerId }: Watch): readonly string[] {
  return partnerId === undefined ? [id] : [id, partnerId];
}

async function readJoined(api: Api, watch: Watch): Promise<Joined> {
  const [main, partner] = await Promise.all(
    watchedIds(watch).map((id) =>
      api.call<ResponseOf<"get_connections_id">>("GET", `connections/${id}`),
    ),
  );
  if (main === undefined) throw new Error("nothing was polled");
  return joined(main, partner ?? null);
}

interface PolledRecords {
  readonly records: readonly RecordCheck[] | null;
  readonly times: CheckTimes | null;
  readonly proofs?: readonly RecordCheck[];
  readonly isEarly?: boolean;
  readonly retryAfter: number | null;
}

/** Of a pair only both together are an answer. */
function together(checks: readonly PolledRecords[]): PolledRecords {
  const [first = { records: null, times: null, retryAfter: null }, ...others] = checks;
  return others.reduce(
    (all, one) => ({
      records:
        all.records === null || one.records === null ? null : [...all.records, ...one.records],
      times: all.times === null ? null : one.times,
      ...(all.proofs && one.proofs ? { proofs: [...all.proofs, ...one.proofs] } : {}),
      ...(all.isEarly === undefined ? {} : { isEarly: all.isEarly && one.isEarly !== false }),
      retryAfter: all.retryAfter ?? one.retryAfter,
    }),
    first,
  );
}

/** On 429, and on 409 for an ended connection, the connection alone is polled. */
async function checkRecords(
  api: Api,
  id: string,
  { withRecords, isAdded }: Watch,
): Promise<PolledRecords> {
  if (!withRecords) return { records: null, times: null, retryAfter: null };
  try {
    const checked = await api.call<ResponseOf<"post_connections_id_records_check">>(
      "POST",
      `connections/${id}/records:check${isAdded === true ? "?added=true" : ""}`,
    );
    const { records, ownership, early: isEarly, checked_at: at, next_check_at: nextAt } = checked;
    const proofs = ownership === null ? [] : [ownership];
    return { records, proofs, isEarly, times: { at, nextAt }, retryAfter: null };
  } catch (error) {
    if (!(error instanceof ApiProblem) || ![409, 429].includes(error.status)) throw error;
    return { records: null, times: null, retryAfter: error.problem.retryAfterSeconds };
  }
}
