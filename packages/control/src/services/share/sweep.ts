import { sweepShareLinks } from "../../db/queries/share-links.ts";
import type { Runtime } from "../runtime.ts";

const batch = 1_000;

/** Removes links that are over. */
export async function sweepShares(runtime: Runtime): Promise<void> {
  const sweep = () => runtime.transaction((tx) => sweepShareLinks(tx, runtime.clock.now(), batch));
  while ((await sweep()) === batch);
}
