import { deleteCredential as remove } from "../../db/queries/applications/credentials.ts";
import { notFound } from "../../domain/errors.ts";
import { requireApplication } from "../applications/applications.ts";
import { audit, type ServiceContext } from "../context.ts";
import { throwAway } from "../oauth/retained.ts";

/** Gone here at once; what a customer's sign-in gave ends at the provider too. */
export async function deleteCredential(
  ctx: ServiceContext,
  applicationId: string,
  credentialId: string,
): Promise<null> {
  const deleted = await ctx.write(async (tx) => {
    await requireApplication(tx, applicationId);
    const credential = await remove(tx, applicationId, credentialId);
    if (credential === null) throw notFound("credential");
    await audit(ctx, tx, "credential.delete", credentialId);
    return credential;
  });
  if (deleted.connectionIds !== null) await throwAway(ctx.runtime, { ...ctx.actor, ...deleted });
  return null;
}
