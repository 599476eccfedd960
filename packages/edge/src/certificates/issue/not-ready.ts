/**
 * DNS does not resolve to us yet. Nothing was ordered, or the order waits, so nothing counts as a
 * failure.
 */
export class NotReady extends Error {
  override readonly name = "NotReady";
  /** How long caches may hold what was seen; null where nothing was. */
  readonly cacheSeconds: number | null;
  constructor(message: string, cacheSeconds: number | null = null) {
    super(message);
    this.cacheSeconds = cacheSeconds;
  }
}
