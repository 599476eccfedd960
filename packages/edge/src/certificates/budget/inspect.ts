import { openPool } from "../../db/pool.ts";
import type { BudgetLeft } from "../../metrics/metrics.ts";
import { createBudget } from "./budget.ts";
import type { IssuanceLimitTable } from "./limits.ts";

/** What is left at each CA, for an operator. Changes nothing. */
export async function inspectBudgets(
  databaseUrl: string,
  settings: { readonly directories: readonly string[]; readonly limits: IssuanceLimitTable },
): Promise<readonly BudgetLeft[]> {
  const pool = openPool(databaseUrl, () => undefined, { connections: 1 });
  try {
    const budget = createBudget(pool, { now: () => new Date() }, settings);
    const left: BudgetLeft[] = [];
    for (const directory of settings.directories) left.push(await budget.left(directory));
    return left;
  } finally {
    await pool.end();
  }
}
