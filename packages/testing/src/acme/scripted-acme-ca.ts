import {
  createHash,
  createHmac,
  createPublicKey,
  type JsonWebKey,
  randomBytes,
  verify,
  X509Certificate,
} from "node:crypto";
import { type Authority, issueLeaf } from "../../../edge/src/x509/authority.ts";
import { parseChain } from "../../../edge/src/x509/chain.ts";
import { type CertificateRequest, readCsr } from "../edge/read-csr.ts";
import { type CaLimits, createCaLimiter } from "./scripted-acme-limits.ts";

/** A response to be written. A text body is sent unchanged, an object as JSON. */
export interface Reply {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: object | string;
}

export interface CaOptions {
  /** The offered profiles; none by default. */
  readonly profiles?: Readonly<Record<string, string>>;
  /** Whether it offers renewal information (ARI); true by default. */
  readonly hasAri?: boolean;
  readonly certificateSeconds?: number;
  /** External accounts by identifier; when there are any, every account needs one. */
  readonly externalAccounts?: Readonly<Record<string, string>>;
  /** The offered challenges; those of RFC 8555 and RFC 8737 by default. */
  readonly challengeTypes?: readonly string[];
  /** What the challenge of `dns-persist-01` has instead of the right fields. */
  readonly persistFields?: (right: Readonly<Record<string, unknown>>) => object;
  /** The result of validating a name: null for valid, or a problem document. */
  readonly verdict?: (
    hostname: string,
    type: string,
    proof: Proof,
  ) => object | null | Promise<object | null>;
  readonly clock?: { now(): Date };
  /** Rate limits; none by default. */
  readonly limits?: CaLimits;
  /** The chain that is issued instead of a right one; null for a right one. */
  readonly forge?: (request: CertificateRequest) => Promise<string> | null;
}

/** What the account has to show. */
interface Proof {
  /** RFC 8555 §8.4: the value for DNS-01. */
  readonly txt: string;
  /** The account that ordered. */
  readonly accountUri: string;
}

interface Order {
  readonly account: string;
  readonly hostname: string;
  readonly payload: Readonly<Record<string, unknown>>;
  readonly expires: Date;
  status: "pending" | "ready" | "processing" | "valid" | "invalid";
  authorization: "pending" | "valid" | "invalid";
  type: string | null;
  problem: object | null;
  chain: string | null;
}

const usualChallengeTypes = ["http-01", "dns-01", "tls-alpn-01"];
/** The name of this CA in records of `dns-persist-01`. */
export const scriptedIssuer = "ca.scripted.example";
const problemNamespace = "urn:ietf:params:acme:error:";

export function problem(status: number, name: string, detail = name): Reply {
  return { status, body: { type: problemNamespace + name, detail, status } };
}

/** The state and the resources of a small CA, without transport. */
export function createCa(base: string, authority: Authority, options: CaOptions) {
  const { clock = { now: () => new Date() }, challengeTypes = usualChallengeTypes } = options;
  const accounts = new Map<string, JsonWebKey>();
  const orders: Order[] = [];
  const nonces = new Set<string>();
  const replaced = new Set<string>();
  const revoked = new Set<string>();
  const limiter = options.limits
    ? createCaLimiter(options.limits, () => clock.now().getTime())
    : null;

  const newNonce = (): string => {
    const nonce = randomBytes(12).toString("base64url");
    nonces.add(nonce);
    return nonce;
  };

  const directory = () => ({
    newNonce: `${base}/nonce`,
    newAccount: `${base}/account`,
    newOrder: `${base}/order`,
    revokeCert: `${base}/revoke`,
    keyChange: `${base}/key-change`,
    ...(options.hasAri === false ? {} : { renewalInfo: `${base}/ari` }),
    meta: {
      ...(options.profiles === undefined ? {} : { profiles: options.profiles }),
      externalAccountRequired: options.externalAccounts !== undefined,
    },
  });

  const openAccount = (jwk: JsonWebKey, payload: Readonly<Record<string, unknown>>): Reply => {
    const url = `${base}/account/${thumbprint(jwk)}`;
    const found = [...accounts].find(([, key]) => thumbprint(key) === thumbprint(jwk))?.[0];
    const body = { status: "valid", contact: payload["contact"] ?? [] };
    if (found !== undefined) return { status: 200, headers: { location: found }, body };
    if (payload["onlyReturnExisting"] === true) return problem(400, "accountDoesNotExist");
    if (payload["termsOfServiceAgreed"] !== true) return problem(403, "userActionRequired");
    if (options.externalAccounts !== undefined) {
      const binding = payload["externalAccountBinding"];
      if (binding === undefined) return problem(403, "externalAccountRequired");
      const keys = Object.values(options.externalAccounts);
      if (!keys.some((key) => isBound(binding, key, jwk))) return problem(403, "unauthorized");
    }
    accounts.set(url, jwk);
    return { status: 201, headers: { location: url }, body };
  };

  const orderBody = (order: Order, index: number) => ({
    status: order.status,
    expires: order.expires,
    identifiers: [{ type: "dns", value: order.hostname }],
    authorizations: [`${base}/authz/${index}`],
    finalize: `${base}/order/${index}/finalize`,
    ...(order.status === "valid" ? { certificate: `${base}/certificate/${index}` } : {}),
    ...(order.problem === null ? {} : { error: order.problem }),
  });

  const newOrder = (account: string, payload: Readonly<Record<string, unknown>>): Reply => {
    const { profile, replaces } = payload;
    if (profile !== undefined && !Object.hasOwn(options.profiles ?? {}, String(profile))) {
      return problem(400, "invalidProfile");
    }
    if (replaces !== undefined && replaced.has(String(replaces))) {
      return problem(409, "alreadyReplaced");
    }
    const [identifier] = Array.isArray(payload["identifiers"]) ? payload["identifiers"] : [];
    const hostname = String(asObject(identifier)["value"]);
    const limited = limiter?.newOrder(hostname, replaces !== undefined) ?? null;
    if (limited !== null) {
      const headers = { "retry-after": String(limited.retryAfterSeconds) };
      return { ...problem(429, "rateLimited", limited.detail), headers };
    }
    if (replaces !== undefined) replaced.add(String(replaces));
    const order: Order = {
      account,
      hostname,
      payload,
      expires: new Date(clock.now().getTime() + 86_400_000),
      status: "pending",
      authorization: "pending",
      type: null,
      problem: null,
      chain: null,
    };
    const index = orders.push(order) - 1;
    const location = `${base}/order/${index}`;
    return { status: 201, headers: { location }, body: orderBody(order, index) };
  };

  const makeToken = (index: number, type: string): string =>
    createHash("sha256").update(`${index} ${type}`).digest("base64url");

  const challengeStatus = (order: Order, type: string): string => {
    if (order.type !== type) return "pending";
    return order.authorization === "pending" ? "processing" : order.authorization;
  };

  /** draft-ietf-acme-dns-persist-01 §3.1. */
  const persistFields = (accounturi: string): object => {
    const right = { accounturi, "issuer-domain-names": [scriptedIssuer, "other.scripted.example"] };
    return options.persistFields?.(right) ?? right;
  };

  const challengeBody = (order: Order, index: number, type: string) => ({
    type,
    url: `${base}/challenge/${index}/${type}`,
    ...(type === "dns-persist-01"
      ? persistFields(order.account)
      : { token: makeToken(index, type) }),
    status: challengeStatus(order, type),
    ...(order.type === type && order.problem !== null ? { error: order.problem } : {}),
  });

  const authorization = (order: Order, index: number): Reply => {
    const challenges = challengeTypes.map((type) => challengeBody(order, index, type));
    const identifier = { type: "dns", value: order.hostname };
    return { status: 200, body: { status: order.authorization, identifier, challenges } };
  };

  const makeProof = (order: Order, index: number, type: string): Proof => {
    const key = accounts.get(order.account);
    const keyAuthorization = `${makeToken(index, type)}.${key ? thumbprint(key) : ""}`;
    const txt = createHash("sha256").update(keyAuthorization).digest("base64url");
    return { txt, accountUri: order.account };
  };

  const settle = (order: Order, found: object | null): void => {
    order.problem = found;
    order.authorization = found === null ? "valid" : "invalid";
    order.status = found === null ? "ready" : "invalid";
    if (found !== null) limiter?.failed(order.hostname);
  };

  const answerChallenge = (order: Order, index: number, type: string, isAnswer: boolean): Reply => {
    if (isAnswer && order.authorization !== "pending") {
      return problem(400, "malformed", "the authorization is not pending");
    }
    if (isAnswer && order.type === null) {
      order.type = type;
      const found = options.verdict?.(order.hostname, type, makeProof(order, index, type)) ?? null;
      if (found instanceof Promise) void found.then((late) => settle(order, late));
      else settle(order, found);
    }
    return { status: 200, body: challengeBody(order, index, type) };
  };

  const finalize = async (order: Order, index: number, csr: string): Promise<Reply> => {
    if (order.status !== "ready") return problem(403, "orderNotReady");
    const request = await readCsr(Buffer.from(csr, "base64url"));
    if (request.subject !== "" || request.hostnames.join() !== order.hostname) {
      return problem(400, "badCSR");
    }
    const now = clock.now().getTime();
    const leaf = await issueLeaf(authority, {
      hostnames: request.hostnames,
      publicKey: request.publicKey,
      notBefore: new Date(now - 3_600_000),
      notAfter: new Date(now + (options.certificateSeconds ?? 90 * 86_400) * 1_000),
    });
    order.chain = (await options.forge?.(request)) ?? leaf + authority.certificatePem;
    order.status = "processing";
    limiter?.issued(order.hostname, order.payload["replaces"] !== undefined);
    return { status: 200, body: orderBody(order, index) };
  };

  /** An order is `processing` in one reply and `valid` in the next. */
  const orderReply = (order: Order, index: number): Reply => {
    const reply = { status: 200, body: orderBody(order, index) };
    if (order.status === "processing") order.status = "valid";
    return reply;
  };

  const revoke = (request: Signed): Reply => {
    const der = String(request.payload?.["certificate"]);
    const order = orders.find(
      ({ chain }) => chain !== null && parseChain(chain).leaf.der.toString("base64url") === der,
    );
    if (order === undefined) return problem(404, "malformed", "no such certificate");
    const isOwner =
      request.jwk === null ? request.kid === order.account : isKeyOf(order, request.jwk);
    if (!isOwner) return problem(403, "unauthorized");
    if (revoked.has(der)) return problem(400, "alreadyRevoked");
    revoked.add(der);
    return { status: 200 };
  };

  const changeKey = (account: string, payload: Readonly<Record<string, unknown>>): Reply => {
    const inner = readSigned(JSON.stringify(payload));
    const { jwk } = inner;
    const isRight =
      jwk !== null &&
      inner.isSignedBy(jwk) &&
      inner.payload?.["account"] === account &&
      inner.nonce === null;
    if (!isRight) return problem(400, "malformed");
    accounts.set(account, jwk);
    return { status: 200, body: { status: "valid" } };
  };

  const ari = (id: string): Reply => {
    const chain = orders
      .map((order) => order.chain)
      .find((each) => each !== null && parseAriId(each) === id);
    if (chain === undefined || chain === null)
      return problem(404, "malformed", "no such certificate");
    const { notBefore, notAfter } = parseChain(chain).leaf;
    const start = notBefore.getTime() + (notAfter.getTime() - notBefore.getTime()) * 0.6;
    const window = { start: new Date(start), end: new Date(start + 172_800_000) };
    const headers = { "retry-after": "21600" };
    return { status: 200, headers, body: { suggestedWindow: window } };
  };

  return {
    accounts,
    orders,
    nonces,
    newNonce,
    directory,
    openAccount,
    newOrder,
    orderReply,
    authorization,
    answerChallenge,
    finalize,
    revoke,
    changeKey,
    ari,
  };
}

function isKeyOf(order: Order, jwk: JsonWebKey): boolean {
  const { publicKey } = new X509Certificate(order.chain ?? "");
  return publicKey.equals(createPublicKey({ key: jwk, format: "jwk" }));
}

function parseAriId(chain: string): string | null {
  return parseChain(chain).leaf.ariId;
}

/** A signed request as the CA reads it (RFC 8555 §6.2). */
export interface Signed {
  readonly url: string;
  readonly nonce: string | null;
  readonly jwk: JsonWebKey | null;
  readonly kid: string | null;
  /** Null for POST-as-GET. */
  readonly payload: Readonly<Record<string, unknown>> | null;
  isSignedBy(key: JsonWebKey): boolean;
}

export function readSigned(text: string): Signed {
  const jws = readObject(text);
  const head = String(jws["protected"]);
  const body = String(jws["payload"]);
  const signature = Buffer.from(String(jws["signature"]), "base64url");
  const header = readObject(Buffer.from(head, "base64url").toString());
  if (header["alg"] !== "ES256") throw new Error("the algorithm is not ES256");
  if ("kid" in header === "jwk" in header) throw new Error("kid or jwk, and not both");
  return {
    url: String(header["url"]),
    nonce: typeof header["nonce"] === "string" ? header["nonce"] : null,
    jwk: "jwk" in header ? readKey(header["jwk"]) : null,
    kid: typeof header["kid"] === "string" ? header["kid"] : null,
    payload: body === "" ? null : readObject(Buffer.from(body, "base64url").toString()),
    isSignedBy: (key) =>
      verify(
        "sha256",
        Buffer.from(`${head}.${body}`),
        { key: createPublicKey({ key, format: "jwk" }), dsaEncoding: "ieee-p1363" },
        signature,
      ),
  };
}

/** Whether the external account's key signed a binding of this account key (RFC 8555 §7.3.4). */
function isBound(binding: unknown, hmacKey: string, accountKey: JsonWebKey): boolean {
  const jws = asObject(binding);
  const signed = `${String(jws["protected"])}.${String(jws["payload"])}`;
  const expected = createHmac("sha256", Buffer.from(hmacKey, "base64url")).update(signed);
  const bound = readKey(
    JSON.parse(Buffer.from(String(jws["payload"]), "base64url").toString()) as unknown,
  );
  return (
    expected.digest("base64url") === jws["signature"] &&
    thumbprint(bound) === thumbprint(accountKey)
  );
}

/** The thumbprint of a key (RFC 7638). */
function thumbprint({ crv, kty, x, y }: JsonWebKey): string {
  return createHash("sha256").update(JSON.stringify({ crv, kty, x, y })).digest("base64url");
}

function readKey(value: unknown): JsonWebKey {
  const { crv, kty, x, y, d } = asObject(value);
  if (d !== undefined) throw new Error("a private key was sent");
  return { crv: String(crv), kty: String(kty), x: String(x), y: String(y) };
}

function asObject(value: unknown): Readonly<Record<string, unknown>> {
  if (typeof value !== "object" || value === null) throw new Error("not an object");
  return Object.fromEntries(Object.entries(value));
}

function readObject(text: string): Readonly<Record<string, unknown>> {
  return asObject(JSON.parse(text) as unknown);
}
