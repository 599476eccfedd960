import { createHash, createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import type { TenantScope } from "./tenancy.ts";

/** A pair that signs apply links. Its public half stands in DNS at `label` below `domain`. */
export interface DomainConnectKey {
  readonly id: string;
  readonly label: string;
  readonly domain: string;
  /** SubjectPublicKeyInfo, base64 of DER. */
  readonly publicKey: string;
  readonly sealed: string;
  readonly createdAt: Date;
  /** Null while DNS has not shown the public half: nobody could check its signatures. */
  readonly activatedAt: Date | null;
  readonly retiredAt: Date | null;
}

export type KeyUse = "waiting" | "signing" | "superseded" | "retired";

/** What each key is for, given all of them newest first: the newest that is active signs. */
export function keyUse(key: DomainConnectKey, all: readonly DomainConnectKey[]): KeyUse {
  if (key.retiredAt !== null) return "retired";
  if (key.activatedAt === null) return "waiting";
  return signingKey(all)?.id === key.id ? "signing" : "superseded";
}

export function signingKey(newestFirst: readonly DomainConnectKey[]): DomainConnectKey | null {
  return newestFirst.find((key) => key.retiredAt === null && key.activatedAt !== null) ?? null;
}

/** `_dck1`, `_dck2`, …: a label is never used for a second key, since verifiers may remember it. */
export function nextLabel(keys: readonly Pick<DomainConnectKey, "label">[]): string {
  const used = keys.map(({ label }) => Number(/^_dck(\d+)$/.exec(label)?.[1] ?? 0));
  return `_dck${Math.max(0, ...used) + 1}`;
}

export type AttemptOutcome = "returned" | "cancelled" | "refused" | "failed";

/** One customer sent to their DNS provider for one connection. */
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

/** A customer's leave to apply one template to one zone. */
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

/** As long as a widget token lives: signing in at a provider, with a lost password, takes its time. */
export const stateLifetimeMs = 3_600_000;

const secretBytes = 32;
const macBytes = 16;

/**
 * What comes back from the provider: 256 random bits and a 128-bit HMAC, so that what was not made
 * here is refused before anything is looked up. Only its hash is kept.
 */
export function newState(key: Buffer): string {
  const secret = randomBytes(secretBytes);
  return Buffer.concat([secret, stateMac(key, secret)]).toString("base64url");
}

export function isOwnState(keys: readonly Buffer[], state: string): boolean {
  const bytes = Buffer.from(state, "base64url");
  // base64url decoding forgives stray characters and spare bits; one spelling only is ours.
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
