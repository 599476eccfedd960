import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as () => void;

/** Before the heap is measured: otherwise its size depends on when the last collection was. */
export function collectGarbage(): void {
  collect();
}
