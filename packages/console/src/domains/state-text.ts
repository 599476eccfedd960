import type { Connection, ConnectionState, Cutover } from "@mooring/sdk";
import type { Tone } from "../ui/status.tsx";

interface StateText {
  readonly label: string;
  readonly tone: Tone;
}

const states: Readonly<Record<ConnectionState, StateText>> = {
  created: { label: "Created", tone: "info" },
  pending_ownership: { label: "Waiting for proof", tone: "info" },
  verifying: { label: "Verifying", tone: "info" },
  verified: { label: "Verified", tone: "info" },
  dns_writing: { label: "Writing DNS", tone: "info" },
  propagating: { label: "Propagating", tone: "info" },
  stalled: { label: "Stalled", tone: "wait" },
  issuing_cert: { label: "Issuing certificate", tone: "info" },
  live: { label: "Live", tone: "good" },
  drifted: { label: "Drifted", tone: "bad" },
  failed: { label: "Failed", tone: "bad" },
  archived: { label: "Archived", tone: "neutral" },
};

export function stateLabel(state: string): string {
  return isState(state) ? states[state].label : words(state);
}

/** Of a name that serves visitors elsewhere. */
export const cutoverTexts: Readonly<Record<Cutover["status"], StateText>> = {
  preparing: { label: "Preparing", tone: "info" },
  ready: { label: "Ready to switch", tone: "good" },
  switching: { label: "Switching", tone: "info" },
  done: { label: "Moved here", tone: "good" },
  reverted: { label: "Moved back", tone: "wait" },
};

/** Proven, and not served yet: how far the move is says more than the state. */
const moving: readonly string[] = ["verified", "dns_writing", "propagating", "stalled"];

/**
 * A connection in one word, the same that its customer reads in the widget. A live domain in
 * trouble is not simply green.
 */
export function situationText({
  state,
  error_code: code,
  cutover,
}: Pick<Connection, "state" | "error_code" | "cutover">): StateText {
  if (cutover !== null && cutover.status !== "done" && moving.includes(state)) {
    return cutoverTexts[cutover.status];
  }
  if (state === "live" && code !== null) return { label: "Live, at risk", tone: "wait" };
  return states[state];
}

function isState(state: string): state is ConnectionState {
  return Object.hasOwn(states, state);
}

const acronyms = /\b(?:api|ca|caa|dns|dnssec|ssl|txt|url)\b/g;

/** `record_missing` → `Record missing`, `txt_mismatch` → `TXT mismatch` */
export function words(code: string): string {
  const text = code.replaceAll(/[._:]/g, " ").replaceAll(acronyms, (word) => word.toUpperCase());
  return text.charAt(0).toUpperCase() + text.slice(1);
}

const actorLabels = {
  end_customer: "Customer's move",
  tenant: "Your move",
  operator: "Operator's move",
  wait: "Nothing to do: wait",
} as const;

export type Actor = keyof typeof actorLabels;

/** In the order of the labels. */
export const actors = Object.keys(actorLabels) as readonly Actor[];

export function actorLabel(actor: Actor): string {
  return actorLabels[actor];
}
