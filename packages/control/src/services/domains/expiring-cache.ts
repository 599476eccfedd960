/** What was learnt a short while ago, bounded in time and number; the least used goes first. */
export interface ExpiringCache<T> {
  get(key: string): T | undefined;
  set(key: string, value: T, lifetimeMs: number): void;
}

export function createExpiringCache<T>(options: {
  readonly maxEntries: number;
  readonly nowMs: () => number;
}): ExpiringCache<T> {
  // A Map keeps the order of insertion: its first entry is the one not used for longest.
  const entries = new Map<string, { readonly value: T; readonly until: number }>();
  return {
    get(key) {
      const entry = entries.get(key);
      if (entry === undefined) return undefined;
      entries.delete(key);
      if (entry.until <= options.nowMs()) return undefined;
      entries.set(key, entry);
      return entry.value;
    },
    set(key, value, lifetimeMs) {
      entries.delete(key);
      entries.set(key, { value, until: options.nowMs() + lifetimeMs });
      const [oldest] = entries.keys();
      if (entries.size > options.maxEntries && oldest !== undefined) entries.delete(oldest);
    },
  };
}
