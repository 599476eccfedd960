import { type ProviderManifest, providers } from "@mooring/dns";
import type { Config } from "../../config/config.ts";
import { countRecentWrites, type WriteHealth } from "../../db/queries/dns-writes/dns-writes.ts";
import type { ServiceContext } from "../context.ts";

export interface ListedProvider {
  readonly manifest: ProviderManifest;
  /** How the tenant's own recent writes went; null when there were none. */
  readonly health: WriteHealth | null;
}

export async function listProviders(ctx: ServiceContext): Promise<readonly ListedProvider[]> {
  const counted = await ctx.read((tx) => countRecentWrites(tx, ctx.now()));
  const bySlug = new Map(counted.map((health) => [health.provider, health]));
  return providers.map((manifest) => ({
    manifest: asOffered(ctx.runtime.config, manifest),
    health: bySlug.get(manifest.slug) ?? null,
  }));
}

/**
 * The operator's switch for a provider whose API misbehaves or whose credentials may have leaked:
 * no credential is opened, nothing is sent, and customers are shown the records to add by hand.
 */
export function isSwitchedOff(config: Pick<Config, "providersOff">, slug: string): boolean {
  return config.providersOff.includes(slug);
}

type Offer = Pick<Config, "providersOff" | "egressIpv4" | "egressIpv6">;

/**
 * The manifest as customers see it: without automatic writing while the provider is switched off,
 * and with the addresses that they have to allow.
 */
export function asOffered<M extends ProviderManifest | null>(config: Offer, manifest: M): M {
  if (manifest === null) return manifest;
  const offered = withAddresses(config, manifest);
  return isSwitchedOff(config, manifest.slug) ? { ...offered, adapter: false } : offered;
}

/** An input for our own address is asked for only where the operator has not set it. */
function withAddresses<M extends ProviderManifest>(config: Offer, manifest: M): M {
  const { allowedAddress, credentialFields, credentialHelp } = manifest;
  if (allowedAddress === undefined) return manifest;
  const addresses = allowedAddress.families.flatMap((family) => egressAddresses(config, family));
  if (addresses.length === 0) {
    const fields = credentialFields.map((field) =>
      field.key === allowedAddress.field ? { ...field, required: true } : field,
    );
    return { ...manifest, credentialFields: fields };
  }
  return {
    ...manifest,
    credentialFields: credentialFields.filter(({ key }) => key !== allowedAddress.field),
    credentialHelp: `${credentialHelp} This service calls out from ${addresses.join(", ")}.`,
  };
}

function egressAddresses(config: Offer, family: "ipv4" | "ipv6"): readonly string[] {
  return family === "ipv4" ? config.egressIpv4 : config.egressIpv6;
}

/** Our addresses that a customer has to allow at the provider. */
export function allowedAddresses(
  config: Pick<Config, "egressIpv4" | "egressIpv6">,
  { allowedAddress }: Pick<ProviderManifest, "allowedAddress">,
): readonly string[] {
  const { egressIpv4: ipv4, egressIpv6: ipv6 } = config;
  return (allowedAddress?.families ?? []).flatMap((family) => ({ ipv4, ipv6 })[family]);
}

/** What the operator knows and a customer need not give. */
export function knownFields(
  config: Offer,
  { allowedAddress }: Pick<ProviderManifest, "allowedAddress">,
): Readonly<Record<string, string>> {
  const [first] = (allowedAddress?.families ?? []).flatMap((one) => egressAddresses(config, one));
  const field = allowedAddress?.field;
  return field === undefined || first === undefined ? {} : { [field]: first };
}
