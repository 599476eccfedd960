import { z } from "zod";
import type { Credential } from "../../domain/application.ts";
import type { CredentialTrial } from "../../services/try-credential.ts";
import { Time, time, timeOrNull, Uuid } from "./time.ts";

export const CredentialBody = z
  .object({
    id: Uuid,
    provider: z.string(),
    name: z.string(),
    zone: z.string().nullable(),
    last4: z.string(),
    last_used_at: Time.nullable(),
    last_error: z.string().nullable(),
    created_at: Time,
  })
  .meta({
    id: "Credential",
    description: "A delegated DNS credential; its fields are never shown",
  });

export function credentialBody(credential: Credential): z.input<typeof CredentialBody> {
  return {
    id: credential.id,
    provider: credential.provider,
    name: credential.name,
    zone: credential.zone,
    last4: credential.last4,
    last_used_at: timeOrNull(credential.lastUsedAt),
    last_error: credential.lastError,
    created_at: time(credential.createdAt),
  };
}

export const CredentialTrialBody = z
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

export function credentialTrialBody({
  zones,
  error,
}: CredentialTrial): z.input<typeof CredentialTrialBody> {
  return { ok: error === null, zones: [...zones], error };
}
