import { z } from "zod";
import type { Credential } from "../../domain/credential.ts";
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
