import { largeServer, openBenchDatabase } from "./support/bench-database.ts";
import type { StatementPlan } from "./support/plans.ts";
import { line, ms } from "./support/report.ts";
import { fillScaleData } from "./support/scale-data.ts";
import { type Inspected, inspectOperations, type Problem } from "./support/scale-inspection.ts";

const defaultRows = 2_000_000;

/**
 * Every frequent statement on the data of a large installation, with its rows, time, buffers and
 * way of access. Fails on a sequential scan, a sort of a backlog, and a cost that grows with a
 * table, unless that is listed with a reason.
 */
export async function benchScale(rows: number | null): Promise<void> {
  const database = await openBenchDatabase(largeServer);
  try {
    const count = rows ?? defaultRows;
    console.log(`${count.toLocaleString("en")} connections`);
    const data = await fillScaleData(database.session, count, (what, elapsedMs) =>
      line(`  ${what}`, `${(elapsedMs / 1_000).toFixed(1)} s`),
    );
    const found: Problem[] = [];
    for (const kind of ["generic", "custom"] as const) {
      line(`operation, ${kind} plans`, "statements", "rows", "ms", "buffers");
      found.push(...(await inspectOperations({ ...database, data }, kind, report)));
    }
    for (const { operation, problem, text, reason } of found) {
      console.log(`${reason === null ? "FAIL" : "listed"} ${operation}: ${problem}\n    ${text}`);
      if (reason !== null) console.log(`    because ${reason}`);
    }
    if (found.some(({ reason }) => reason === null)) process.exitCode = 1;
  } finally {
    await database.close();
  }
}

function report({ name, plans }: Inspected): void {
  const sum = (of: (plan: StatementPlan) => number) =>
    plans.reduce((total, plan) => total + of(plan), 0);
  const shown = [plans.length, sum(({ rows }) => rows)].map((count) => count.toLocaleString("en"));
  line(
    name,
    ...shown,
    ms(sum(({ elapsedMs }) => elapsedMs)),
    sum(({ buffers }) => buffers).toLocaleString("en"),
  );
  const access = new Set(plans.flatMap((plan) => plan.access));
  if (access.size > 0) console.log(`    ${[...access].join(", ")}`);
}
