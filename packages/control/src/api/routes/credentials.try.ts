import { z } from "zod";
import { tryCredential } from "../../services/try-credential.ts";
import { CredentialTrialBody, credentialTrialBody } from "../replies/credential.ts";
import { defineRoute } from "../route.ts";

export const tryCredentialRoute = defineRoute({
  method: "POST",
  path: "/v1/applications/{id}/credentials/{credentialId}/test",
  tag: "Credentials",
  summary: "Ask the provider whether a credential works",
  scopes: ["apps:admin"],
  timeoutMs: 20_000,
  params: z.strictObject({ id: z.uuid(), credentialId: z.uuid() }),
  output: CredentialTrialBody,
  statuses: [200],
  run: (ctx, { params }) => tryCredential(ctx, params.id, params.credentialId),
  reply: credentialTrialBody,
});
