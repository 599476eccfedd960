import { automating } from "./automating.ts";
import type { Effect } from "./effects.ts";
import { entering } from "./entering.ts";
import { failing } from "./failing.ts";
import type { Change, Handler, Handlers, Happening, HappeningType } from "./happenings.ts";
import { ignore } from "./happenings.ts";
import { leaving } from "./leaving.ts";
import { mailing } from "./mailing.ts";
import { initialState, type Setting } from "./state.ts";
import { watching } from "./watching.ts";

const handlers: Handlers<HappeningType> = {
  ...entering,
  ...automating,
  ...watching,
  ...mailing,
  ...leaving,
  ...failing,
};

/** Pure and total: every happening has an answer in every state, if only to change nothing. */
export function transition<T extends HappeningType>(
  state: Change["state"],
  happening: Happening<T>,
): Change {
  if (state.closed !== null) return ignore(state);
  const handler: Handler<T> = handlers[happening.type];
  return handler(state, happening);
}

export interface Beginning {
  readonly setting: Setting;
  readonly domain: string;
  readonly connectionId: string | null;
}

/** The first state; a connection that is named is gone on with. */
export function begin({ setting, domain, connectionId }: Beginning): Change {
  const state = initialState(setting, domain || (setting.boundDomain ?? ""));
  if (connectionId === null) return { state, effects: [] };
  const effects: readonly Effect[] = [{ type: "load", id: connectionId }];
  return { state: { ...state, step: "domain_analysis", busy: "load" }, effects };
}
