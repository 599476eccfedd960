/** Values that are cached until their time, the oldest dropped first when there are too many. */
export interface Expiring<T> {
  get(key: string): T | undefined;
  set(key: string, value: T, seconds: number): void;
  delete(key: string): void;
}

export function createExpiring<T>(options: {
  readonly now: () => Date;
  readonly maxEntries: number;
  readonly maxSeconds: number;
}): Expiring<T> {
  const entries = new Map<string, { readonly value: T; readonly untilMs: number }>();
  return {
    get(key) {
      const entry = entries.get(key);
      if (entry === undefined) return undefined;
      if (entry.untilMs > options.now().getTime()) return entry.value;
      entries.delete(key);
      return undefined;
    },
    set(key, value, seconds) {
      entries.delete(key);
      const lifetimeMs = Math.min(seconds, options.maxSeconds) * 1_000;
      entries.set(key, { value, untilMs: options.now().getTime() + lifetimeMs });
      const [oldest] = entries.keys();
      if (entries.size > options.maxEntries && oldest !== undefined) entries.delete(oldest);
    },
    delete: (key) => {
      entries.delete(key);
    },
  };
}
