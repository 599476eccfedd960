import { sweepReplies } from "../../db/queries/idempotency.ts";
import type { Runtime } from "../runtime.ts";

/** Removes stored replies that have outlived their day, batch by batch. */
export async function sweepIdempotency(runtime: Runtime): Promise<number> {
  let total = 0;
  for (;;) {
    const gone = await runtime.transaction((tx) => sweepReplies(tx, runtime.clock.now()));
    total += gone;
    if (gone === 0) return total;
  }
}
