import { createPrivateKey, type KeyObject } from "node:crypto";
import { ProviderError } from "./errors.ts";

const pem = /^-----BEGIN ([A-Z ]*PRIVATE KEY)-----([\s\S]+)-----END \1-----$/;

/**
 * A private key in PEM form (RFC 7468). Inputs of one line lose the line breaks, and clients that
 * store keys in JSON write them as `\n`; both are put back.
 */
export function readPrivateKey(label: string, given: string): KeyObject {
  const [, kind, body] = pem.exec(given.replaceAll("\\n", "\n").trim()) ?? [];
  const lines = body?.replace(/\s+/g, "").match(/.{1,64}/g) ?? [];
  try {
    return createPrivateKey(
      [`-----BEGIN ${kind}-----`, ...lines, `-----END ${kind}-----`].join("\n"),
    );
  } catch {
    // The reason may quote the key.
    throw new ProviderError("auth", `${label} is not a whole private key in PEM form.`);
  }
}
