import { createHmac, timingSafeEqual } from "node:crypto";
import type { Vault } from "@mooring/vault";
import { headers, type MsgHdrs } from "@nats-io/transport-node";

/**
 * Signs what processes with the database send to edges, with a key of the root key that both have.
 * Who can write to NATS but lacks it can lead no visitor anywhere: an edge does not use a message
 * that was forged, altered, moved to another subject or sent again.
 */
export interface Signatures {
  /** A value of the stream, for its number there. */
  signValue(value: StreamValue, fields?: MsgHdrs): MsgHdrs;
  isValue(value: StreamValue, fields: MsgHdrs | undefined): boolean;
  /** Whether a value was signed with the current root key, and not with an older one. */
  isCurrent(fields: MsgHdrs | undefined): boolean;
  /** An answer to a request; the nonce is of the request. */
  signReply(reply: Reply): MsgHdrs;
  isReply(reply: Reply, fields: MsgHdrs | undefined): boolean;
  /** A message that concerns only those who get it now. */
  signNews(news: News, now: Date): MsgHdrs;
  isNews(news: News, fields: MsgHdrs | undefined, now: Date): boolean;
}

export interface StreamValue {
  readonly subject: string;
  readonly sequence: number;
  readonly data: string | Uint8Array;
}

interface Reply {
  readonly subject: string;
  readonly nonce: string;
  readonly data: string | Uint8Array;
}

type News = Pick<Reply, "subject" | "data">;

const signatureHeader = "Mooring-Signature";
const signedAtHeader = "Mooring-Signed-At";
export const nonceHeader = "Mooring-Nonce";
/** Clocks of machines differ a little. */
const newsForMs = 60_000;

export function createSignatures(
  vault: Pick<Vault, "deriveKey" | "currentKeyId" | "keyIds">,
): Signatures {
  const keys = new Map(
    vault.keyIds.map((id) => [id, vault.deriveKey("certificate_key", id)] as const),
  );

  const compute = (keyId: string, about: readonly string[], data: string | Uint8Array): string => {
    const key = keys.get(keyId);
    if (key === undefined) return "";
    const mac = createHmac("sha256", key).update(`mooring/feed/v1\n${about.join("\n")}\n`);
    return `${keyId}:${mac.update(data).digest("base64url")}`;
  };
  const sign = (about: readonly string[], data: string | Uint8Array, fields = headers()) => {
    fields.set(signatureHeader, compute(vault.currentKeyId, about, data));
    return fields;
  };
  const isSigned = (
    about: readonly string[],
    data: string | Uint8Array,
    fields: MsgHdrs | undefined,
  ): boolean => {
    const found = Buffer.from(fields?.get(signatureHeader) ?? "");
    const expected = Buffer.from(compute(readKeyId(fields), about, data));
    return found.length > 0 && found.length === expected.length && timingSafeEqual(found, expected);
  };

  return {
    signValue: ({ subject, sequence, data }, fields) =>
      sign(["value", subject, String(sequence)], data, fields),
    isValue: ({ subject, sequence, data }, fields) =>
      isSigned(["value", subject, String(sequence)], data, fields),
    isCurrent: (fields) => readKeyId(fields) === vault.currentKeyId,
    signReply: ({ subject, nonce, data }) => sign(["reply", subject, nonce], data),
    isReply: ({ subject, nonce, data }, fields) =>
      isSigned(["reply", subject, nonce], data, fields),
    signNews({ subject, data }, now) {
      const signedAt = now.toISOString();
      const fields = sign(["news", subject, signedAt], data);
      fields.set(signedAtHeader, signedAt);
      return fields;
    },
    isNews({ subject, data }, fields, now) {
      const signedAt = fields?.get(signedAtHeader) ?? "";
      const ageMs = Math.abs(now.getTime() - Date.parse(signedAt));
      return ageMs <= newsForMs && isSigned(["news", subject, signedAt], data, fields);
    },
  };
}

function readKeyId(fields: MsgHdrs | undefined): string {
  const text = fields?.get(signatureHeader) ?? "";
  return text.slice(0, Math.max(0, text.indexOf(":")));
}
