import path from "node:path";
import { createVault, type Vault } from "@mooring/vault";
import type { EdgeParts } from "../config/settings.ts";
import type { EdgeFeed } from "../feed/feed.ts";
import { openPostgresFeed } from "../feed/postgres/feed.ts";
import { createCertificateStats, createIssuerRegistry } from "../metrics/metrics.ts";
import { startOperational } from "../metrics/operational.ts";
import type { NatsSide } from "../stream-writer/nats-side.ts";
import { edgePurposes } from "./start-edge.ts";

export interface RunningIssuer {
  close(): Promise<void>;
}

export type IssuerParts = EdgeParts & {
  readonly databaseUrl: string;
  /** Health and metrics; null for none. */
  readonly internal: { readonly host: string; readonly port: number } | null;
};

/**
 * Starts a process that has the database and serves no visitors: it obtains certificates, writes
 * the feed of edges without the database, and answers what they ask.
 */
export async function startIssuer(parts: IssuerParts): Promise<RunningIssuer> {
  const { settings } = parts;
  const vault = createVault(parts.rootKeys, { purposes: edgePurposes });
  const stats = createCertificateStats();
  // What it passes on and orders must be of now.
  const primary = { ...settings, DATABASE_REPLICA_URL: null };
  const feed = await openPostgresFeed({ ...parts, settings: primary }, { vault, stats });
  await feed.loadHosts(path.join(settings.DATA_DIR, "issuer"));
  const nats = await natsSide(parts, { feed, vault });
  feed.follow({
    hosts: () => nats?.writer.wake(),
    certificate: () => nats?.writer.wake(),
    everyCertificate: () => nats?.writer.wake(),
    ticketKeys: () => nats?.writer.wake(),
    origins: (payload) => nats?.tellOrigins(payload),
  });
  const metrics = createIssuerRegistry({ certificates: stats, hosts: feed.hosts });
  const operational =
    parts.internal === null
      ? null
      : await startOperational(parts.internal, {
          health: () => ({ status: "ok", workers: 1, serving: 1 }),
          metricsText: () => metrics.metrics(),
        });
  return {
    async close() {
      await operational?.close();
      await feed.drain();
      await nats?.close();
      await feed.close();
    },
  };
}

/**
 * Its libraries are loaded only where it is used: every process of an edge would have them in
 * memory.
 */
async function natsSide(
  parts: IssuerParts,
  shared: { readonly feed: EdgeFeed; readonly vault: Vault },
): Promise<NatsSide | null> {
  if (parts.settings.NATS_URL.length === 0) return null;
  const { startNats } = await import("../stream-writer/nats-side.ts");
  return startNats(parts, shared);
}
