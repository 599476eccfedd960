import { existsSync } from "node:fs";
import path from "node:path";
import { type Config, ConfigError, databaseUrl } from "@mooring/control/settings";

/**
 * Refuses a start whose generated root key is lost. A process without SECRET_KEY would generate
 * another one, which opens nothing and hides that the right one is missing.
 */
export async function refuseLostRootKey(config: Config): Promise<void> {
  const file = path.join(config.dataDir, "secret-key");
  const isGiven = config.secretKey !== null || config.secretKeyEdge !== null;
  if (isGiven || existsSync(file)) return;
  // Loaded only in this case: an edge process does not need the control plane.
  const { inspectDatabase } = await import("@mooring/control");
  const { keyChecks } = await inspectDatabase(databaseUrl(config));
  if (keyChecks === null || keyChecks.length === 0) return;
  const ids = keyChecks.map(({ keyId }) => keyId).join(", ");
  throw new ConfigError([
    `SECRET_KEY: this database holds values sealed under the root key ${ids}, and ${file} is missing: restore the file from a backup, or set SECRET_KEY`,
  ]);
}

/**
 * A process without the database cannot see that a generated key opens nothing: it must be given
 * one.
 */
export function requireKey(config: Config): void {
  if (config.secretKey !== null || config.secretKeyEdge !== null) return;
  if (existsSync(path.join(config.dataDir, "secret-key"))) return;
  throw new ConfigError([
    "SECRET_KEY: required when EDGE_FEED=nats; or SECRET_KEY_EDGE (`mooring secrets export --for edge`)",
  ]);
}
