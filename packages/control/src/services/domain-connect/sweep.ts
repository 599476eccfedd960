import { sweepAttempts, sweepGrants } from "../../db/queries/domain-connect.ts";
import type { Runtime } from "../runtime.ts";

/** As long as a diagnosis may want to tell of an attempt, or an ended connection to be reverted. */
const keptForMs = 7 * 86_400_000;
const batchSize = 1_000;

/** Removes attempts that are long over, and grants of connections that are. */
export async function sweepDomainConnect(runtime: Runtime): Promise<number> {
  const before = new Date(runtime.clock.now().getTime() - keptForMs);
  let total = 0;
  for (;;) {
    const gone = await runtime.transaction(
      async (tx) =>
        (await sweepAttempts(tx, before, batchSize)) + (await sweepGrants(tx, before, batchSize)),
    );
    total += gone;
    if (gone === 0) return total;
  }
}
