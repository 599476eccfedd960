import { findProvider, normalizeName, type ProviderManifest } from "@mooring/dns";
import type { SealContext } from "@mooring/vault";
import { z } from "zod";
import { insertCredential, pageCredentials } from "../../db/queries/applications/credentials.ts";
import type { Credential } from "../../domain/applications/application.ts";
import { type Issue, invalid } from "../../domain/errors.ts";
import { newId } from "../../domain/id.ts";
import { requireApplication, requireBelowCap } from "../applications/applications.ts";
import { audit, type ServiceContext } from "../context.ts";
import { type Listing, type PageQuery, readPage } from "../paging.ts";

export const StoreCredential = z.strictObject({
  provider: z.string().min(1).max(64).describe("A slug of GET /v1/providers"),
  name: z.string().trim().min(1).max(100),
  zone: z
    .string()
    .min(1)
    .max(1_000)
    .nullish()
    .describe("The one zone to use it for; otherwise found"),
  fields: z
    .record(z.string().max(64), z.string().max(16_384))
    .describe("The provider's `credential_fields` by key"),
});
export type StoreCredential = z.infer<typeof StoreCredential>;

/**
 * Stores a delegated credential, sealed for this tenant and row; no reply ever contains the fields.
 */
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
    connectionIds: null,
    createdAt,
  };
  const sealed = ctx.runtime.vault.seal(
    "dns_credential",
    credentialContext(ctx.actor.tenantId, credential.id),
    JSON.stringify(input.fields),
  );
  return ctx.write(async (tx) => {
    await requireBelowCap(tx, applicationId, "credentials");
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

export function listCredentials(
  ctx: ServiceContext,
  applicationId: string,
  query: PageQuery,
): Promise<Listing<Credential>> {
  return readPage(ctx, ["credentials", applicationId], query, async (tx, page) => {
    await requireApplication(tx, applicationId);
    return pageCredentials(tx, applicationId, page);
  });
}

/** The manifest of a known provider, or `invalid` naming `provider`. */
export function requireProvider(slug: string): ProviderManifest {
  const manifest = findProvider(slug);
  if (!manifest) {
    throw invalid([
      { path: "provider", message: "is not a known provider; see GET /v1/providers" },
    ]);
  }
  return manifest;
}

/** Throws `invalid` unless all required fields of the manifest are there, and no others. */
export function checkFields(
  manifest: ProviderManifest,
  fields: Readonly<Record<string, string>>,
): void {
  const { signInField = null } = manifest;
  if (signInField !== null && Object.keys(fields).join() === signInField) return;
  const known = new Set(manifest.credentialFields.map((field) => field.key));
  const issues: Issue[] = Object.keys(fields)
    .filter((key) => !known.has(key))
    .map((key) => ({
      path: `fields.${key}`,
      message: `unknown field; ${manifest.name} takes ${[...known].join(", ")}`,
    }));
  for (const field of manifest.credentialFields) {
    if (field.required && !fields[field.key]?.trim()) {
      issues.push({ path: `fields.${field.key}`, message: `${field.label} is required` });
    }
  }
  if (issues.length > 0) throw invalid(issues);
}

/** The end of the first secret, to tell two credentials apart; empty for a short secret. */
function lastFour(manifest: ProviderManifest, fields: Readonly<Record<string, string>>): string {
  const secret = manifest.credentialFields.find((field) => field.secret && fields[field.key]);
  const value = secret ? (fields[secret.key] ?? "") : "";
  return value.length >= 12 ? value.slice(-4) : "";
}

/** Binds the ciphertext to its row: copied to another tenant or credential it does not open. */
export function credentialContext(tenantId: string, credentialId: string): SealContext {
  return { tenant: tenantId, table: "credentials", row: credentialId, column: "sealed" };
}
