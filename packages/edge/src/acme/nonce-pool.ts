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
