import type { ProviderManifest } from "@mooring/dns";
import { z } from "zod";
import { type ListedProvider, listProviders } from "../../services/credentials/providers.ts";
import { defineRoute, Time, timeOrNull } from "../http/route.ts";

export const CredentialFieldBody = z
  .object({
    key: z.string(),
    label: z.string(),
    secret: z.boolean(),
    required: z.boolean(),
    help_url: z.string(),
    placeholder: z.string().optional().describe("An example of a value"),
  })
  .meta({ id: "CredentialField" });

export const CapabilitiesBody = z
  .object({
    cname_flattening: z.boolean(),
    wildcard: z.boolean(),
    caa: z.boolean(),
    multi_txt: z.boolean(),
    ns_delegation: z.boolean(),
  })
  .meta({ id: "Capabilities" });

const ProviderBody = z
  .object({
    slug: z.string(),
    name: z.string(),
    setup_type: z.enum(["automatic", "manual"]),
    credential_fields: z.array(CredentialFieldBody),
    credential_help: z.string(),
    capabilities: CapabilitiesBody,
    domain_connect: z.boolean(),
    apex_flattening: z.boolean(),
    minimum_ttl: z.int(),
    docs_url: z.string(),
    health: z
      .object({ writes: z.int(), failures: z.int(), last_error_at: Time.nullable() })
      .nullable()
      .describe("Your own writes of the last 24 hours; null when there were none"),
  })
  .meta({ id: "Provider" });

function providerBody({ manifest, health }: ListedProvider): z.input<typeof ProviderBody> {
  return {
    slug: manifest.slug,
    name: manifest.name,
    setup_type: manifest.adapter ? "automatic" : "manual",
    credential_fields: manifest.credentialFields.map(credentialFieldBody),
    credential_help: manifest.credentialHelp,
    capabilities: { ...manifest.capabilities },
    domain_connect: manifest.domainConnect,
    apex_flattening: manifest.apexFlattening !== "none",
    minimum_ttl: manifest.minimumTtlSeconds,
    docs_url: manifest.docsUrl,
    health: health && {
      writes: health.writes,
      failures: health.failures,
      last_error_at: timeOrNull(health.lastErrorAt),
    },
  };
}

export function credentialFieldBody(
  field: ProviderManifest["credentialFields"][number],
): z.input<typeof CredentialFieldBody> {
  const { key, label, secret, required, help_url, placeholder } = field;
  const shown = placeholder === undefined ? {} : { placeholder };
  return { key, label, secret, required, help_url, ...shown };
}

export const listProvidersRoute = defineRoute({
  method: "GET",
  path: "/v1/providers",
  tag: "Domains",
  summary: "The DNS providers we know, and what each can do",
  scopes: [],
  role: "viewer",
  output: z.object({ data: z.array(ProviderBody) }),
  statuses: [200],
  run: (ctx) => listProviders(ctx),
  reply: (listed) => ({ data: listed.map(providerBody) }),
});
