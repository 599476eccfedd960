import type { Connection, ListedConnection } from "@mooring/sdk";
import { Badge } from "../ui/status.tsx";
import { Ago } from "../ui/time.tsx";
import { situationText } from "./state-text.ts";

/** An archived domain whose name still resolves to us is not simply archived. */
export function StateBadge({
  connection,
}: {
  readonly connection: Pick<Connection, "state" | "error_code" | "cutover"> & {
    readonly dangling?: boolean;
  };
}) {
  if (connection.dangling === true) return <Badge tone="wait">Left behind</Badge>;
  const { label, tone } = situationText(connection);
  return <Badge tone={tone}>{label}</Badge>;
}

export function StateWithAge({ connection }: { readonly connection: ListedConnection }) {
  return (
    <span className="row">
      <StateBadge connection={connection} />
      <span className="muted">
        <Ago at={connection.state_since} bare />
      </span>
    </span>
  );
}
