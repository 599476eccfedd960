import type { DirectorySource } from "./directory.ts";
import { isRefusal } from "./error.ts";
import { malformed } from "./json.ts";
import { type Payload, type Signer, signJws } from "./jws.ts";
import {
  type AcmeAnswer,
  createExchange,
  fetchPlain,
  pauseAfter,
  type Timings,
  type Transport,
  throwUnlessOk,
} from "./transport.ts";

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
export interface Post {
  (post: SignedPost, signal: AbortSignal): Promise<AcmeAnswer>;
  /** Rejects when the CA does not answer; one that just did is not asked. */
  knock(signal: AbortSignal): Promise<void>;
}

/** For so long an answer shows that the CA is there. */
const reachableMs = 10_000;

export function createPost(transport: Transport, directory: DirectorySource): Post {
  const { clock, timings, wait } = transport;
  const exchange = createExchange(transport);
  const fetchNonce = async (signal: AbortSignal): Promise<string> => {
    const { newNonce: url } = await directory(signal);
    const answer = await fetchPlain(transport, exchange, { method: "HEAD", url }, signal);
    const nonce = nonceIn(answer.headers);
    if (nonce === null) throw malformed("Replay-Nonce is missing");
    return nonce;
  };
  const pool = createNoncePool(fetchNonce);
  let heardAt = Number.NEGATIVE_INFINITY;

  const signedRequest = ({ url, signer, payload, accept }: SignedPost, nonce: string) => {
    const body = JSON.stringify(signJws(signer, { nonce, url }, payload));
    return { method: "POST", url, body, ...(accept === undefined ? {} : { accept }) } as const;
  };

  const send = async (post: SignedPost, signal: AbortSignal): Promise<AcmeAnswer> => {
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
        heardAt = clock.now().getTime();
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
  return Object.assign(send, {
    async knock(signal: AbortSignal): Promise<void> {
      if (clock.now().getTime() - heardAt < reachableMs) return;
      // The next request needs one anyway.
      pool.keep(await fetchNonce(signal));
    },
  });
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

/** Single-use values that a CA wants back in each signed request (RFC 8555 §6.5). */
export interface NoncePool {
  /** One that an earlier answer brought, newest first, or a fresh one. */
  take(signal: AbortSignal): Promise<string>;
  /** Keeps what an answer brought for a later request. */
  keep(nonce: string | null): void;
}

/** More than requests in flight at once; older ones are the likeliest to have expired. */
const maxNonces = 32;

export function createNoncePool(fetchFresh: (signal: AbortSignal) => Promise<string>): NoncePool {
  const kept: string[] = [];
  return {
    take: async (signal) => kept.pop() ?? (await fetchFresh(signal)),
    keep(nonce) {
      if (nonce === null) return;
      kept.push(nonce);
      if (kept.length > maxNonces) kept.shift();
    },
  };
}

/** Null when absent or not base64url, which RFC 8555 §6.5.1 says to ignore. */
export function nonceIn(headers: Headers): string | null {
  const nonce = headers.get("replay-nonce");
  return nonce !== null && /^[A-Za-z0-9_-]{1,256}$/.test(nonce) ? nonce : null;
}
