import { normalizeName } from "@mooring/dns";
import { insertCredential } from "../../db/queries/credentials.ts";
import type { Credential } from "../../domain/credential.ts";
import { invalid } from "../../domain/errors.ts";
import { newId } from "../../domain/id.ts";
import { requireApplication } from "../applications/get.ts";
import { audit } from "../audit.ts";
import type { ServiceContext } from "../context.ts";
import { checkFields, lastFour, requireProvider } from "./fields.ts";
import type { StoreCredential } from "./schemas.ts";
import { credentialContext } from "./seal.ts";

/** Keeps a delegated credential, sealed for this tenant and row; the fields are never answered. */
export async function storeCredential(
  ctx: ServiceContext,
  applicationId: string,
  input: StoreCredential,
): Promise<Credential> {
  const manifest = requireProvider(input.provider);
  checkFields(manifest, input.fields);
  const createdAt = ctx.now();
  const credential: Credential = {
    id: newId(createdAt),
    applicationId,
    provider: manifest.slug,
    name: input.name,
    zone: input.zone ? zoneName(input.zone) : null,
    last4: lastFour(manifest, input.fields),
    lastUsedAt: null,
    lastError: null,
    createdAt,
  };
  const sealed = ctx.runtime.vault.seal(
    "dns_credential",
    credentialContext(ctx.actor.tenantId, credential.id),
    JSON.stringify(input.fields),
  );
  return ctx.write(async (tx) => {
    await requireApplication(tx, applicationId);
    await insertCredential(tx, ctx.actor, credential, sealed);
    await audit(ctx, tx, "credential.store", credential.id, {
      provider: credential.provider,
      zone: credential.zone,
    });
    return credential;
  });
}

function zoneName(text: string): string {
  const zone = normalizeName(text);
  if (zone === null) throw invalid([{ path: "zone", message: "is not a valid DNS name" }]);
  return zone;
}
