import { pageCredentials } from "../../db/queries/credentials.ts";
import type { Credential } from "../../domain/credential.ts";
import { requireApplication } from "../applications/get.ts";
import type { ServiceContext } from "../context.ts";
import { type Listing, listPage, type PageQuery } from "../paging.ts";

export function listCredentials(
  ctx: ServiceContext,
  applicationId: string,
  query: PageQuery,
): Promise<Listing<Credential>> {
  return listPage(ctx, ["credentials", applicationId], query, (page) =>
    ctx.read(async (tx) => {
      await requireApplication(tx, applicationId);
      return pageCredentials(tx, applicationId, page);
    }),
  );
}
