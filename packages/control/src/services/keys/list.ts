import { pageApiKeys } from "../../db/queries/api-keys.ts";
import type { ApiKey } from "../../domain/api-key.ts";
import { requireApplication } from "../applications/get.ts";
import type { ServiceContext } from "../context.ts";
import { type Listing, listPage, type PageQuery } from "../paging.ts";

export function listKeys(
  ctx: ServiceContext,
  applicationId: string,
  query: PageQuery,
): Promise<Listing<ApiKey>> {
  return listPage(ctx, ["keys", applicationId], query, (page) =>
    ctx.read(async (tx) => {
      await requireApplication(tx, applicationId);
      return pageApiKeys(tx, applicationId, page);
    }),
  );
}
