import { createHash, randomBytes } from "node:crypto";

const shape = /^[A-Za-z0-9_-]{43}$/;

/** 256 random bits, so that a link cannot be guessed; with its stored form. */
export function newLinkToken(): { readonly token: string; readonly tokenHash: Buffer } {
  const token = randomBytes(32).toString("base64url");
  return { token, tokenHash: createHash("sha256").update(token).digest() };
}

/** The stored form; null for text that cannot be a token, which then costs no lookup. */
export function hashLinkToken(token: string): Buffer | null {
  return shape.test(token) ? createHash("sha256").update(token).digest() : null;
}
