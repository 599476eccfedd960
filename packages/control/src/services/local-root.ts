import { selectLocalRoot } from "../db/queries/certificates.ts";
import { notFound } from "../domain/errors.ts";
import type { Runtime } from "./runtime.ts";

/** The root that sandbox certificates lead to, for whoever wants to trust it. */
export async function getLocalRoot(runtime: Runtime): Promise<string> {
  const root = await selectLocalRoot(runtime.database);
  if (!root) throw notFound("local CA yet: an edge makes it with its first certificate");
  return root;
}
