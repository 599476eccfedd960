import { createPublicKey } from "node:crypto";
import { readFileSync } from "node:fs";
import { createGuard } from "@mooring/egress";
import type { Clock } from "@mooring/postgres";
import type { Vault } from "@mooring/vault";
import type pg from "pg";
import type { ExternalAccount } from "../../acme/jws.ts";
import type { ProfileChoice } from "../../acme/order.ts";
import type { EdgeSettings } from "../../config/settings.ts";
import { loadAuthority, localCaContext, storeAuthority } from "../../db/issuer-keys.ts";
import { type Host, isSandbox } from "../../hosts/host.ts";
import { type Authority, createAuthority, issueLeaf } from "../../x509/authority.ts";
import { parseChain } from "../../x509/chain.ts";
import { generateKey, keyFromPem, keyToPem } from "../../x509/keys.ts";
import { createAcmeIssuer } from "./acme-issuer.ts";
import type { Delegation } from "./delegation.ts";
import { IssueError, type Issuer } from "./issuer.ts";

const fetchLimits = { connectTimeoutMs: 5_000, totalTimeoutMs: 20_000, maxBytes: 1_048_576 };

type IssuerSettings = Pick<
  EdgeSettings,
  | "ACME_DIRECTORY_URL"
  | "ACME_CA_FILE"
  | "ACME_EMAIL"
  | "ACME_EAB_KID"
  | "ACME_EAB_KEY"
  | "ACME_EABS"
  | "ACME_PROFILES"
  | "EGRESS_RESOLVERS"
>;

/**
 * The issuers for a host: the local CA for the sandbox and while no directory is set, else the ACME
 * directories in their order.
 */
export function createIssuers(
  settings: IssuerSettings,
  parts: {
    readonly pool: pg.Pool;
    readonly vault: Vault;
    readonly clock: Clock;
    readonly random: () => number;
    readonly delegation: Delegation | null;
  },
): (host: Host) => readonly Issuer[] {
  const local = [createLocalIssuer({ ...parts, isCreatedAtOnce: true })];
  // The operator chooses the directories, and they may be private; only they use this guard.
  const guard = createGuard({
    allowPrivate: true,
    nameServers: settings.EGRESS_RESOLVERS,
    fetchLimits,
    ...(settings.ACME_CA_FILE ? { tls: { ca: readFileSync(settings.ACME_CA_FILE) } } : {}),
  });
  const client = {
    fetch: guard.fetch,
    ...(settings.ACME_EMAIL ? { contact: [settings.ACME_EMAIL] } : {}),
  };
  const acme = settings.ACME_DIRECTORY_URL.map((directory) => {
    const profile = findProfile(settings, directory);
    const eab = findExternalAccount(settings, directory);
    const bound = eab === null ? client : { ...client, eab };
    return createAcmeIssuer({ ...parts, directory, profile, client: bound });
  });
  return (host) => (isSandbox(host) || acme.length === 0 ? local : acme);
}

/** Without a setting the profile for web servers, where the CA offers it. */
function findProfile({ ACME_PROFILES }: IssuerSettings, directory: string): ProfileChoice | null {
  const set = ACME_PROFILES[directory];
  if (set === undefined) return { name: "tlsserver", isRequired: false };
  return set === "none" ? null : { name: set, isRequired: true };
}

/** The binding for this directory, else the one for all. */
function findExternalAccount(settings: IssuerSettings, directory: string): ExternalAccount | null {
  const { ACME_EABS, ACME_EAB_KID: kid, ACME_EAB_KEY: hmacKey } = settings;
  return ACME_EABS[directory] ?? (kid && hmacKey ? { kid, hmacKey } : null);
}

const day = 86_400_000;
const leafLifetimeMs = 45 * day;
const authorityLifetimeMs = 3_650 * day;
/** Clients' clocks may be behind ours. */
const backdateMs = 3_600_000;

/**
 * The local certificate authority of this installation: for the sandbox always, and for every name
 * while no ACME directory is set. All edges share it; its key is sealed in the database.
 */
export function createLocalIssuer(parts: {
  readonly pool: pg.Pool;
  readonly vault: Vault;
  readonly clock: Clock;
  /** Before its first certificate, so that people can trust its root before they visit a name. */
  readonly isCreatedAtOnce: boolean;
}): Issuer {
  const { pool, vault, clock } = parts;
  let authority: Promise<Authority> | null = null;

  const open = async (): Promise<Authority> => {
    const stored = (await loadAuthority(pool)) ?? (await create());
    const key = vault.open("local_ca", localCaContext, stored.sealedKey).toString("utf8");
    return { certificatePem: stored.certificate, key: keyFromPem(key) };
  };

  const create = async () => {
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
  // A failure here is retried, and reported, when a certificate is due.
  if (parts.isCreatedAtOnce) current().catch(() => undefined);

  return {
    name: "local",
    isLimited: false,
    async obtain(host) {
      if (host.environment === "test") refuseMagic(host.hostname);
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
      const { fingerprint } = parseChain(chain).leaf;
      return { chain, fingerprint, key: keyToPem(key), ca: "Mooring local CA", ...validity };
    },
  };
}

/**
 * Documented: names of the sandbox that show a refusal by the CA, and a CAA record that forbids it.
 */
function refuseMagic(hostname: string): void {
  const [, label] = /^(certfail|caa)\..*\.test$/.exec(hostname) ?? [];
  if (label === "certfail") {
    const detail = "the sandbox's CA refuses this name";
    const caError = { type: "urn:ietf:params:acme:error:rejectedIdentifier", detail };
    throw new IssueError("certificate_failed", detail, { caError });
  }
  if (label === "caa") throw new IssueError("caa_forbidden", `CAA at ${hostname}: 0 issue ";"`);
}
