import { retireSigningKeys } from "../../db/queries/secrets.ts";
import type { Runtime } from "../runtime.ts";

/**
 * For a key that has leaked: what it signs is refused by everyone who reads the key set from now on.
 * Edges find none left within a minute, make a new one and sign with it at once.
 */
export async function retireAssertionKeys(
  runtime: Pick<Runtime, "transaction" | "clock">,
): Promise<readonly string[]> {
  return runtime.transaction((tx) => retireSigningKeys(tx, "assertion", runtime.clock.now()));
}
