import { type ProviderManifest, providers } from "@mooring/dns";
import type { Config } from "../config.ts";
import { countRecentWrites, type WriteHealth } from "../db/queries/dns-writes.ts";
import type { ServiceContext } from "./context.ts";

export interface ListedProvider {
  readonly manifest: ProviderManifest;
  /** Of the asker's own writes; null when there were none lately. */
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
 * The operator's switch for a provider whose interface misbehaves or whose credentials may have
 * leaked: nothing is opened or sent there, and customers are shown the records to add by hand.
 */
export function isSwitchedOff(config: Pick<Config, "PROVIDERS_OFF">, slug: string): boolean {
  return config.PROVIDERS_OFF.includes(slug);
}

/** What is known of a provider, less the writing where that is switched off. */
export function asOffered<M extends ProviderManifest | null>(
  config: Pick<Config, "PROVIDERS_OFF">,
  manifest: M,
): M {
  if (manifest === null || !isSwitchedOff(config, manifest.slug)) return manifest;
  return { ...manifest, adapter: false };
}
