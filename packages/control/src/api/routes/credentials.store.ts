import { StoreCredential, storeCredential } from "../../services/credentials.ts";
import { CredentialBody, credentialBody } from "../replies/credential.ts";
import { defineRoute } from "../route.ts";
import { IdParams } from "./params.ts";

export const storeCredentialRoute = defineRoute({
  method: "POST",
  path: "/v1/applications/{id}/credentials",
  tag: "Credentials",
  summary: "Store a delegated DNS credential",
  description: "Sealed at rest; its fields are never shown again.",
  scopes: ["apps:admin"],
  params: IdParams,
  body: StoreCredential,
  output: CredentialBody,
  statuses: [201],
  run: (ctx, { params, body }) => storeCredential(ctx, params.id, body),
  reply: credentialBody,
});
