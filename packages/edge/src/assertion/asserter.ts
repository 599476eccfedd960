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

/** A token is a statement about its minute: a host costs one signature a minute. */
const minuteMs = 60_000;
/** Tokens of the hosts that were visited last; each is about 700 bytes. */
const maxTokens = 10_000;
const refreshMs = 60_000;

/** Distinguishes these tokens from others that the same key set verifies (RFC 8725 §3.11). */
const assertionType = "svc-assertion+jwt";

/** A token of the end of its minute is valid for half a minute more. */
const lifetimeSeconds = 90;

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
  let minute = 0;

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
      const current = Math.floor(clock.now().getTime() / minuteMs);
      if (current !== minute) {
        tokens.clear();
        minute = current;
      }
      const known = tokens.get(host);
      if (known !== undefined) return known;
      const issuedAt = (minute * minuteMs) / 1_000;
      const token = signAssertion(host, { ...signer, issuer: parts.issuer, issuedAt });
      if (tokens.size >= maxTokens) dropOldest(tokens);
      tokens.set(host, token);
      return token;
    },
  };
}

function dropOldest(tokens: Map<Host, string>): void {
  for (const host of tokens.keys()) {
    tokens.delete(host);
    return;
  }
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

/**
 * A signed statement for the origin about a name in one minute: whose it is. It is the same for
 * every request to the name.
 */
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
    host: host.hostname,
    app: host.applicationId,
    cus: host.customerRef ?? null,
    env: host.environment,
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
