import type { KeyObject } from "node:crypto";
import type { Clock } from "../config/settings.ts";
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
import { createDirectorySource, type Directory } from "./directory.ts";
import { malformed } from "./json.ts";
import { thumbprintOf } from "./jws.ts";
import {
  createOrder,
  type Download,
  downloadChain,
  finalizeOrder,
  type Order,
  type OrderWishes,
  type Revocation,
  resumeOrder,
  revokeCertificate,
} from "./order.ts";
import { createPost } from "./signed-post.ts";
import { productionTimings, realWait, type Timings, type Wait } from "./transport.ts";

export interface AcmeClientOptions extends AccountOptions {
  readonly directoryUrl: string;
  /** Decides where connections may go, whom to trust and how long connecting may take. */
  readonly fetch: typeof globalThis.fetch;
  readonly clock: Clock;
  readonly timings?: Partial<Timings>;
  readonly wait?: Wait;
}

/**
 * An RFC 8555 client for one account at one CA. Safe to use concurrently. Every failure is an
 * AcmeError or the reason of an aborted signal, and leaves the order where the CA has it: what
 * `newOrder` gave, stored, is enough for any process to go on from `resumeOrder`.
 */
export interface AcmeClient {
  directory(signal?: AbortSignal): Promise<Directory>;
  /** The account's URL, looked up by key or created; worth storing. */
  account(signal?: AbortSignal): Promise<string>;
  /** Makes sure that the CA is there and knows the account; nothing is ordered. */
  knock(signal?: AbortSignal): Promise<void>;
  /** After a lost answer the CA may hold a second, unused order; most give back the same one. */
  newOrder(hostname: string, wishes?: OrderWishes, signal?: AbortSignal): Promise<Order>;
  /** The order as it is now; null when the CA no longer knows it. */
  resumeOrder(order: Order, signal?: AbortSignal): Promise<Order | null>;
  authorization(url: string, signal?: AbortSignal): Promise<Authorization>;
  /** Null when the CA does not offer the type. */
  challengeFor(authorization: Authorization, type: ChallengeType): Challenge | null;
  /** What the challenge's answer consists of (RFC 8555 §8.1). */
  keyAuthorization(token: string): string;
  /** Call when the answer is in place; safe to repeat. */
  respond(challenge: Challenge, signal?: AbortSignal): Promise<Challenge>;
  /** Waits for an authorization; `pending` when the time is up, `problem` when validation failed. */
  waitValid(authorizationUrl: string, signal?: AbortSignal): Promise<Authorization>;
  /** Resolves with a valid order. Store the request's key before; safe to repeat with the same one. */
  finalize(order: Order, csr: Uint8Array, signal?: AbortSignal): Promise<Order>;
  download(order: Order, signal?: AbortSignal): Promise<Download>;
  /** The chain at one of a download's `alternates`. */
  downloadAlternate(url: string, signal?: AbortSignal): Promise<string>;
  revoke(certificatePem: string, revocation?: Revocation, signal?: AbortSignal): Promise<void>;
  /** Null where the CA has no ARI; an answer that makes no sense is `malformed` and to be ignored. */
  renewalInfo(certificatePem: string, signal?: AbortSignal): Promise<RenewalInfo | null>;
  /** Store the new key before; after a failure call it again, either key may be the valid one. */
  rollover(newKey: KeyObject, signal?: AbortSignal): Promise<void>;
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
    directory: (signal = never) => directory(signal),
    account: (signal = never) => account.url(signal),
    knock: async (signal = never) => {
      await account.url(signal);
      await post.knock(signal);
    },
    newOrder: (hostname, wishes = {}, signal = never) =>
      createOrder(account, directory, hostname, wishes, signal),
    resumeOrder: (order, signal = never) => resumeOrder(account, order, signal),
    authorization: (url, signal = never) => getAuthorization(account, url, signal),
    challengeFor,
    keyAuthorization: (token) => `${token}.${thumbprintOf(account.key())}`,
    respond: (challenge, signal = never) => respondTo(account, challenge, signal),
    waitValid: (url, signal = never) => waitUntilValid(account, transport, url, signal),
    finalize: (order, csr, signal = never) => finalizeOrder(account, transport, order, csr, signal),
    download: async (order, signal = never) => {
      if (order.certificate === null) throw malformed("the order has no certificate yet");
      return downloadChain(account, order.certificate, signal);
    },
    downloadAlternate: async (url, signal = never) =>
      (await downloadChain(account, url, signal)).chainPem,
    revoke: (pem, revocation = {}, signal = never) =>
      revokeCertificate(account, directory, post, pem, revocation, signal),
    renewalInfo: (pem, signal = never) => getRenewalInfo(transport, directory, pem, signal),
    rollover: (newKey, signal = never) => account.rollover(newKey, signal),
  };
}
