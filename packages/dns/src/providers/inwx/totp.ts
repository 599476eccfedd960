import { createHmac } from "node:crypto";
import { ProviderError } from "../adapter/errors.ts";

const stepSeconds = 30;
const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

/**
 * The one-time password of six digits for this moment (RFC 6238 with SHA-1); the secret is in
 * base32.
 */
export function oneTimePassword(secret: string, at: Date): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(at.getTime() / 1_000 / stepSeconds)));
  const hash = createHmac("sha1", fromBase32(secret)).update(counter).digest();
  // RFC 4226 §5.3: the last half byte says where the number is.
  const offset = (hash.at(-1) ?? 0) & 15;
  const number = hash.readUInt32BE(offset) & 0x7fff_ffff;
  return String(number % 1_000_000).padStart(6, "0");
}

/** Until there is another one-time password. */
export function msUntilNext(at: Date): number {
  return stepSeconds * 1_000 - (at.getTime() % (stepSeconds * 1_000));
}

/** RFC 4648 §6, with the spaces that apps show and without padding. */
function fromBase32(text: string): Buffer {
  const digits = [...text.toUpperCase().replace(/[\s=-]/g, "")].map((one) => alphabet.indexOf(one));
  if (digits.length === 0 || digits.includes(-1)) {
    throw new ProviderError("auth", "The secret of the two-factor login is not base32.");
  }
  const bits = digits.map((digit) => digit.toString(2).padStart(5, "0")).join("");
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
}
