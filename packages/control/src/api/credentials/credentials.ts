import { z } from "zod";
import type { Credential } from "../../domain/applications/application.ts";
import {
  listCredentials,
  StoreCredential,
  storeCredential,
} from "../../services/credentials/credentials.ts";
import { deleteCredential } from "../../services/credentials/delete.ts";
import { type CredentialTrial, tryCredential } from "../../services/credentials/try.ts";
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

const CredentialBody = z
  .object({
    id: Uuid,
    provider: z.string(),
    name: z.string(),
    zone: z.string().nullable(),
    last4: z.string(),
    last_used_at: Time.nullable(),
    last_error: z.string().nullable(),
    connection_ids: z
      .array(Uuid)
      .nullable()
      .describe(
        "The connections of the customer whose sign-in gave it; null: for all of the application",
      ),
    created_at: Time,
  })
  .meta({
    id: "Credential",
    description: "A delegated DNS credential; its fields are never shown",
  });

function credentialBody(credential: Credential): z.input<typeof CredentialBody> {
  return {
    id: credential.id,
    provider: credential.provider,
    name: credential.name,
    zone: credential.zone,
    last4: credential.last4,
    last_used_at: timeOrNull(credential.lastUsedAt),
    last_error: credential.lastError,
    connection_ids: credential.connectionIds && [...credential.connectionIds],
    created_at: time(credential.createdAt),
  };
}

const CredentialTrialBody = z
  .object({
    ok: z.boolean(),
    zones: z.array(z.string()).describe("Zones that it can write, at most 50 of them"),
    error: z
      .object({
        kind: z.enum([
          "auth",
          "not_found",
          "rate_limited",
          "conflict",
          "unavailable",
          "unsupported",
        ]),
        message: z.string(),
      })
      .nullable(),
  })
  .meta({ id: "CredentialTrial" });

function credentialTrialBody({
  zones,
  error,
}: CredentialTrial): z.input<typeof CredentialTrialBody> {
  return { ok: error === null, zones: [...zones], error };
}

export const storeCredentialRoute = defineRoute({
  method: "POST",
  path: "/v1/applications/{id}/credentials",
  tag: "Credentials",
  summary: "Store a delegated DNS credential",
  description: "Sealed at rest; its fields are never shown again.",
  scopes: ["apps:admin"],
  role: "developer",
  params: IdParams,
  body: StoreCredential,
  output: CredentialBody,
  statuses: [201],
  run: (ctx, { params, body }) => storeCredential(ctx, params.id, body),
  reply: credentialBody,
});

export const listCredentialsRoute = defineRoute({
  method: "GET",
  path: "/v1/applications/{id}/credentials",
  tag: "Credentials",
  summary: "List delegated DNS credentials",
  scopes: ["apps:admin"],
  role: "viewer",
  params: IdParams,
  query: z.strictObject(pageQuery),
  output: listSchema(CredentialBody),
  statuses: [200],
  run: (ctx, { params, query }) => listCredentials(ctx, params.id, query),
  reply: (page) => listing(page, credentialBody),
});

export const deleteCredentialRoute = defineRoute({
  method: "DELETE",
  path: "/v1/applications/{id}/credentials/{credentialId}",
  tag: "Credentials",
  summary: "Delete a delegated DNS credential",
  scopes: ["apps:admin"],
  role: "developer",
  params: z.strictObject({ id: z.uuid(), credentialId: z.uuid() }),
  output: null,
  statuses: [204],
  run: (ctx, { params }) => deleteCredential(ctx, params.id, params.credentialId),
  reply: () => null,
});

export const tryCredentialRoute = defineRoute({
  method: "POST",
  path: "/v1/applications/{id}/credentials/{credentialId}/test",
  tag: "Credentials",
  summary: "Ask the provider whether a credential works",
  scopes: ["apps:admin"],
  role: "developer",
  timeoutMs: 20_000,
  params: z.strictObject({ id: z.uuid(), credentialId: z.uuid() }),
  output: CredentialTrialBody,
  statuses: [200],
  run: (ctx, { params }) => tryCredential(ctx, params.id, params.credentialId),
  reply: credentialTrialBody,
});
