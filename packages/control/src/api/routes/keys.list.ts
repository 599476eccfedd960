import { z } from "zod";
import { listKeys } from "../../services/keys.ts";
import { pageQuery } from "../../services/paging.ts";
import { ApiKeyBody, apiKeyBody } from "../replies/api-key.ts";
import { listing, listOf } from "../replies/listing.ts";
import { defineRoute } from "../route.ts";
import { IdParams } from "./params.ts";

export const listKeysRoute = defineRoute({
  method: "GET",
  path: "/v1/applications/{id}/keys",
  tag: "API keys",
  summary: "List an application's API keys, revoked ones included",
  scopes: ["apps:admin"],
  params: IdParams,
  query: z.strictObject(pageQuery),
  output: listOf(ApiKeyBody),
  statuses: [200],
  run: (ctx, { params, query }) => listKeys(ctx, params.id, query),
  reply: (page) => listing(page, apiKeyBody),
});
