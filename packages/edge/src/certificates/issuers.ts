import { readFileSync } from "node:fs";
import { createGuard } from "@mooring/egress";
import type { Vault } from "@mooring/vault";
import type pg from "pg";
import type { Clock } from "../clock.ts";
import type { Host } from "../host.ts";
import type { EdgeSettings } from "../settings.ts";
import { createAcmeIssuer } from "./acme-issuer.ts";
import type { Issuer } from "./issuer.ts";
import { createLocalIssuer } from "./local-issuer.ts";

const fetchLimits = { connectTimeoutMs: 5_000, totalTimeoutMs: 20_000, maxBytes: 1_048_576 };

/**
 * Where a host's certificate may come from: the local CA for the sandbox and while no directory is
 * set, else the directories in their order.
 */
export function createIssuers(
  settings: EdgeSettings,
  parts: {
    readonly pool: pg.Pool;
    readonly vault: Vault;
    readonly clock: Clock;
    readonly random: () => number;
  },
): (host: Host) => readonly Issuer[] {
  const isOnly = settings.ACME_DIRECTORY_URL.length === 0;
  const local = [createLocalIssuer({ ...parts, isOnly })];
  // A directory is the operator's own choice and may be private; nothing else is asked through this.
  const guard = createGuard({
    allowPrivate: true,
    fetchLimits,
    ...(settings.ACME_CA_FILE ? { tls: { ca: readFileSync(settings.ACME_CA_FILE) } } : {}),
  });
  const { ACME_EAB_KID: kid, ACME_EAB_KEY: hmacKey } = settings;
  const client = {
    fetch: guard.fetch,
    ...(settings.ACME_EMAIL ? { contact: [settings.ACME_EMAIL] } : {}),
    ...(kid && hmacKey ? { eab: { kid, hmacKey } } : {}),
  };
  const acme = settings.ACME_DIRECTORY_URL.map((directory) =>
    createAcmeIssuer({ ...parts, directory, client }),
  );
  return (host) => (isSandbox(host) || acme.length === 0 ? local : acme);
}

function isSandbox({ environment, hostname }: Host): boolean {
  return environment === "test" && hostname.endsWith(".test");
}
