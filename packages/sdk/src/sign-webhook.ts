/** What a delivery is signed with and as. */
export interface SignOptions {
  /** The endpoint's `signing_secret`. */
  readonly secret: string;
  readonly id: string;
  readonly type: string;
  /** By default the first. */
  readonly attempt?: number;
  readonly now?: Date;
}

/**
 * The headers with which the service would deliver this body: for tests of a receiver, and for
 * passing events on. A receiver that verifies deliveries accepts them.
 */
export async function signWebhook(
  rawBody: string,
  { secret, id, type, attempt = 1, now = new Date() }: SignOptions,
): Promise<Record<string, string>> {
  const timestamp = String(Math.floor(now.getTime() / 1_000));
  const literal = new TextEncoder().encode(secret);
  const decoded = bytesOf(atob(secret.replace(/^whsec_/, "")));
  const mac = await hmac(literal, `${timestamp}.${rawBody}`);
  const standard = await hmac(decoded, `${id}.${timestamp}.${rawBody}`);
  return {
    "content-type": "application/json; charset=utf-8",
    "x-svc-timestamp": timestamp,
    "x-svc-signature": `sha256=${hexOf(mac)}`,
    "x-svc-event-id": id,
    "x-svc-event": type,
    "x-svc-attempt": String(attempt),
    "webhook-id": id,
    "webhook-timestamp": timestamp,
    "webhook-signature": `v1,${btoa(String.fromCharCode(...standard))}`,
  };
}

async function hmac(secret: Uint8Array<ArrayBuffer>, text: string): Promise<Uint8Array> {
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  const key = await crypto.subtle.importKey("raw", secret, algorithm, false, ["sign"]);
  return new Uint8Array(await crypto.subtle.sign("HMAC", key, new TextEncoder().encode(text)));
}

function bytesOf(binary: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(binary, (character) => character.charCodeAt(0));
}

function hexOf(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
