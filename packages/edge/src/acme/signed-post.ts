import type { DirectorySource } from "./directory.ts";
import { isRefusal } from "./error.ts";
import { malformed } from "./json.ts";
import { type Payload, type Signer, signJws } from "./jws.ts";
import {
  type AcmeAnswer,
  createSend,
  fetchPlain,
  pauseAfter,
  type Timings,
  type Transport,
  throwUnlessOk,
} from "./transport.ts";

interface SignedPost {
  readonly url: string;
  readonly signer: Signer;
  readonly payload: Payload;
  readonly accept?: string;
}

/**
 * Resolves with a 2xx answer. After a rejected nonce the request is repeated with the nonce of the
 * rejection; after a 5xx or no answer with a new one. A request without an answer may have been
 * processed, so callers must tolerate that it is processed twice.
 */
export interface Post {
  (post: SignedPost, signal: AbortSignal): Promise<AcmeAnswer>;
  /** Rejects when the CA does not answer; a CA that answered recently is not asked. */
  ping(signal: AbortSignal): Promise<void>;
}

/** How long an answer counts as proof that the CA is reachable. */
const reachableMs = 10_000;

export function createPost(transport: Transport, directory: DirectorySource): Post {
  const { clock, timings, wait } = transport;
  const sendOnce = createSend(transport);
  const fetchNonce = async (signal: AbortSignal): Promise<string> => {
    const { newNonce: url } = await directory(signal);
    const answer = await fetchPlain(transport, sendOnce, { method: "HEAD", url }, signal);
    const nonce = nonceIn(answer.headers);
    if (nonce === null) throw malformed("Replay-Nonce is missing");
    return nonce;
  };
  const pool = createNoncePool(fetchNonce);
  let lastAnswerAt = Number.NEGATIVE_INFINITY;

  const signedRequest = ({ url, signer, payload, accept }: SignedPost, nonce: string) => {
    const body = JSON.stringify(signJws(signer, { nonce, url }, payload));
    return { method: "POST", url, body, ...(accept === undefined ? {} : { accept }) } as const;
  };

  const send = async (post: SignedPost, signal: AbortSignal): Promise<AcmeAnswer> => {
    const pauseBeforeNext = createRetryPolicy(timings);
    let nonce: string | null = null;
    for (;;) {
      const used: string = nonce ?? (await pool.take(signal));
      nonce = null;
      try {
        const answer = await sendOnce(signedRequest(post, used), signal);
        nonce = nonceIn(answer.headers);
        throwUnlessOk(answer, clock);
        pool.put(nonce);
        lastAnswerAt = clock.now().getTime();
        return answer;
      } catch (error) {
        const pauseMs = pauseBeforeNext(error);
        if (pauseMs === null) {
          pool.put(nonce);
          throw error;
        }
        await wait(pauseMs, signal);
      }
    }
  };
  return Object.assign(send, {
    async ping(signal: AbortSignal): Promise<void> {
      if (clock.now().getTime() - lastAnswerAt < reachableMs) return;
      // The next request needs a nonce anyway.
      pool.put(await fetchNonce(signal));
    },
  });
}

/**
 * Returns the pause before the next attempt, null after the last. Counts rejected nonces
 * separately.
 */
function createRetryPolicy(timings: Timings): (error: unknown) => number | null {
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

/** Single-use values of the CA, one for each signed request (RFC 8555 §6.5). */
interface NoncePool {
  /** The newest nonce of an earlier answer, or a new one from the CA. */
  take(signal: AbortSignal): Promise<string>;
  /** Stores the nonce of an answer for a later request. */
  put(nonce: string | null): void;
}

/** More than requests in flight at once; older ones are the likeliest to have expired. */
const maxNonces = 32;

function createNoncePool(fetchFresh: (signal: AbortSignal) => Promise<string>): NoncePool {
  const nonces: string[] = [];
  return {
    take: async (signal) => nonces.pop() ?? (await fetchFresh(signal)),
    put(nonce) {
      if (nonce === null) return;
      nonces.push(nonce);
      if (nonces.length > maxNonces) nonces.shift();
    },
  };
}

/** Null when absent or not base64url, which RFC 8555 §6.5.1 says to ignore. */
function nonceIn(headers: Headers): string | null {
  const nonce = headers.get("replay-nonce");
  return nonce !== null && /^[A-Za-z0-9_-]{1,256}$/.test(nonce) ? nonce : null;
}
