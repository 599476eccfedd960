import { createHash, createHmac, randomBytes } from "node:crypto";

/** A session ends after this time without a request, and at the latest after the other. */
export const sessionIdleMs = 12 * 3_600_000;
export const sessionLifetimeMs = 7 * 86_400_000;

/** How a person has proved who they are. */
export type SignInMethod = "link" | "oidc" | "passkey";

const shape = /^[A-Za-z0-9_-]{43}$/;

/** 256 random bits: of a session, of a link that signs in, of a sign-in that was begun. */
export function newSecret(): string {
  return randomBytes(32).toString("base64url");
}

/** The stored form; null for text that cannot be a secret of ours, which then costs no lookup. */
export function hashSecret(secret: string): Buffer | null {
  return shape.test(secret) ? createHash("sha256").update(secret).digest() : null;
}

/** Of a secret that we made. */
export function hashOwnSecret(secret: string): Buffer {
  const hash = hashSecret(secret);
  if (hash === null) throw new Error("a new secret does not have the shape of one");
  return hash;
}

/** Follows from the session's secret, which is stored nowhere, so neither is this. */
export function deriveCsrfToken(secret: string): string {
  return createHmac("sha256", secret).update("csrf").digest("base64url");
}
