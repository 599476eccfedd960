import { type ProviderManifest, providers } from "@mooring/dns";
import type { Config } from "../config/config.ts";
import { countRecentWrites, type WriteHealth } from "../db/queries/dns-writes.ts";
import type { ServiceContext } from "./context.ts";

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
 * The operator's switch for a provider whose API misbehaves or whose credentials may have leaked: no
 * credential is opened, nothing is sent, and customers are shown the records to add by hand.
 */
export function isSwitchedOff(config: Pick<Config, "providersOff">, slug: string): boolean {
  return config.providersOff.includes(slug);
}

/** The manifest as customers see it: without automatic writing while the provider is switched off. */
export function asOffered<M extends ProviderManifest | null>(
  config: Pick<Config, "providersOff">,
  manifest: M,
): M {
  if (manifest === null || !isSwitchedOff(config, manifest.slug)) return manifest;
  return { ...manifest, adapter: false };
}
