import { type KeyObject, sign } from "node:crypto";
import type { Host } from "../host.ts";

/** What tells this kind of token from every other that the same key set verifies (RFC 8725 §3.11). */
const assertionType = "svc-assertion+jwt";

export const lifetimeSeconds = 60;

/** The head of every token that a key signs, encoded. */
export function tokenHead(keyId: string): string {
  return encode({ alg: "EdDSA", typ: assertionType, kid: keyId });
}

/** The signed statement to the origin about whose request it gets. */
export function signAssertion(
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
  // RFC 8037 §3.1: Ed25519 signs the message itself, no digest of it.
  return `${signed}.${sign(null, Buffer.from(signed), at.privateKey).toString("base64url")}`;
}

function encode(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString("base64url");
}
