import { parseChain } from "../x509/chain.ts";
import type { Account } from "./account.ts";
import type { DirectorySource } from "./directory.ts";
import { AcmeError, isRefusal, type Problem, readProblem, refusal } from "./error.ts";
import {
  listIn,
  malformed,
  optionalTextIn,
  optionalUrlIn,
  readJson,
  readLocation,
  resolveUrl,
  wordIn,
} from "./json.ts";
import { type AcmeAnswer, poll, type Transport } from "./transport.ts";

/** Plain data: once stored, any process can resume the order after a crash. */
export interface Order {
  readonly url: string;
  readonly hostname: string;
  readonly status: (typeof orderStatuses)[number];
  readonly authorizations: readonly string[];
  readonly finalize: string;
  /** The URL of the certificate, once the order is valid. */
  readonly certificate: string | null;
  readonly expires: string | null;
  /** The profile of the order; null when the CA does not offer the requested one. */
  readonly profile: string | null;
  readonly replaces: string | null;
  readonly problem: Problem | null;
}

/** A certificate profile; one that is not required is omitted where the CA does not offer it. */
export interface ProfileChoice {
  readonly name: string;
  readonly isRequired: boolean;
}

export interface OrderOptions {
  readonly profile?: ProfileChoice | null;
  /** The ARI identifier of the certificate to replace, issued by this CA (RFC 9773 §5). */
  readonly replaces?: string | undefined;
}

/** RFC 8555 §7.1.6. */
const orderStatuses = ["pending", "ready", "processing", "valid", "invalid"] as const;

/**
 * RFC 8555 §7.4. When a CA refuses because of `replaces`, the order is sent again without it:
 * losing the exemption from rate limits is better than losing the renewal.
 */
export async function createOrder(
  account: Account,
  directory: DirectorySource,
  hostname: string,
  options: OrderOptions,
  signal: AbortSignal,
): Promise<Order> {
  const { newOrder: url, profiles, renewalInfo } = await directory(signal);
  const profile = chooseProfile(profiles, options.profile ?? null);
  const send = async (replaces: string | null) => {
    const payload = {
      identifiers: [{ type: "dns", value: hostname }],
      ...(profile === null ? {} : { profile }),
      ...(replaces === null ? {} : { replaces }),
    };
    const answer = await account.post({ url, payload }, signal);
    return readOrder(answer, { url: readLocation(answer), hostname, profile, replaces });
  };
  const replaces = renewalInfo === null ? null : (options.replaces ?? null);
  try {
    return await send(replaces);
  } catch (error) {
    if (replaces === null || !isReplacesRefused(error)) throw error;
    return await send(null);
  }
}

function chooseProfile(offered: readonly string[], wanted: ProfileChoice | null): string | null {
  if (wanted === null) return null;
  if (offered.includes(wanted.name)) return wanted.name;
  if (!wanted.isRequired) return null;
  const choice = offered.length === 0 ? "none" : offered.join(", ");
  throw new AcmeError(
    "misconfigured",
    `the CA does not offer the profile ${wanted.name} of ACME_PROFILES; it offers ${choice}`,
  );
}

/** The order as it is now; null when the CA no longer knows it. */
export async function resumeOrder(
  account: Account,
  order: Order,
  signal: AbortSignal,
): Promise<Order | null> {
  try {
    return readOrder(await account.post({ url: order.url, payload: null }, signal), order);
  } catch (error) {
    if (error instanceof AcmeError && error.problem?.status === 404) return null;
    throw error;
  }
}

/**
 * Sends the certificate request once the name is validated and waits for the certificate (RFC 8555
 * §7.4). An order that was finalised before has the certificate of its first request's key.
 */
export async function finalizeOrder(
  account: Account,
  transport: Transport,
  order: Order,
  csr: Uint8Array,
  signal: AbortSignal,
): Promise<Order> {
  const ready = await waitForOrder(account, transport, order, isPastPending, signal);
  if (ready.status === "ready") await sendRequest(account, ready, csr, signal);
  const done = await waitForOrder(account, transport, ready, isValid, signal);
  if (done.certificate === null) throw malformed("a valid order has no certificate");
  return done;
}

const isValid = (order: Order) => order.status === "valid";
const isPastPending = (order: Order) => order.status !== "pending";

async function sendRequest(
  account: Account,
  order: Order,
  csr: Uint8Array,
  signal: AbortSignal,
): Promise<void> {
  try {
    const payload = { csr: Buffer.from(csr).toString("base64url") };
    await account.post({ url: order.finalize, payload }, signal);
  } catch (error) {
    if (!isRefusal(error, "orderNotReady")) throw error;
    // The answer to an earlier, successful request may have been lost.
    const now = await resumeOrder(account, order, signal);
    if (now?.status !== "processing" && now?.status !== "valid") throw error;
  }
}

function waitForOrder(
  account: Account,
  transport: Transport,
  order: Order,
  isEnough: (order: Order) => boolean,
  signal: AbortSignal,
): Promise<Order> {
  const check = async () => {
    const answer = await account.post({ url: order.url, payload: null }, signal);
    const now = readOrder(answer, order);
    if (now.status === "invalid") {
      throw refusal(now.problem ?? readProblem({ detail: "the order is invalid" }, null), null);
    }
    return { answer, result: isEnough(now) ? now : null };
  };
  return poll(transport, "the order", check, signal);
}

function readOrder(
  answer: AcmeAnswer,
  known: Pick<Order, "url" | "hostname" | "profile" | "replaces">,
): Order {
  const body = readJson(answer);
  return {
    url: known.url,
    hostname: known.hostname,
    status: wordIn(body, "status", orderStatuses),
    authorizations: listIn(body, "authorizations").map((each) => resolveUrl(each, answer.url)),
    finalize: resolveUrl(body["finalize"], answer.url),
    certificate: optionalUrlIn(body, "certificate", answer.url),
    expires: optionalTextIn(body, "expires"),
    profile: known.profile,
    replaces: known.replaces,
    problem: body["error"] === undefined ? null : readProblem(body["error"], null),
  };
}

/** CAs use different errors for a predecessor that is replaced, unknown or of another account. */
function isReplacesRefused(error: unknown): boolean {
  if (!(error instanceof AcmeError)) return false;
  const status = error.problem?.status ?? 0;
  return (
    status === 404 ||
    status === 409 ||
    isRefusal(error, "alreadyReplaced") ||
    isRefusal(error, "malformed") ||
    isRefusal(error, "unauthorized")
  );
}

const pemChainType = "application/pem-certificate-chain";

/** The chain in PEM; throws `unusable` unless each certificate is signed by the next. */
export async function downloadChain(
  account: Account,
  url: string,
  signal: AbortSignal,
): Promise<string> {
  const answer = await account.post({ url, payload: null, accept: pemChainType }, signal);
  return checkedChain(answer.text);
}

function checkedChain(text: string): string {
  try {
    return parseChain(text).certificates.join("");
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new AcmeError("unusable", `the certificate of the CA cannot be used: ${error.message}`);
  }
}
