import type { Config } from "../../../config/config.ts";
import type { Connection } from "../../../domain/connections/connection.ts";
import type { ProxiedChoice } from "../../../domain/connections/front.ts";
import { isInSandbox } from "../../sandbox/watch.ts";

/** What the application chose; an edge that is not ours answers no probe, so names are refused. */
export function frontChoice(
  { edgeKind }: Pick<Config, "edgeKind">,
  connection: Pick<Connection, "environment" | "hostname">,
  chosen: ProxiedChoice,
): ProxiedChoice {
  return edgeKind === "external" && !isInSandbox(connection) ? "refuse" : chosen;
}
