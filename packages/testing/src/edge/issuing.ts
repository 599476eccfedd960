import { randomBytes } from "node:crypto";
import type { Clock } from "@mooring/postgres";
import { createVault, generateRootKey, parseRootKeys, type Vault } from "@mooring/vault";
import type pg from "pg";
import type { Budget } from "../../../edge/src/certificates/budget/budget.ts";
import type { IssueParts } from "../../../edge/src/certificates/issue/issue.ts";
import type { Issuer } from "../../../edge/src/certificates/issue/issuer.ts";
import { createLocalIssuer } from "../../../edge/src/certificates/issue/issuers.ts";
import type { Host, HostTable } from "../../../edge/src/hosts/host.ts";
import { createCoveredHosts } from "../../../edge/src/hosts/view/covered-hosts.ts";
import { createCertificateStats } from "../../../edge/src/metrics/metrics.ts";
import type { SessionTickets } from "../../../edge/src/tls/session-tickets.ts";
import { silent } from "./edge-database.ts";

export function createTestVault(): Vault {
  return createVault(parseRootKeys(generateRootKey()));
}

/** One ticket secret that does not change. */
export function createTestTickets(): SessionTickets["secrets"] {
  const secrets = [{ id: "only", secret: randomBytes(32) }];
  return () => secrets;
}

export function createHostTable(...hosts: readonly Host[]): HostTable {
  const known = new Map(hosts.map((host) => [host.hostname, host]));
  const get = (hostname: string) => known.get(hostname) ?? null;
  return { get, find: createCoveredHosts(get), size: known.size };
}

/** The local CA, with every order noted and something to happen between order and certificate. */
export function createNotingIssuer(
  parts: { readonly pool: pg.Pool; readonly vault: Vault; readonly clock: Clock },
  meanwhile: (host: Host, signal: AbortSignal) => Promise<void> = async () => undefined,
): Issuer & { readonly orders: string[] } {
  const local = createLocalIssuer({ ...parts, isCreatedAtOnce: false });
  const orders: string[] = [];
  return {
    ...local,
    orders,
    async obtain(host, replaces, signal, permit) {
      const accepted = await permit();
      accepted();
      orders.push(host.hostname);
      await meanwhile(host, signal);
      return local.obtain(host, replaces, signal, permit);
    },
  };
}

/** A budget that holds nothing back. */
export const unlimited: Budget = {
  directories: [],
  take: async () => ({ isGranted: true, isResumed: false, end: async () => undefined }),
  hold: async () => undefined,
  left: async (directory) => ({
    directory,
    orders: 1,
    ordersLimit: 1,
    waiting: 0,
    heldUntil: null,
    heldFor: null,
  }),
  sweep: async () => undefined,
};

/** Parts that allow everything; a test overrides what it needs. */
export function issueParts(
  base: { readonly pool: pg.Pool; readonly vault: Vault; readonly clock: Clock },
  hosts: Pick<HostTable, "get">,
  issuers: readonly Issuer[],
  changes: Partial<IssueParts> = {},
): IssueParts {
  return {
    ...base,
    hosts,
    log: silent,
    random: () => 0.5,
    permission: { isAllowed: async () => true },
    preflight: { check: async () => undefined },
    budget: unlimited,
    stats: createCertificateStats(),
    issuersFor: () => issuers,
    ...changes,
  };
}
