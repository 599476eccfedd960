import {
  hasOpenConnections,
  markApplicationDeleted,
} from "../../db/queries/applications/applications.ts";
import { AppError, notFound } from "../../domain/errors.ts";
import { audit, type ServiceContext } from "../context.ts";
import { requireApplication } from "./applications.ts";

/**
 * Deletes an application without open connections: its keys are revoked, its receivers and
 * credentials deleted. Its archived connections and their history stay.
 */
export async function deleteApplication(ctx: ServiceContext, id: string): Promise<void> {
  const { actor } = ctx;
  await ctx.read((tx) => requireApplication(tx, id));
  if (actor.kind === "key" && actor.applicationId === id) {
    throw new AppError("conflict", "the calling key belongs to this application: use another");
  }
  // As the worker role: the tenant's own policy no longer shows a row that was marked.
  await ctx.runtime.system(async (tx) => {
    if (!(await markApplicationDeleted(tx, id, ctx.now()))) throw notFound("application");
    if (await hasOpenConnections(tx, id)) {
      throw new AppError("conflict", "the application has connections that are not archived");
    }
    await audit(ctx, tx, "application.delete", id);
  });
}
