import { EgressError } from "./egress-error.ts";

/** A signal whose reason is always an EgressError; `release` must be called when the work is over. */
interface Limit {
  readonly signal: AbortSignal;
  release(): void;
}

/** Aborts after `ms` as a timeout, or with `outer`. */
export function startLimit(ms: number, what: string, outer?: AbortSignal): Limit {
  const controller = new AbortController();
  const timer = setTimeout(() => {
    controller.abort(new EgressError("timeout", `${what} took longer than ${ms} ms`));
  }, ms);
  const onOuter = () => controller.abort(abortError(outer));
  if (outer?.aborted) onOuter();
  else outer?.addEventListener("abort", onOuter, { once: true });
  return {
    signal: controller.signal,
    release() {
      clearTimeout(timer);
      outer?.removeEventListener("abort", onOuter);
    },
  };
}

/** The work's result, or the signal's reason as soon as that comes first. */
export async function within<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const onAbort = () => reject(signal.reason);
  if (signal.aborted) onAbort();
  else signal.addEventListener("abort", onAbort, { once: true });
  try {
    return await Promise.race([promise, work]);
  } finally {
    signal.removeEventListener("abort", onAbort);
  }
}

function abortError(outer: AbortSignal | undefined): EgressError {
  const reason: unknown = outer?.reason;
  if (reason instanceof EgressError) return reason;
  return new EgressError("aborted", "the caller gave up", { cause: reason });
}
