/** One dial for everybody who waits for it; aborted when nobody waits any more. */
export class SharedDial<T> {
  readonly #aborting = new AbortController();
  readonly #result: Promise<T>;
  #waiting = 0;

  /** `onEnded` is called when the dial has succeeded or failed, before anybody who waits learns it. */
  constructor(dial: (signal: AbortSignal) => Promise<T>, onEnded: () => void) {
    this.#result = dial(this.#aborting.signal).finally(onEnded);
    // Everybody who waited may have left.
    this.#result.catch(() => undefined);
  }

  /** The result, or the reason of the signal as soon as that comes first. */
  async join(signal: AbortSignal): Promise<T> {
    const { promise, reject } = Promise.withResolvers<never>();
    const onAbort = () => reject(signal.reason);
    if (signal.aborted) onAbort();
    else signal.addEventListener("abort", onAbort, { once: true });
    this.#waiting += 1;
    try {
      return await Promise.race([this.#result, promise]);
    } finally {
      signal.removeEventListener("abort", onAbort);
      this.#waiting -= 1;
      if (this.#waiting === 0) this.#aborting.abort(signal.reason);
    }
  }
}
