import { givenAs } from "./given.ts";
import type { WebhookEvent } from "./schema.gen.ts";

/** Why a delivery is refused. */
export type WebhookRefusal =
  | "missing_signature"
  | "malformed_signature"
  | "missing_timestamp"
  | "malformed_timestamp"
  | "outside_tolerance"
  | "wrong_signature"
  | "malformed_body";

/** Respond to such a delivery with 400 and do nothing else. */
export class WebhookVerificationError extends Error {
  override name = "WebhookVerificationError";
  readonly reason: WebhookRefusal;

  constructor(reason: WebhookRefusal, message: string) {
    super(message);
    this.reason = reason;
  }
}

/** A Fetch `Headers`, Node's `request.headers`, pairs, or Node's flat `rawHeaders`. */
export type WebhookHeaders =
  | { get(name: string): string | null }
  | { readonly [name: string]: string | readonly string[] | undefined }
  | readonly (readonly [string, string])[]
  | readonly string[];

export interface VerifyOptions {
  /** The largest accepted distance of the timestamp from now, in either direction. Default: 300. */
  readonly toleranceSeconds?: number;
  readonly now?: Date;
}

/**
 * Verifies that a delivery comes from the service and is fresh, and returns its event. `rawBody`
 * must be the received bytes: a parsed and re-serialised body has another signature. During a
 * rotation the old secret, the new one, or a list of both is accepted.
 *
 * A newer service may send event types that this version does not know: give a switch a `default`.
 */
export async function verifyWebhook(
  rawBody: string | Uint8Array,
  headers: WebhookHeaders,
  secret: string | readonly string[],
  options: VerifyOptions = {},
): Promise<WebhookEvent> {
  const body = bodyBytes(rawBody);
  const secrets = checkedSecrets("verifyWebhook", secret);
  requireHeaders(headers);
  const signatures = parseSignatures(headers);
  const timestamp = readTimestamp(headers);
  requireFresh(Number(timestamp), options);
  const signed = joined(new TextEncoder().encode(`${timestamp}.`), body);
  if (!(await isSignedByAny(signed, signatures, secrets))) {
    throw new WebhookVerificationError(
      "wrong_signature",
      "The signature does not match the body and the secret. Is it the `signing_secret` of this endpoint, and is the body as it was received, before any JSON parsing?",
    );
  }
  return parseEvent(body);
}

function bodyBytes(rawBody: string | Uint8Array): Uint8Array {
  if (typeof rawBody === "string") return new TextEncoder().encode(rawBody);
  if (rawBody instanceof Uint8Array) return rawBody;
  throw new TypeError(
    `verifyWebhook: the body is ${givenAs(rawBody)}. Give the received bytes or text, before any JSON parsing, such as \`await request.text()\`, or \`request.body\` behind \`express.raw\`.`,
  );
}

/** With an empty secret anyone could sign. */
function checkedSecrets(caller: string, secret: string | readonly string[]): readonly string[] {
  const secrets = Array.isArray(secret) && secret.length > 0 ? secret : [secret];
  for (const one of secrets) {
    if (typeof one === "string" && one !== "") continue;
    throw new TypeError(
      `${caller}: the signing secret is ${givenAs(one)}. Give it the endpoint's \`signing_secret\`, which is shown once when the endpoint is created; is the environment variable that holds it set?`,
    );
  }
  return secrets;
}

function requireHeaders(headers: WebhookHeaders): void {
  if (typeof headers === "object" && headers !== null) return;
  throw new TypeError(
    `verifyWebhook: the headers are ${givenAs(headers)}. Give the request's headers, such as \`request.headers\`.`,
  );
}

function parseSignatures(headers: WebhookHeaders): readonly Uint8Array<ArrayBuffer>[] {
  const current = readHeader(headers, "x-svc-signature");
  if (current === null) {
    throw new WebhookVerificationError(
      "missing_signature",
      "There is no X-Svc-Signature header: the service did not send this request, or something before you removed the header.",
    );
  }
  const previous = readHeader(headers, "x-svc-signature-previous");
  return [current, ...(previous === null ? [] : [previous])].map(signatureBytes);
}

function signatureBytes(text: string): Uint8Array<ArrayBuffer> {
  const hex = /^sha256=([0-9a-f]{64})$/i.exec(text.trim())?.[1];
  if (hex === undefined) {
    throw new WebhookVerificationError(
      "malformed_signature",
      "X-Svc-Signature is not `sha256=` and 64 hexadecimal digits: the service did not send this request.",
    );
  }
  return Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
}

function readTimestamp(headers: WebhookHeaders): string {
  const text = readHeader(headers, "x-svc-timestamp")?.trim();
  if (text === undefined) {
    throw new WebhookVerificationError(
      "missing_timestamp",
      "There is no X-Svc-Timestamp header: the service did not send this request, or something before you removed the header.",
    );
  }
  if (!/^\d{1,12}$/.test(text)) {
    throw new WebhookVerificationError(
      "malformed_timestamp",
      "X-Svc-Timestamp is not seconds since 1970: the service did not send this request.",
    );
  }
  return text;
}

function requireFresh(timestamp: number, options: VerifyOptions): void {
  const { toleranceSeconds = 300, now = new Date() } = options;
  const age = Math.floor(now.getTime() / 1_000) - timestamp;
  // Fails for NaN.
  if (!(Math.abs(age) <= toleranceSeconds)) {
    throw new WebhookVerificationError(
      "outside_tolerance",
      `The delivery is ${age} seconds old and ${toleranceSeconds} are allowed: it was recorded and sent again, or the clock of this machine is wrong.`,
    );
  }
}

/** `subtle.verify` compares in constant time, and every pair is tried even after a match. */
async function isSignedByAny(
  signed: Uint8Array<ArrayBuffer>,
  signatures: readonly Uint8Array<ArrayBuffer>[],
  secrets: readonly string[],
): Promise<boolean> {
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  let isAny = false;
  for (const secret of secrets) {
    const bytes = new TextEncoder().encode(secret);
    const key = await crypto.subtle.importKey("raw", bytes, algorithm, false, ["verify"]);
    for (const signature of signatures) {
      if (await crypto.subtle.verify("HMAC", key, signature, signed)) isAny = true;
    }
  }
  return isAny;
}

function joined(head: Uint8Array, tail: Uint8Array): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(head.length + tail.length);
  all.set(head);
  all.set(tail, head.length);
  return all;
}

/** Returns a header's value; repeated headers are joined, as `Headers` does. */
function readHeader(headers: WebhookHeaders, name: string): string | null {
  if ("get" in headers && typeof headers.get === "function") return headers.get(name);
  const values = headerEntries(headers)
    .filter(([key]) => key.toLowerCase() === name)
    .flatMap(([, value]) => value ?? []);
  return values.length === 0 ? null : values.join(", ");
}

function headerEntries(
  headers: WebhookHeaders,
): readonly (readonly [string, string | readonly string[] | undefined])[] {
  if (!Array.isArray(headers)) return Object.entries(headers);
  return headers.flatMap((one: string | readonly [string, string], index) => {
    if (typeof one !== "string") return [one];
    const value: unknown = headers[index + 1];
    return index % 2 === 0 && typeof value === "string" ? [[one, value] as const] : [];
  });
}

/** The signature proves the sender; this checks that the body is an event. */
function parseEvent(body: Uint8Array): WebhookEvent {
  try {
    const value: unknown = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(body));
    if (isEvent(value)) return value;
  } catch {
    // Refused below, like a body that is JSON and not an event.
  }
  throw new WebhookVerificationError(
    "malformed_body",
    "The signature is right, but the signed body is not an event.",
  );
}

function isEvent(value: unknown): value is WebhookEvent {
  return (
    typeof value === "object" &&
    value !== null &&
    "id" in value &&
    typeof value.id === "string" &&
    "type" in value &&
    typeof value.type === "string" &&
    "data" in value &&
    typeof value.data === "object" &&
    value.data !== null
  );
}

/** The key and the headers of a signed delivery. */
export interface SignOptions {
  /** The endpoint's `signing_secret`. */
  readonly secret: string;
  readonly id: string;
  readonly type: string;
  /** Default: 1. */
  readonly attempt?: number;
  readonly now?: Date;
}

/**
 * Returns the headers with which the service would deliver this body, for tests of a receiver and
 * for forwarding events. `verifyWebhook` accepts them.
 */
export async function signWebhook(
  rawBody: string,
  { secret, id, type, attempt = 1, now = new Date() }: SignOptions,
): Promise<Record<string, string>> {
  checkedSecrets("signWebhook", secret);
  const timestamp = String(Math.floor(now.getTime() / 1_000));
  const literal = new TextEncoder().encode(secret);
  const decoded = toBytes(atob(secret.replace(/^whsec_/, "")));
  const mac = await hmac(literal, `${timestamp}.${rawBody}`);
  const standard = await hmac(decoded, `${id}.${timestamp}.${rawBody}`);
  return {
    "content-type": "application/json; charset=utf-8",
    "x-svc-timestamp": timestamp,
    "x-svc-signature": `sha256=${toHex(mac)}`,
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

function toBytes(binary: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(binary, (character) => character.charCodeAt(0));
}

function toHex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
