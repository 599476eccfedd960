import { createPrivateKey, type KeyObject, sign } from "node:crypto";
import type { Clock } from "@mooring/postgres";
import type { Vault } from "@mooring/vault";
import type { Log } from "../config/settings.ts";
import { assertionKeyContext, type StoredAssertionKey } from "../db/assertion-keys.ts";
import type { KeyFeed } from "../feed/feed.ts";
import type { Host } from "../hosts/host.ts";
import { type KeySnapshot, signingKey } from "./signing-keys.ts";

/** Signs assertions for origins; without the feed it continues with its last keys. */
export interface Asserter {
  /** Null before the first key exists. */
  sign(host: Host): string | null;
  /** Reads the keys again. */
  refresh(): Promise<void>;
  stop(): void;
}

export interface AsserterParts {
  readonly keys: Pick<KeyFeed, "assertionKeys">;
  readonly vault: Vault;
  readonly clock: Clock;
  readonly log: Log;
  readonly snapshot: KeySnapshot;
  /** `iss` of every token: the public address of the API, where the public keys are. */
  readonly issuer: string;
}

/** A token is reused for this long, so that few requests cost a signature. */
const reuseMs = 15_000;
const refreshMs = 60_000;

/** Distinguishes these tokens from others that the same key set verifies (RFC 8725 §3.11). */
const assertionType = "svc-assertion+jwt";

const lifetimeSeconds = 60;

interface Signer {
  readonly id: string;
  readonly head: string;
  readonly privateKey: KeyObject;
}

export async function startAsserter(parts: AsserterParts): Promise<Asserter> {
  const { clock, log, snapshot, vault } = parts;
  const tokens = new Map<Host, string>();
  let keys = snapshot.load();
  let signer: Signer | null = null;
  let windowStart = 0;

  const choose = (): void => {
    const chosen = signingKey(keys, clock.now());
    if (chosen?.id === signer?.id) return;
    signer = chosen === null ? null : openKey(vault, chosen);
    tokens.clear();
  };

  const refresh = async (): Promise<void> => {
    try {
      keys = await parts.keys.assertionKeys();
      snapshot.save(keys);
    } catch (error) {
      log.warn({ err: error }, "assertion keys not read, using the previous ones");
    }
    choose();
  };

  const timer = setInterval(() => void refresh().catch(logUnusable(log)), refreshMs);
  timer.unref();
  await refresh().catch(logUnusable(log));
  return {
    refresh,
    stop: () => clearInterval(timer),
    sign(host) {
      if (signer === null) return null;
      const now = clock.now().getTime();
      if (now < windowStart || now - windowStart >= reuseMs) {
        tokens.clear();
        windowStart = now;
      }
      const known = tokens.get(host);
      if (known !== undefined) return known;
      const issuedAt = Math.floor(windowStart / 1_000);
      const token = signAssertion(host, { ...signer, issuer: parts.issuer, issuedAt });
      tokens.set(host, token);
      return token;
    },
  };
}

/** A key that does not open, for example after the loss of its root key, must not stop serving. */
function logUnusable(log: Log): (error: unknown) => void {
  return (error) => log.error({ err: error }, "assertion keys cannot be used");
}

function openKey(vault: Vault, { id, sealed }: StoredAssertionKey): Signer {
  const key = vault.open("assertion_signing", assertionKeyContext(id), sealed);
  return {
    id,
    head: tokenHead(id),
    privateKey: createPrivateKey({ key, format: "der", type: "pkcs8" }),
  };
}

/** The encoded head of every token that a key signs. */
function tokenHead(keyId: string): string {
  return encode({ alg: "EdDSA", typ: assertionType, kid: keyId });
}

/** A signed statement for the origin: the tenant, connection and hostname of a request. */
function signAssertion(
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
  // RFC 8037 §3.1: Ed25519 signs the message itself, not a digest.
  return `${signed}.${sign(null, Buffer.from(signed), at.privateKey).toString("base64url")}`;
}

function encode(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString("base64url");
}
