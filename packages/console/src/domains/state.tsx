import type { ConnectionState, ListedConnection } from "@mooring/sdk";
import { Badge, type Tone } from "../ui/status.tsx";
import { Ago } from "../ui/time.tsx";

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

function isState(state: string): state is ConnectionState {
  return Object.hasOwn(states, state);
}

const acronyms = /\b(?:api|ca|caa|dns|dnssec|ssl|txt|url)\b/g;

/** `record_missing` → `Record missing`, `txt_mismatch` → `TXT mismatch` */
export function words(code: string): string {
  const text = code.replaceAll(/[._:]/g, " ").replaceAll(acronyms, (word) => word.toUpperCase());
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** A live domain in trouble is not simply green. */
export function StateBadge({
  state,
  error,
}: {
  readonly state: string;
  readonly error?: string | null;
}) {
  const isTroubled = state === "live" && error !== undefined && error !== null;
  const tone = isTroubled ? "wait" : isState(state) ? states[state].tone : "neutral";
  return <Badge tone={tone}>{isTroubled ? "Live, at risk" : stateLabel(state)}</Badge>;
}

export function StateWithAge({ connection }: { readonly connection: ListedConnection }) {
  return (
    <span className="row">
      <StateBadge state={connection.state} error={connection.error_code} />
      <span className="muted">
        <Ago at={connection.state_since} bare />
      </span>
    </span>
  );
}

const actors = {
  end_customer: "Customer's move",
  tenant: "Your move",
  operator: "Operator's move",
  wait: "Nothing to do: wait",
} as const;

export type Actor = keyof typeof actors;

export function actorLabel(actor: Actor): string {
  return actors[actor];
}
