import { parseRetryAfter } from "@mooring/egress";
import { AcmeError } from "./acme-error.ts";
import type { AcmeAnswer, Transport } from "./request.ts";

/**
 * Looks until `look` gives a result. Pauses double from the first to the longest, unless the CA names
 * its own (RFC 8555 §7.5.1). Gives up with `pending` as soon as the next look would come too late.
 */
export async function poll<T>(
  { clock, timings, wait }: Transport,
  what: string,
  look: () => Promise<{ readonly answer: AcmeAnswer; readonly result: T | null }>,
  signal: AbortSignal,
): Promise<T> {
  const deadline = clock.now().getTime() + timings.pollTimeoutMs;
  for (let own = timings.firstPollMs; ; own = Math.min(own * 2, timings.longestPollMs)) {
    const { answer, result } = await look();
    if (result !== null) return result;
    const retryAfterSeconds = parseRetryAfter(answer.headers.get("retry-after"), clock.now());
    const pauseMs = (retryAfterSeconds ?? 0) * 1_000 || own;
    if (clock.now().getTime() + pauseMs > deadline) {
      throw new AcmeError("pending", `${what} is still under way`, { retryAfterSeconds });
    }
    await wait(pauseMs, signal);
  }
}
