import { z } from "zod";
import type { ApiKey } from "../../domain/applications/api-key.ts";
import { environments, scopes } from "../../domain/tenancy.ts";
import { CreateKey, createKey, listKeys, revokeKey } from "../../services/applications/keys.ts";
import { MintToken, mintToken } from "../../services/applications/tokens.ts";
import { pageQuery } from "../../services/paging.ts";
import {
  defineRoute,
  IdParams,
  listing,
  listSchema,
  Time,
  time,
  timeOrNull,
  Uuid,
} from "../http/route.ts";
import { ActorBody, actorBody } from "../operator/audit.ts";

const fields = {
  id: Uuid,
  application_id: Uuid,
  name: z.string(),
  last4: z.string(),
  environment: z.enum(environments),
  scopes: z.array(z.enum(scopes)),
  created_at: Time,
  created_by: ActorBody.nullable().describe("Null where it is not known"),
  last_used_at: Time.nullable(),
  revoked_at: Time.nullable(),
};

const ApiKeyBody = z.object(fields).meta({ id: "ApiKey" });
const NewApiKeyBody = z
  .object({ ...fields, secret: z.string().describe("Shown once; only its hash is stored") })
  .meta({ id: "NewApiKey" });

function apiKeyBody(key: ApiKey): z.input<typeof ApiKeyBody> {
  return {
    id: key.id,
    application_id: key.applicationId,
    name: key.name,
    last4: key.last4,
    environment: key.environment,
    scopes: [...key.scopes],
    created_at: time(key.createdAt),
    created_by:
      key.createdBy === null
        ? null
        : actorBody({ actor: key.createdBy, actorName: key.createdByName }),
    last_used_at: timeOrNull(key.lastUsedAt),
    revoked_at: timeOrNull(key.revokedAt),
  };
}

export const createKeyRoute = defineRoute({
  method: "POST",
  path: "/v1/applications/{id}/keys",
  tag: "API keys",
  summary: "Create an API key",
  description: "The secret is in this answer and never shown again.",
  scopes: ["apps:admin"],
  role: { test: "developer", live: "admin" },
  params: IdParams,
  body: CreateKey,
  output: NewApiKeyBody,
  statuses: [201],
  run: (ctx, { params, body }) => createKey(ctx, params.id, body),
  reply: ({ key, secret }) => ({ ...apiKeyBody(key), secret }),
});

export const listKeysRoute = defineRoute({
  method: "GET",
  path: "/v1/applications/{id}/keys",
  tag: "API keys",
  summary: "List an application's API keys, revoked ones included",
  scopes: ["apps:admin"],
  role: "viewer",
  params: IdParams,
  query: z.strictObject(pageQuery),
  output: listSchema(ApiKeyBody),
  statuses: [200],
  run: (ctx, { params, query }) => listKeys(ctx, params.id, query),
  reply: (page) => listing(page, apiKeyBody),
});

export const revokeKeyRoute = defineRoute({
  method: "DELETE",
  path: "/v1/applications/{id}/keys/{keyId}",
  tag: "API keys",
  summary: "Revoke an API key",
  description: "It stops authenticating at once, and widget tokens that it minted stop with it.",
  scopes: ["apps:admin"],
  role: { test: "developer", live: "admin" },
  params: z.strictObject({ id: z.uuid(), keyId: z.uuid() }),
  output: ApiKeyBody,
  statuses: [200],
  run: (ctx, { params }) => revokeKey(ctx, params.id, params.keyId),
  reply: apiKeyBody,
});

export const mintTokenRoute = defineRoute({
  method: "POST",
  path: "/v1/tokens",
  tag: "Tokens",
  summary: "Mint a widget token for one connect flow",
  description:
    "A backend calls this and hands the token to the browser, which never sees a key. The token ends at `expires_at`, an hour after it was minted, or with the key that minted it; because clocks differ, it is accepted for 30 seconds more. A session mints one in the test environment only: it works on the service's own pages, for the console's preview.",
  scopes: ["connections:write"],
  role: "developer",
  session: "test",
  limit: "tokens",
  body: MintToken,
  output: z.object({ auth_token: z.string(), expires_at: Time }).meta({ id: "WidgetToken" }),
  statuses: [201],
  run: (ctx, { body }) => mintToken(ctx, body),
  reply: (minted) => ({ auth_token: minted.token, expires_at: time(minted.expiresAt) }),
});
