import { isRefusal } from "./acme-error.ts";
import type { DirectorySource } from "./directory.ts";
import { malformed } from "./json-body.ts";
import { type Payload, type Signer, signJws } from "./jws.ts";
import { createNoncePool, nonceIn } from "./nonce-pool.ts";
import {
  type AcmeAnswer,
  createExchange,
  fetchPlain,
  pauseAfter,
  type Transport,
  throwUnlessOk,
} from "./request.ts";
import type { Timings } from "./timings.ts";

export interface SignedPost {
  readonly url: string;
  readonly signer: Signer;
  readonly payload: Payload;
  readonly accept?: string;
}

/**
 * Resolves with a 2xx answer. A rejected nonce is replaced by the one in the rejection, a 5xx or a
 * lost answer is tried again with a nonce of its own; since a lost answer may follow a request that
 * was carried out, each caller knows what carrying it out twice means.
 */
export type Post = (post: SignedPost, signal: AbortSignal) => Promise<AcmeAnswer>;

export function createPost(transport: Transport, directory: DirectorySource): Post {
  const { clock, timings, wait } = transport;
  const exchange = createExchange(transport);
  const pool = createNoncePool(async (signal) => {
    const { newNonce: url } = await directory(signal);
    const answer = await fetchPlain(transport, exchange, { method: "HEAD", url }, signal);
    const nonce = nonceIn(answer.headers);
    if (nonce === null) throw malformed("Replay-Nonce is missing");
    return nonce;
  });

  const signedRequest = ({ url, signer, payload, accept }: SignedPost, nonce: string) => {
    const body = JSON.stringify(signJws(signer, { nonce, url }, payload));
    return { method: "POST", url, body, ...(accept === undefined ? {} : { accept }) } as const;
  };

  return async (post, signal) => {
    const pauseBeforeNext = createPatience(timings);
    let nonce: string | null = null;
    for (;;) {
      const used: string = nonce ?? (await pool.take(signal));
      nonce = null;
      try {
        const answer = await exchange(signedRequest(post, used), signal);
        nonce = nonceIn(answer.headers);
        throwUnlessOk(answer, clock);
        pool.keep(nonce);
        return answer;
      } catch (error) {
        const pauseMs = pauseBeforeNext(error);
        if (pauseMs === null) {
          pool.keep(nonce);
          throw error;
        }
        await wait(pauseMs, signal);
      }
    }
  };
}

/** Rejected nonces and faults are counted apart; null ends the tries. */
function createPatience(timings: Timings): (error: unknown) => number | null {
  let rejections = 0;
  let attempts = 0;
  return (error) => {
    if (isRefusal(error, "badNonce")) {
      rejections += 1;
      return rejections < timings.nonceTries ? timings.noncePauseMs : null;
    }
    attempts += 1;
    return pauseAfter(error, attempts, timings);
  };
}
