import { type JwkSet, keyIn, keySetAt, type VerifyingKey } from "./assertion-keys.ts";
import { AssertionVerificationError } from "./errors.ts";
import { givenAs } from "./given.ts";

/**
 * The verified claims of the edge about the name that a request came through, in one minute. They
 * are the same for every request to it in that minute.
 */
export interface Assertion {
  readonly applicationId: string;
  /** The name that the visitor opened, in lower case. */
  readonly hostname: string;
  /** Your `customer_ref` of the connection; null where it has none. */
  readonly customerRef: string | null;
  readonly environment: "test" | "live";
  readonly issuedAt: Date;
  readonly expiresAt: Date;
  /**
   * Null, except from edges of the release before. The id of the connection is in the
   * header `X-Svc-Connection`, which only the edge sets, beside an assertion.
   */
  readonly connectionId: string | null;
  /** Null, except from the same edges. An application belongs to one tenant. */
  readonly tenantId: string | null;
}

export interface AssertionOptions {
  /** The public address of the API (`BASE_URL`), as in `https://api.example.com`. */
  readonly issuer: string;
  /** The id of your application; an assertion for another application is refused. */
  readonly audience: string;
  /** The key set. Without it, the set is fetched and cached for five minutes. */
  readonly jwks?: JwkSet;
  /** Where the key set is fetched. Default: `/.well-known/jwks.json` of the issuer. */
  readonly jwksUrl?: string;
  /** The hostname of the request; an assertion for another hostname is refused. */
  readonly hostname?: string;
  /** The largest accepted difference between the clocks. Default: 30. */
  readonly toleranceSeconds?: number;
  readonly now?: Date;
  readonly fetch?: typeof globalThis.fetch;
}

/** Separates this kind of token from others that the same key set verifies (RFC 8725 §3.11). */
const assertionType = "svc-assertion+jwt";
const maxTokenLength = 4_096;
/** The edge issues assertions for a minute and a half, so a longer lifetime is a forgery. */
const maxLifetimeSeconds = 90;

/**
 * Verifies the `X-Svc-Assertion` header that the edge adds to every request and returns its claims.
 * Throws an AssertionVerificationError unless a key of the service signed it for your application
 * within the last 90 seconds. Respond to such a request with 403: it did not come through the edge.
 */
export async function verifyAssertion(
  header: string | readonly string[] | null | undefined,
  options: AssertionOptions,
): Promise<Assertion> {
  requireOptions(options);
  const token = parseToken(header);
  const [head = "", body = "", signature = ""] = token.split(".");
  const keyId = readKeyId(decodeObject(head, "its header"));
  const key = await findKey(keyId, options);
  const signed = new TextEncoder().encode(`${head}.${body}`);
  if (!(await crypto.subtle.verify("Ed25519", key, decode(signature, "its signature"), signed))) {
    throw refusal("wrong_signature", "the signature does not fit");
  }
  return checkClaims(decodeObject(body, "its claims"), options);
}

/** Plain JavaScript can omit these, and an omitted check would accept anything. */
function requireOptions(options: AssertionOptions): void {
  const { issuer, audience }: Partial<AssertionOptions> = options ?? {};
  requireText("issuer", issuer, "the public address of the API, such as https://api.example.com");
  requireText("audience", audience, "the id of your application");
}

function requireText(name: string, value: string | undefined, what: string): void {
  if (typeof value === "string" && value !== "") return;
  throw new TypeError(`verifyAssertion: \`${name}\` is ${givenAs(value)}. Give ${what}.`);
}

function parseToken(header: string | readonly string[] | null | undefined): string {
  const values = typeof header === "string" ? [header] : (header ?? []);
  const [token] = values;
  if (token === undefined || token === "") {
    throw refusal("missing", "there is no X-Svc-Assertion header");
  }
  // The edge sends one header; two, also joined by a comma, come from elsewhere.
  const isSingle = values.length === 1 && token.length <= maxTokenLength;
  if (!isSingle || !/^[\w-]+\.[\w-]+\.[\w-]+$/.test(token)) {
    throw refusal("malformed", "the header is not one token of three parts");
  }
  return token;
}

/** Accepts exactly the edge's header; key material or `crit` is refused, not ignored. */
function readKeyId(head: Readonly<Record<string, unknown>>): string {
  const { alg, typ, kid, ...more } = head;
  if (alg !== "EdDSA") throw refusal("wrong_algorithm", "the algorithm is not EdDSA");
  if (typ !== assertionType) throw refusal("wrong_type", "it is another kind of token");
  if (typeof kid !== "string" || kid === "" || Object.keys(more).length > 0) {
    throw refusal("malformed", "its header has other fields than the edge writes");
  }
  return kid;
}

async function findKey(keyId: string, options: AssertionOptions): Promise<VerifyingKey> {
  const issuer = options.issuer.replace(/\/$/, "");
  const { jwks, jwksUrl = `${issuer}/.well-known/jwks.json`, fetch = globalThis.fetch } = options;
  const key = jwks ? await keyIn(jwks, keyId) : await keySetAt(jwksUrl, fetch).find(keyId);
  if (key === null) throw refusal("unknown_key", "no key of the service has that id");
  return key;
}

function checkClaims(
  claims: Readonly<Record<string, unknown>>,
  options: AssertionOptions,
): Assertion {
  const { iss, aud, env } = claims;
  if (iss !== options.issuer.replace(/\/$/, "")) {
    throw refusal("wrong_issuer", "it has another issuer");
  }
  if (aud !== options.audience) throw refusal("wrong_audience", "it is for another application");
  if (env !== "test" && env !== "live")
    throw refusal("malformed", "its environment is not test or live");
  const named = readNamed(claims, aud);
  const { hostname } = named;
  if (options.hostname !== undefined && options.hostname.toLowerCase() !== hostname) {
    throw refusal("wrong_hostname", "it is for another hostname");
  }
  const [issued, expires] = [secondsIn(claims, "iat"), secondsIn(claims, "exp")];
  requireFresh(issued, expires, options);
  return {
    ...named,
    environment: env,
    issuedAt: new Date(issued * 1_000),
    expiresAt: new Date(expires * 1_000),
  };
}

type Named = Omit<Assertion, "environment" | "issuedAt" | "expiresAt">;

/** Edges of the release before name the connection, and no customer. */
function readNamed(claims: Readonly<Record<string, unknown>>, audience: string): Named {
  if (!("host" in claims)) {
    return {
      applicationId: audience,
      hostname: textIn(claims, "hostname"),
      customerRef: null,
      connectionId: textIn(claims, "sub"),
      tenantId: textIn(claims, "tid"),
    };
  }
  const { cus } = claims;
  if (cus !== null && typeof cus !== "string") {
    throw refusal("malformed", "its claim cus is neither a text nor null");
  }
  if (textIn(claims, "app") !== audience) {
    throw refusal("wrong_audience", "it is for another application");
  }
  const hostname = textIn(claims, "host");
  return {
    applicationId: audience,
    hostname,
    customerRef: cus,
    connectionId: null,
    tenantId: null,
  };
}

/** Each comparison fails for NaN. */
function requireFresh(issued: number, expires: number, options: AssertionOptions): void {
  const { toleranceSeconds = 30, now = new Date() } = options;
  const at = now.getTime() / 1_000;
  if (!(expires - issued <= maxLifetimeSeconds && issued <= expires)) {
    throw refusal("malformed", "its lifetime is longer than the edge issues");
  }
  if (!(at < expires + toleranceSeconds)) throw refusal("expired", "it has expired");
  if (!(issued <= at + toleranceSeconds)) throw refusal("not_yet", "it is from the future");
}

function textIn(claims: Readonly<Record<string, unknown>>, name: string): string {
  const value = claims[name];
  if (typeof value !== "string" || value === "") {
    throw refusal("malformed", `its claim ${name} is missing`);
  }
  return value;
}

function secondsIn(claims: Readonly<Record<string, unknown>>, name: string): number {
  const value = claims[name];
  if (typeof value !== "number" || !Number.isSafeInteger(value)) {
    throw refusal("malformed", `its claim ${name} is not a time`);
  }
  return value;
}

function decodeObject(text: string, what: string): Readonly<Record<string, unknown>> {
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(decode(text, what)));
  } catch {
    throw refusal("malformed", `${what} cannot be read`);
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw refusal("malformed", `${what} cannot be read`);
  }
  return Object.fromEntries(Object.entries(value));
}

/** Refuses non-canonical encodings, whose last bits the decoder would ignore (RFC 4648 §3.5). */
function decode(base64url: string, what: string): Uint8Array<ArrayBuffer> {
  const base64 = base64url.replaceAll("-", "+").replaceAll("_", "/");
  try {
    const binary = atob(base64);
    if (btoa(binary).replace(/=+$/, "") === base64) {
      return Uint8Array.from(binary, (each) => each.charCodeAt(0));
    }
  } catch {
    // Refused below.
  }
  throw refusal("malformed", `${what} cannot be read`);
}

function refusal(
  reason: AssertionVerificationError["reason"],
  message: string,
): AssertionVerificationError {
  return new AssertionVerificationError(reason, message);
}
