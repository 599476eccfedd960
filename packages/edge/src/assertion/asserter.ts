import {
  createPrivateKey,
  generateKeyPairSync,
  type KeyObject,
  randomUUID,
  sign,
} from "node:crypto";
import type { Vault } from "@mooring/vault";
import type pg from "pg";
import { assertionKeyContext } from "../certificates/seal.ts";
import type { Clock, Log } from "../config/settings.ts";
import {
  addAssertionKey,
  loadAssertionKeys,
  type StoredAssertionKey,
} from "../db/assertion-keys.ts";
import type { Host } from "../hosts/host.ts";
import { type KeptKeys, needsNewKey, signingKey } from "./signing-keys.ts";

/** Signs for origins; goes on with the keys it has while the database is away. */
export interface Asserter {
  /** Null before there is any key. */
  sign(host: Host): string | null;
  /** Reads the keys anew; makes one when it is time. */
  refresh(): Promise<void>;
  stop(): void;
}

export interface AsserterParts {
  readonly pool: pg.Pool;
  readonly vault: Vault;
  readonly clock: Clock;
  readonly log: Log;
  readonly kept: KeptKeys;
  /** `iss` of every token: the public address of the API, where the public keys are. */
  readonly issuer: string;
}

/** The same token is used for so long: signing costs a host nothing but its first request. */
const reuseMs = 15_000;
const refreshMs = 60_000;

interface Signer {
  readonly id: string;
  readonly head: string;
  readonly privateKey: KeyObject;
}

export async function startAsserter(parts: AsserterParts): Promise<Asserter> {
  const { clock, log, kept, vault } = parts;
  const tokens = new Map<Host, string>();
  let keys = kept.load();
  let signer: Signer | null = null;
  let begunAt = 0;

  const choose = (): void => {
    const chosen = signingKey(keys, clock.now());
    if (chosen?.id === signer?.id) return;
    signer = chosen === null ? null : openKey(vault, chosen);
    tokens.clear();
  };

  const refresh = async (): Promise<void> => {
    try {
      keys = await readKeys(parts);
      kept.save(keys);
    } catch (error) {
      log.warn({ err: error }, "assertion keys not read; those at hand go on");
    }
    choose();
  };

  const timer = setInterval(() => void refresh().catch(tellOf(log)), refreshMs);
  timer.unref();
  await refresh().catch(tellOf(log));
  return {
    refresh,
    stop: () => clearInterval(timer),
    sign(host) {
      if (signer === null) return null;
      const now = clock.now().getTime();
      if (now < begunAt || now - begunAt >= reuseMs) {
        tokens.clear();
        begunAt = now;
      }
      const known = tokens.get(host);
      if (known !== undefined) return known;
      const issuedAt = Math.floor(begunAt / 1_000);
      const token = signAssertion(host, { ...signer, issuer: parts.issuer, issuedAt });
      tokens.set(host, token);
      return token;
    },
  };
}

/** A key that does not open, under a root key that is gone, must not stop what is served. */
function tellOf(log: Log): (error: unknown) => void {
  return (error) => log.error({ err: error }, "assertion keys cannot be used");
}

async function readKeys(parts: AsserterParts): Promise<StoredAssertionKey[]> {
  const { pool, clock } = parts;
  const isWanted = (keys: readonly StoredAssertionKey[]) => needsNewKey(keys, clock.now());
  const keys = await loadAssertionKeys(pool);
  return isWanted(keys) ? addAssertionKey(pool, isWanted, () => makeKey(parts)) : keys;
}

function makeKey({ vault, clock }: AsserterParts): StoredAssertionKey {
  const id = randomUUID();
  const pair = generateKeyPairSync("ed25519");
  const der = pair.privateKey.export({ format: "der", type: "pkcs8" });
  return {
    id,
    publicJwk: pair.publicKey.export({ format: "jwk" }),
    sealed: vault.seal("assertion_signing", assertionKeyContext(id), der),
    createdAt: clock.now(),
  };
}

function openKey(vault: Vault, { id, sealed }: StoredAssertionKey): Signer {
  const key = vault.open("assertion_signing", assertionKeyContext(id), sealed);
  return {
    id,
    head: tokenHead(id),
    privateKey: createPrivateKey({ key, format: "der", type: "pkcs8" }),
  };
}

/** What tells this kind of token from every other that the same key set verifies (RFC 8725 §3.11). */
const assertionType = "svc-assertion+jwt";

export const lifetimeSeconds = 60;

/** The head of every token that a key signs, encoded. */
export function tokenHead(keyId: string): string {
  return encode({ alg: "EdDSA", typ: assertionType, kid: keyId });
}

/** The signed statement to the origin about whose request it gets. */
export function signAssertion(
  host: Host,
  at: {
    readonly head: string;
    readonly privateKey: KeyObject;
    readonly issuer: string;
    /** Seconds since 1970. */
    readonly issuedAt: number;
  },
): string {
  const body = encode({
    iss: at.issuer,
    aud: host.applicationId,
    sub: host.connectionId,
    tid: host.tenantId,
    env: host.environment,
    hostname: host.hostname,
    iat: at.issuedAt,
    exp: at.issuedAt + lifetimeSeconds,
  });
  const signed = `${at.head}.${body}`;
  // RFC 8037 §3.1: Ed25519 signs the message itself, no digest of it.
  return `${signed}.${sign(null, Buffer.from(signed), at.privateKey).toString("base64url")}`;
}

function encode(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString("base64url");
}
