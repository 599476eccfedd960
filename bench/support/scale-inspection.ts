import type pg from "pg";
import { openRuntime, readConfig } from "../../packages/control/src/index.ts";
import { openPool } from "../../packages/edge/src/db/pool.ts";
import { instantResolver } from "./instant-resolver.ts";
import {
  collectPlans,
  type PlanKind,
  reportPlans,
  type StatementPlan,
  tableSizes,
} from "./plans.ts";
import type { ScaleData } from "./scale-data.ts";
import { type Operation, operations } from "./scale-operations.ts";

export interface Inspected {
  readonly name: string;
  readonly plans: readonly StatementPlan[];
}

export interface Problem {
  readonly operation: string;
  readonly problem: string;
  readonly text: string;
  /** Why it is accepted; null when it is not. */
  readonly reason: string | null;
}

/**
 * Runs every operation as the product does, under its roles, and returns what would not hold with
 * more rows. Inspect generic plans first: they leave what the custom ones need. Tables that have
 * few rows here count as small: fill the database first.
 */
export async function inspectOperations(
  database: {
    readonly url: string;
    readonly env: Readonly<Record<string, string>>;
    readonly session: pg.Client;
    readonly data: ScaleData;
  },
  kind: PlanKind,
  onInspected: (inspected: Inspected) => void = () => undefined,
): Promise<readonly Problem[]> {
  const { url, env, session, data } = database;
  const sizes = await tableSizes(session);
  await reportPlans(session, kind);
  const config = readConfig(env);
  const options = { url, resolver: instantResolver };
  const api = await openRuntime(config, { ...options, role: "mooring_api", name: "api" });
  const worker = await openRuntime(config, { ...options, role: "mooring_worker", name: "worker" });
  const edge = openPool(url, () => undefined);
  const pools = [api.runtime.database.pool, worker.runtime.database.pool, edge];
  const collectors = pools.map((pool) => collectPlans(pool, sizes, kind));
  const take = () => collectors.flatMap((collector) => collector.take());
  const problems: Problem[] = [];
  try {
    const isGeneric = kind === "generic";
    const used = isGeneric ? { ...data, small: data.second } : data;
    for (const operation of operations) {
      if (isGeneric && operation.isOnce) continue;
      take();
      await operation.run({ data: used, api: api.runtime, worker: worker.runtime, edge });
      const plans = take();
      onInspected({ name: operation.name, plans });
      problems.push(...plans.flatMap((plan) => toProblems(operation, plan)));
    }
    return problems;
  } finally {
    await Promise.all([api.close(), worker.close(), edge.end()]);
  }
}

function toProblems(operation: Operation, { problems, text }: StatementPlan): readonly Problem[] {
  return problems.map((problem) => ({
    operation: operation.name,
    problem,
    text,
    reason: operation.exception ?? null,
  }));
}
