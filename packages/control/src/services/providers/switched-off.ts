import type { ProviderManifest } from "@mooring/dns";
import type { Config } from "../../config/config.ts";

/**
 * The operator's switch for a provider whose interface misbehaves or whose credentials may have
 * leaked: nothing is opened or sent there, and customers are shown the records to add by hand.
 */
export function isSwitchedOff(config: Pick<Config, "providersOff">, slug: string): boolean {
  return config.providersOff.includes(slug);
}

/** What is known of a provider, less the writing where that is switched off. */
export function asOffered<M extends ProviderManifest | null>(
  config: Pick<Config, "providersOff">,
  manifest: M,
): M {
  if (manifest === null || !isSwitchedOff(config, manifest.slug)) return manifest;
  return { ...manifest, adapter: false };
}
