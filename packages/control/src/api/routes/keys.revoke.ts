import { z } from "zod";
import { revokeKey } from "../../services/keys.ts";
import { ApiKeyBody, apiKeyBody } from "../replies/api-key.ts";
import { defineRoute } from "../route.ts";

export const revokeKeyRoute = defineRoute({
  method: "DELETE",
  path: "/v1/applications/{id}/keys/{keyId}",
  tag: "API keys",
  summary: "Revoke an API key",
  description: "It stops authenticating at once, and widget tokens that it minted stop with it.",
  scopes: ["apps:admin"],
  params: z.strictObject({ id: z.uuid(), keyId: z.uuid() }),
  output: ApiKeyBody,
  statuses: [200],
  run: (ctx, { params }) => revokeKey(ctx, params.id, params.keyId),
  reply: apiKeyBody,
});
