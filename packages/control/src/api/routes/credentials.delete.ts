import { z } from "zod";
import { deleteCredential } from "../../services/credentials.ts";
import { defineRoute } from "../route.ts";

export const deleteCredentialRoute = defineRoute({
  method: "DELETE",
  path: "/v1/applications/{id}/credentials/{credentialId}",
  tag: "Credentials",
  summary: "Delete a delegated DNS credential",
  scopes: ["apps:admin"],
  params: z.strictObject({ id: z.uuid(), credentialId: z.uuid() }),
  output: null,
  statuses: [204],
  run: (ctx, { params }) => deleteCredential(ctx, params.id, params.credentialId),
  reply: () => null,
});
