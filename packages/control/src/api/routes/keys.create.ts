import { CreateKey, createKey } from "../../services/keys.ts";
import { apiKeyBody, NewApiKeyBody } from "../replies/api-key.ts";
import { defineRoute } from "../route.ts";
import { IdParams } from "./params.ts";

export const createKeyRoute = defineRoute({
  method: "POST",
  path: "/v1/applications/{id}/keys",
  tag: "API keys",
  summary: "Create an API key",
  description: "The secret is in this answer and never shown again.",
  scopes: ["apps:admin"],
  params: IdParams,
  body: CreateKey,
  output: NewApiKeyBody,
  statuses: [201],
  run: (ctx, { params, body }) => createKey(ctx, params.id, body),
  reply: ({ key, secret }) => ({ ...apiKeyBody(key), secret }),
});
