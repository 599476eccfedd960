import type { DatabaseInfo } from "@mooring/control";
import { type Config, databaseUrl } from "@mooring/control/settings";
import { inspectBudgets } from "@mooring/edge";
import { type Finding, ok, warn } from "./finding.ts";

const check = "ca_budget";

/** What is left of the limits of each CA, and which names wait for them. */
export async function checkBudgets(
  config: Config,
  facts: DatabaseInfo | null,
): Promise<readonly Finding[]> {
  const { acmeDirectoryUrls: directories, issuanceLimits: limits } = config;
  const canRead = facts !== null && facts.schema.actual === facts.schema.expected;
  if (directories.length === 0 || !canRead || !mayActAsEdge(facts)) return [];
  const budgets = await inspectBudgets(databaseUrl(config), { directories, limits });
  return budgets.map(({ directory, orders, ordersLimit, waiting, heldUntil, heldFor }) => {
    const names = waiting === 1 ? "1 name waits" : `${waiting} names wait`;
    const detail = `${directory}: ${orders} of ${ordersLimit} new orders left, ${names}`;
    if (heldUntil === null) return ok(check, detail);
    const until = heldUntil.toISOString();
    return heldFor === "ca_unavailable"
      ? warn(
          check,
          `${detail}; the CA does not take orders, the next one is tried at ${until}`,
          "see the edge's log for what the CA answered",
        )
      : warn(
          check,
          `${detail}; the CA has asked to wait until ${until}`,
          "wait; for more, ask the CA for higher limits and set them in ISSUANCE_LIMITS",
        );
  });
}

function mayActAsEdge({ roles }: DatabaseInfo): boolean {
  return roles.some(({ name, isGranted }) => name === "mooring_edge" && isGranted);
}
