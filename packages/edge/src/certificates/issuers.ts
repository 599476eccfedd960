import { createPublicKey } from "node:crypto";
import { readFileSync } from "node:fs";
import { createGuard } from "@mooring/egress";
import type { Vault } from "@mooring/vault";
import type pg from "pg";
import type { Clock, EdgeSettings } from "../config/settings.ts";
import { loadAuthority, storeAuthority } from "../db/issuer-keys.ts";
import type { Host } from "../hosts/host.ts";
import { type Authority, createAuthority, issueLeaf } from "../tls/authority.ts";
import { generateKey, keyFromPem, keyToPem } from "../tls/keys.ts";
import { createAcmeIssuer } from "./acme-issuer.ts";
import { IssueError, type Issuer } from "./issuer.ts";
import { localCaContext } from "./seal.ts";

const day = 86_400_000;
const leafLifetimeMs = 45 * day;
const authorityLifetimeMs = 3_650 * day;
/** Clocks of visitors differ from ours. */
const backdateMs = 3_600_000;

/**
 * A certificate authority of this installation's own: for the sandbox always, and for every name
 * while no ACME directory is set. One for all edges, its key sealed in the database.
 */
export function createLocalIssuer(parts: {
  readonly pool: pg.Pool;
  readonly vault: Vault;
  readonly clock: Clock;
  /** Every certificate will come from it: it is made at once, so that its root can be trusted before. */
  readonly isOnly: boolean;
}): Issuer {
  const { pool, vault, clock } = parts;
  let authority: Promise<Authority> | null = null;

  const open = async (): Promise<Authority> => {
    const stored = (await loadAuthority(pool)) ?? (await make());
    const key = vault.open("local_ca", localCaContext, stored.sealedKey).toString("utf8");
    return { certificatePem: stored.certificate, key: keyFromPem(key) };
  };

  const make = async () => {
    const now = clock.now();
    const made = await createAuthority({
      commonName: "Mooring local CA",
      notBefore: new Date(now.getTime() - backdateMs),
      notAfter: new Date(now.getTime() + authorityLifetimeMs),
    });
    const sealedKey = vault.seal("local_ca", localCaContext, keyToPem(made.key));
    await storeAuthority(pool, { certificate: made.certificatePem, sealedKey }, now);
    const stored = await loadAuthority(pool);
    if (!stored) throw new Error("the local CA was not stored");
    return stored;
  };

  const current = (): Promise<Authority> => {
    authority ??= open();
    return authority.catch((error: unknown) => {
      authority = null;
      throw error;
    });
  };
  // What fails here is tried again, and told, when a certificate is wanted.
  if (parts.isOnly) current().catch(() => undefined);

  return {
    name: "local",
    isLimited: false,
    async obtain(host) {
      // The sandbox's way to see a CA refuse; the documentation lists it.
      if (host.environment === "test" && /^certfail\..*\.test$/.test(host.hostname)) {
        throw new IssueError("certificate_failed", "the sandbox's CA refuses this name");
      }
      const ca = await current();
      const now = clock.now().getTime();
      const validity = {
        notBefore: new Date(now - backdateMs),
        notAfter: new Date(now + leafLifetimeMs),
      };
      const key = await generateKey();
      const publicKey = createPublicKey(key).export({ type: "spki", format: "der" });
      const leaf = await issueLeaf(ca, { hostnames: [host.hostname], publicKey, ...validity });
      const chain = leaf + ca.certificatePem;
      return { chain, key: keyToPem(key), ca: "Mooring local CA", ...validity };
    },
  };
}

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
