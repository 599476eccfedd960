import type { Account } from "./account.ts";
import { isRefusal, type Problem, readProblem, refusal } from "./error.ts";
import {
  type JsonObject,
  listIn,
  malformed,
  optionalTextIn,
  readJson,
  readObject,
  resolveUrl,
  textIn,
  wordIn,
} from "./json.ts";
import type { AcmeAnswer, Transport } from "./transport.ts";
import { poll } from "./transport.ts";

export type ChallengeType = "http-01" | "tls-alpn-01" | "dns-01" | "dns-persist-01";

/** Plain data; can be stored and used by another process. */
export interface Challenge {
  readonly type: ChallengeType;
  readonly url: string;
  /** Empty for `dns-persist-01`, which proves the account and not the request. */
  readonly token: string;
  /**
   * For `dns-persist-01`: the names by which the record may call the CA, and our account as the CA
   * names it.
   */
  readonly issuers: readonly string[];
  readonly accountUri: string | null;
  readonly status: (typeof challengeStatuses)[number];
  /** Why validation failed. */
  readonly problem: Problem | null;
}

export interface Authorization {
  readonly url: string;
  readonly hostname: string;
  readonly status: (typeof authorizationStatuses)[number];
  readonly expires: string | null;
  /** Only challenges of supported types. */
  readonly challenges: readonly Challenge[];
}

/** RFC 8555 §7.1.6. */
const challengeStatuses = ["pending", "processing", "valid", "invalid"] as const;
const authorizationStatuses = [
  "pending",
  "valid",
  "invalid",
  "deactivated",
  "expired",
  "revoked",
] as const;

const supportedTypes: readonly ChallengeType[] = [
  "http-01",
  "tls-alpn-01",
  "dns-01",
  "dns-persist-01",
];
/**
 * draft-ietf-acme-dns-persist-01 §3.1: a client rejects a challenge with more, or with a longer
 * name.
 */
const maxIssuers = 10;
const maxNameLength = 253;

/** The path of HTTP-01 key authorizations, followed by the token (RFC 8555 §8.3). */
export const httpChallengePath = "/.well-known/acme-challenge/";

export async function getAuthorization(
  account: Account,
  url: string,
  signal: AbortSignal,
): Promise<Authorization> {
  return readAuthorization(await account.post({ url, payload: null }, signal));
}

export function challengeFor(authorization: Authorization, type: ChallengeType): Challenge | null {
  return authorization.challenges.find((challenge) => challenge.type === type) ?? null;
}

/** Asks the CA to validate the challenge (RFC 8555 §7.5.1). Safe to repeat. */
export async function respondTo(
  account: Account,
  challenge: Challenge,
  signal: AbortSignal,
): Promise<Challenge> {
  const { url } = challenge;
  try {
    return readAnswered(await account.post({ url, payload: {} }, signal));
  } catch (error) {
    if (!isRefusal(error, "malformed") && !isRefusal(error, "unauthorized")) throw error;
    // A CA may refuse a repeated request.
    const now = readAnswered(await account.post({ url, payload: null }, signal));
    if (now.status === "pending") throw error;
    return now;
  }
}

/** Resolves when the name is validated; a failed validation is a `problem` with the CA's reason. */
export function waitUntilValid(
  account: Account,
  transport: Transport,
  url: string,
  signal: AbortSignal,
): Promise<Authorization> {
  const check = async () => {
    const answer = await account.post({ url, payload: null }, signal);
    const authorization = readAuthorization(answer);
    if (authorization.status === "pending") return { answer, result: null };
    if (authorization.status === "valid") return { answer, result: authorization };
    throw refusal(findFailure(authorization), null);
  };
  return poll(transport, "validation", check, signal);
}

function findFailure(authorization: Authorization): Problem {
  const { problem } = authorization.challenges.find((each) => each.problem !== null) ?? {};
  return problem ?? readProblem({ detail: `the authorization is ${authorization.status}` }, null);
}

function readAuthorization(answer: AcmeAnswer): Authorization {
  const body = readJson(answer);
  return {
    url: answer.url,
    hostname: textIn(readObject(body["identifier"], "identifier"), "value"),
    status: wordIn(body, "status", authorizationStatuses),
    expires: optionalTextIn(body, "expires"),
    challenges: listIn(body, "challenges")
      .map((value) => readChallenge(readObject(value, "a challenge"), answer.url))
      .filter((challenge) => challenge !== null),
  };
}

function readAnswered(answer: AcmeAnswer): Challenge {
  const challenge = readChallenge(readJson(answer), answer.url);
  if (challenge === null) throw malformed("the challenge changed its type");
  return challenge;
}

/** Null for an unsupported type, whatever else it contains. */
function readChallenge(body: JsonObject, base: string): Challenge | null {
  const type = supportedTypes.find((each) => each === body["type"]);
  if (type === undefined) return null;
  return {
    type,
    ...(type === "dns-persist-01" ? readPersistent(body) : readToken(body)),
    url: resolveUrl(body["url"], base),
    status: wordIn(body, "status", challengeStatuses),
    problem: body["error"] === undefined ? null : readProblem(body["error"], null),
  };
}

function readToken(body: JsonObject): Pick<Challenge, "token" | "issuers" | "accountUri"> {
  const token = textIn(body, "token");
  // RFC 8555 §8.3; the token becomes part of a path.
  if (!/^[A-Za-z0-9_-]{1,256}$/.test(token)) throw malformed("a token is not base64url");
  return { token, issuers: [], accountUri: null };
}

/**
 * Whatever cannot be used makes no issuers: a CA that follows another version of the draft still
 * offers the other challenges.
 */
function readPersistent(body: JsonObject): Pick<Challenge, "token" | "issuers" | "accountUri"> {
  const names: unknown = body["issuer-domain-names"];
  const accountUri = body["accounturi"];
  const isWhole =
    Array.isArray(names) && names.length <= maxIssuers && names.every((name) => isIssuer(name));
  return {
    token: "",
    issuers: isWhole ? names : [],
    accountUri: typeof accountUri === "string" ? accountUri : null,
  };
}

/** In lower case, without a final dot, and with nothing that would change what the record says. */
function isIssuer(name: unknown): boolean {
  if (typeof name !== "string" || name.length > maxNameLength) return false;
  return /^[a-z0-9-]+(\.[a-z0-9-]+)*$/.test(name);
}
