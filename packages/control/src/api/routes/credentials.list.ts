import { z } from "zod";
import { listCredentials } from "../../services/credentials.ts";
import { pageQuery } from "../../services/paging.ts";
import { CredentialBody, credentialBody } from "../replies/credential.ts";
import { listing, listOf } from "../replies/listing.ts";
import { defineRoute } from "../route.ts";
import { IdParams } from "./params.ts";

export const listCredentialsRoute = defineRoute({
  method: "GET",
  path: "/v1/applications/{id}/credentials",
  tag: "Credentials",
  summary: "List delegated DNS credentials",
  scopes: ["apps:admin"],
  params: IdParams,
  query: z.strictObject(pageQuery),
  output: listOf(CredentialBody),
  statuses: [200],
  run: (ctx, { params, query }) => listCredentials(ctx, params.id, query),
  reply: (page) => listing(page, credentialBody),
});
