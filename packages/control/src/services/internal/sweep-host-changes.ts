import { sweepHostChanges as sweep } from "../../db/queries/certificates.ts";
import type { Runtime } from "../runtime.ts";

/** Keeps the edges' change log short; an edge that was away for longer loads everything anew. */
export function sweepHostChanges(runtime: Runtime): Promise<number> {
  return runtime.transaction(sweep);
}
