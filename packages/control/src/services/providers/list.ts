import { type ProviderManifest, providers } from "@mooring/dns";
import { countRecentWrites, type WriteHealth } from "../../db/queries/dns-writes.ts";
import type { ServiceContext } from "../context.ts";
import { asOffered } from "./switched-off.ts";

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
