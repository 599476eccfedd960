import type { ConnectionDetail, DomainCheck } from "@mooring/sdk";
import type { MachineEvent } from "../../../widget/src/machine/event.ts";
import { begin, transition } from "../../../widget/src/machine/machine.ts";
import type { Setting, State } from "../../../widget/src/machine/state.ts";
import { connectionId, sampleCheck, sampleConnection, sampleRecords } from "./samples.ts";

export const plain: Setting = { offersEmail: false, boundDomain: null, canRenew: false };

export function start(input: Partial<Setting> = {}): State {
  return begin({ setting: { ...plain, ...input }, domain: "", connectionId: null }).state;
}

export function after(state: State, ...events: readonly MachineEvent[]) {
  let change = { state, effects: [] as readonly { readonly type: string }[] };
  for (const event of events) change = transition(change.state, event);
  return change;
}

/** The state of a widget that was opened with a connection. */
export function opened(
  connection: Partial<ConnectionDetail>,
  check: Partial<DomainCheck> = {},
  setting: Partial<Setting> = {},
): State {
  const { state } = begin({ setting: { ...plain, ...setting }, domain: "", connectionId });
  return after(state, {
    type: "loaded",
    connection: sampleConnection(connection),
    check: sampleCheck(check),
  }).state;
}

export const polled = (input: Partial<ConnectionDetail>, areFound = false): MachineEvent => ({
  type: "polled",
  connection: sampleConnection(input),
  records: sampleRecords(areFound),
});
