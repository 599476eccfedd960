import { findProvider, type ProviderManifest } from "@mooring/dns";
import { type Issue, invalid } from "../../domain/errors.ts";

/** The manifest of a provider that records can be written to, or `invalid` naming `provider`. */
export function requireProvider(slug: string): ProviderManifest {
  const manifest = findProvider(slug);
  if (!manifest) {
    throw invalid([
      { path: "provider", message: "is not a known provider; see GET /v1/providers" },
    ]);
  }
  return manifest;
}

/** Checks given fields against the manifest's: all required ones, and no others. */
export function checkFields(
  manifest: ProviderManifest,
  fields: Readonly<Record<string, string>>,
): void {
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

/** The end of the first secret, enough for its owner to tell two apart; short ones show nothing. */
export function lastFour(
  manifest: ProviderManifest,
  fields: Readonly<Record<string, string>>,
): string {
  const secret = manifest.credentialFields.find((field) => field.secret && fields[field.key]);
  const value = secret ? (fields[secret.key] ?? "") : "";
  return value.length >= 12 ? value.slice(-4) : "";
}
