import { createHash, createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import type { DomainConnectRefusal, DomainConnectSettings, TemplateIdentity } from "@mooring/dns";
import type { TenantScope } from "../tenancy.ts";

/**
 * A key pair that signs apply links. Its public key is published in DNS at `label` below `domain`.
 */
export interface DomainConnectKey {
  readonly id: string;
  readonly label: string;
  readonly domain: string;
  /** SubjectPublicKeyInfo, base64 of DER. */
  readonly publicKey: string;
  readonly sealed: string;
  readonly createdAt: Date;
  /** Null until DNS publishes the public key: before that no provider can verify a signature. */
  readonly activatedAt: Date | null;
  readonly retiredAt: Date | null;
}

export type KeyUse = "waiting" | "signing" | "superseded" | "retired";

/** What a key is used for, given all keys newest first: the newest active one signs. */
export function keyUse(key: DomainConnectKey, all: readonly DomainConnectKey[]): KeyUse {
  if (key.retiredAt !== null) return "retired";
  if (key.activatedAt === null) return "waiting";
  return signingKey(all)?.id === key.id ? "signing" : "superseded";
}

export function signingKey(newestFirst: readonly DomainConnectKey[]): DomainConnectKey | null {
  return newestFirst.find((key) => key.retiredAt === null && key.activatedAt !== null) ?? null;
}

/** The full name of the key's TXT records. */
export function keyName({ label, domain }: Pick<DomainConnectKey, "label" | "domain">): string {
  return `${label}.${domain}`;
}

/** `_dck1`, `_dck2`, …: a label is never reused, because verifiers may cache its key. */
export function nextLabel(keys: readonly Pick<DomainConnectKey, "label">[]): string {
  const used = keys.map(({ label }) => Number(/^_dck(\d+)$/.exec(label)?.[1] ?? 0));
  return `_dck${Math.max(0, ...used) + 1}`;
}

export type AttemptOutcome = "returned" | "cancelled" | "refused" | "failed";

/** One visit of a customer to their DNS provider, for one connection. */
export interface DomainConnectAttempt extends TenantScope {
  readonly id: string;
  readonly connectionId: string;
  readonly mode: "sync" | "async";
  readonly stateHash: Buffer;
  readonly redirectUri: string | null;
  readonly providerId: string | null;
  readonly providerName: string;
  readonly zone: string;
  /** Relative to the zone; empty at its top. */
  readonly host: string;
  readonly serviceId: string;
  readonly keyLabel: string | null;
  readonly createdAt: Date;
  readonly expiresAt: Date;
  readonly returnedAt: Date | null;
  readonly outcome: AttemptOutcome | null;
  readonly error: string | null;
}

/** A customer's consent to apply one template to one zone. */
export interface DomainConnectGrant extends TenantScope {
  readonly connectionId: string;
  readonly providerId: string;
  readonly providerName: string;
  readonly zone: string;
  readonly host: string;
  readonly serviceId: string;
  readonly sealed: string;
  readonly tokenExpiresAt: Date | null;
  readonly createdAt: Date;
  readonly appliedAt: Date | null;
}

/** As long as a widget token lives: signing in at a provider can include resetting a password. */
export const stateLifetimeMs = 3_600_000;

const secretBytes = 32;
const macBytes = 16;

/**
 * The `state` that the provider returns: 256 random bits and a 128-bit HMAC, so that a value not
 * made here is refused without a database lookup. Only its hash is stored.
 */
export function newState(key: Buffer): string {
  const secret = randomBytes(secretBytes);
  return Buffer.concat([secret, stateMac(key, secret)]).toString("base64url");
}

export function isOwnState(keys: readonly Buffer[], state: string): boolean {
  const bytes = Buffer.from(state, "base64url");
  // Decoding ignores stray characters and unused bits, so the text is compared with its
  // re-encoding.
  if (bytes.length !== secretBytes + macBytes || bytes.toString("base64url") !== state) {
    return false;
  }
  const secret = bytes.subarray(0, secretBytes);
  return keys.some((key) => timingSafeEqual(stateMac(key, secret), bytes.subarray(secretBytes)));
}

export function hashState(state: string): Buffer {
  return createHash("sha256").update(state, "ascii").digest();
}

function stateMac(key: Buffer, secret: Buffer): Buffer {
  const label = "domain-connect state";
  return createHmac("sha256", key).update(label).update(secret).digest().subarray(0, macBytes);
}

/**
 * What one DNS provider issued to this installation for its asynchronous flow. The API URL is
 * configured, not discovered: a hostile zone could name another one and would receive the secret.
 */
export interface DomainConnectClient {
  readonly providerId: string;
  readonly urlAPI: string;
  readonly clientId: string;
  readonly clientSecret: string;
}

/**
 * The client of a zone's provider; null unless provider and API are those configured and it has the
 * flow.
 */
export function clientFor(
  clients: readonly DomainConnectClient[],
  settings: Pick<DomainConnectSettings, "providerId" | "urlAPI" | "urlAsyncUX">,
): DomainConnectClient | null {
  if (settings.urlAsyncUX === null) return null;
  const found = clients.find(
    ({ providerId, urlAPI }) => providerId === settings.providerId && urlAPI === settings.urlAPI,
  );
  return found ?? null;
}

/** Whether a zone's provider can apply our records after the customer's consent. */
export type DomainConnectOffer =
  | {
      readonly offered: true;
      readonly settings: DomainConnectSettings;
      readonly template: TemplateIdentity;
      /** `async` where the operator is a client of the provider, which lets us apply and revert. */
      readonly mode: "sync" | "async";
    }
  | { readonly offered: false; readonly reason: NoOffer };

export type NoOffer =
  | DomainConnectRefusal
  | "no_template"
  | "no_https"
  | "no_key"
  | "no_sync_flow"
  | "template_unsupported"
  | "template_unknown";
