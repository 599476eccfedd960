import { z } from "zod";
import type { ApiKey } from "../../domain/api-key.ts";
import { environments, scopes } from "../../domain/tenancy.ts";
import { Time, time, timeOrNull, Uuid } from "./time.ts";

const fields = {
  id: Uuid,
  application_id: Uuid,
  name: z.string(),
  last4: z.string(),
  environment: z.enum(environments),
  scopes: z.array(z.enum(scopes)),
  created_at: Time,
  last_used_at: Time.nullable(),
  revoked_at: Time.nullable(),
};

export const ApiKeyBody = z.object(fields).meta({ id: "ApiKey" });
export const NewApiKeyBody = z
  .object({ ...fields, secret: z.string().describe("Shown once; only its hash is kept") })
  .meta({ id: "NewApiKey" });

export function apiKeyBody(key: ApiKey): z.input<typeof ApiKeyBody> {
  return {
    id: key.id,
    application_id: key.applicationId,
    name: key.name,
    last4: key.last4,
    environment: key.environment,
    scopes: [...key.scopes],
    created_at: time(key.createdAt),
    last_used_at: timeOrNull(key.lastUsedAt),
    revoked_at: timeOrNull(key.revokedAt),
  };
}
