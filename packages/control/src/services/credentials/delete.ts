import { deleteCredential as remove } from "../../db/queries/credentials.ts";
import { notFound } from "../../domain/errors.ts";
import { requireApplication } from "../applications/get.ts";
import { audit } from "../audit.ts";
import type { ServiceContext } from "../context.ts";

export function deleteCredential(
  ctx: ServiceContext,
  applicationId: string,
  credentialId: string,
): Promise<null> {
  return ctx.write(async (tx) => {
    await requireApplication(tx, applicationId);
    if (!(await remove(tx, applicationId, credentialId))) throw notFound("credential");
    await audit(ctx, tx, "credential.delete", credentialId);
    return null;
  });
}
