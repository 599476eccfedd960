import { createHash, randomBytes } from "node:crypto";

const shape = /^[A-Za-z0-9_-]{43}$/;

/** 256 random bits: whoever has the link was given it. */
export function newShareToken(): string {
  return randomBytes(32).toString("base64url");
}

/** The form that is kept; null for what cannot be a token, which costs no look-up. */
export function hashShareToken(token: string): Buffer | null {
  return shape.test(token) ? createHash("sha256").update(token).digest() : null;
}
