import type { ListedConnection } from "@mooring/sdk";
import { Badge } from "../ui/status.tsx";
import { Ago } from "../ui/time.tsx";
import { stateLabel, stateTone } from "./state-text.ts";

/**
 * A live domain in trouble is not simply green, and an archived one whose name still resolves to us
 * is not simply archived.
 */
export function StateBadge({
  state,
  error,
  isDangling = false,
}: {
  readonly state: string;
  readonly error?: string | null;
  readonly isDangling?: boolean;
}) {
  if (isDangling) return <Badge tone="wait">Left behind</Badge>;
  const isTroubled = state === "live" && error !== undefined && error !== null;
  const tone = isTroubled ? "wait" : stateTone(state);
  return <Badge tone={tone}>{isTroubled ? "Live, at risk" : stateLabel(state)}</Badge>;
}

export function StateWithAge({ connection }: { readonly connection: ListedConnection }) {
  return (
    <span className="row">
      <StateBadge
        state={connection.state}
        error={connection.error_code}
        isDangling={connection.dangling}
      />
      <span className="muted">
        <Ago at={connection.state_since} bare />
      </span>
    </span>
  );
}
