import { randomBytes } from "node:crypto";

/** One letter for each 5 of 130 random bits, in the alphabet of RFC 4648 base32, lower case. */
const labelLength = 26;
const alphabet = "abcdefghijklmnopqrstuvwxyz234567";

/** A label of DNS that nobody guesses. */
export function newRandomLabel(): string {
  return Array.from(randomBytes(labelLength), (byte) => alphabet[byte & 31]).join("");
}
