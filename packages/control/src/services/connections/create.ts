import { requireApplication } from "../applications.ts";
import type { ServiceContext } from "../context.ts";
import { type Created, insertOrResume } from "./insert.ts";
import { prepareConnection } from "./prepare.ts";
import type { CreateConnection } from "./schemas.ts";

/**
 * Starts connecting a domain, or goes on with the same application's unfinished one. The look at
 * DNS happens before the transaction; the checks that matter are made again inside it.
 */
export async function createConnection(
  ctx: ServiceContext,
  input: CreateConnection,
): Promise<Created> {
  const application = await ctx.read((tx) => requireApplication(tx, input.application_id));
  const prepared = await prepareConnection(ctx, application, input.hostname);
  return ctx.write((tx) => insertOrResume(ctx, tx, prepared, input.batch_id ?? null));
}
