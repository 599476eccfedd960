import type { Clock } from "@mooring/postgres";
import { type AccountOptions, createAccount } from "./account.ts";
import { getRenewalInfo, type RenewalInfo } from "./ari.ts";
import {
  type Authorization,
  type Challenge,
  type ChallengeType,
  challengeFor,
  getAuthorization,
  respondTo,
  waitUntilValid,
} from "./authorization.ts";
import { createDirectorySource } from "./directory.ts";
import { malformed } from "./json.ts";
import { computeThumbprint } from "./jws.ts";
import {
  createOrder,
  downloadChain,
  finalizeOrder,
  type Order,
  type OrderOptions,
  resumeOrder,
} from "./order.ts";
import { createPost } from "./signed-post.ts";
import { productionTimings, realWait, type Timings, type Wait } from "./transport.ts";

export interface AcmeClientOptions extends AccountOptions {
  readonly directoryUrl: string;
  /** Enforces which servers may be reached, their trust and the connect timeout. */
  readonly fetch: typeof globalThis.fetch;
  readonly clock: Clock;
  readonly timings?: Partial<Timings>;
  readonly wait?: Wait;
}

/**
 * An RFC 8555 client for one account at one CA. Safe to use concurrently. Every failure is an
 * AcmeError or the reason of an aborted signal. A stored result of `newOrder` is enough for any
 * process to continue the order with `resumeOrder`.
 */
export interface AcmeClient {
  /** The account's URL; the account is created if the CA does not know its key. */
  account(signal?: AbortSignal): Promise<string>;
  /** Resolves if the CA answers and knows the account; orders nothing. */
  ping(signal?: AbortSignal): Promise<void>;
  /** After a lost answer the CA may have a second, unused order; most return the same one. */
  newOrder(hostname: string, options?: OrderOptions, signal?: AbortSignal): Promise<Order>;
  /** The order as it is now; null when the CA no longer knows it. */
  resumeOrder(order: Order, signal?: AbortSignal): Promise<Order | null>;
  authorization(url: string, signal?: AbortSignal): Promise<Authorization>;
  /** Null when the CA does not offer the type. */
  challengeFor(authorization: Authorization, type: ChallengeType): Challenge | null;
  /** The response to a challenge (RFC 8555 §8.1). */
  keyAuthorization(token: string): string;
  /** Asks the CA to validate; call when the response is in place. Safe to repeat. */
  respond(challenge: Challenge, signal?: AbortSignal): Promise<Challenge>;
  /**
   * Waits for an authorization; `pending` after the time limit, `problem` when validation failed.
   */
  waitValid(authorizationUrl: string, signal?: AbortSignal): Promise<Authorization>;
  /** Resolves with a valid order. Store the key of the request first; safe to repeat with it. */
  finalize(order: Order, csr: Uint8Array, signal?: AbortSignal): Promise<Order>;
  /** The chain of a valid order in PEM, leaf first (RFC 8555 §7.4.2). */
  download(order: Order, signal?: AbortSignal): Promise<string>;
  /** Null where the CA has no ARI; an unreadable answer is `malformed`. */
  renewalInfo(certificatePem: string, signal?: AbortSignal): Promise<RenewalInfo | null>;
}

const never = new AbortController().signal;

export function createAcmeClient(options: AcmeClientOptions): AcmeClient {
  const transport = {
    fetch: options.fetch,
    clock: options.clock,
    timings: { ...productionTimings, ...options.timings },
    wait: options.wait ?? realWait,
  };
  const directory = createDirectorySource(options.directoryUrl, transport);
  const post = createPost(transport, directory);
  const account = createAccount(options, directory, post);

  return {
    account: (signal = never) => account.url(signal),
    ping: async (signal = never) => {
      await account.url(signal);
      await post.ping(signal);
    },
    newOrder: (hostname, orderOptions = {}, signal = never) =>
      createOrder(account, directory, hostname, orderOptions, signal),
    resumeOrder: (order, signal = never) => resumeOrder(account, order, signal),
    authorization: (url, signal = never) => getAuthorization(account, url, signal),
    challengeFor,
    keyAuthorization: (token) => `${token}.${computeThumbprint(account.key())}`,
    respond: (challenge, signal = never) => respondTo(account, challenge, signal),
    waitValid: (url, signal = never) => waitUntilValid(account, transport, url, signal),
    finalize: (order, csr, signal = never) => finalizeOrder(account, transport, order, csr, signal),
    download: async (order, signal = never) => {
      if (order.certificate === null) throw malformed("the order has no certificate yet");
      return await downloadChain(account, order.certificate, signal);
    },
    renewalInfo: (pem, signal = never) => getRenewalInfo(transport, directory, pem, signal),
  };
}
