/** The entries used last: at least half of a number of them, and at most all. */
export interface Recent<T> {
  get(key: string): T | undefined;
  set(key: string, value: T): void;
  delete(key: string): void;
  clear(): void;
  entries(): Iterable<readonly [key: string, value: T]>;
}

/**
 * Two generations: when the one in use is full it becomes the older, and what is not used until the
 * next is full is forgotten. So an entry in use costs one lookup, where an order by use would be
 * changed with every request.
 */
export function createRecent<T>(most: number): Recent<T> {
  const half = Math.max(1, Math.floor(most / 2));
  let current = new Map<string, T>();
  let older = new Map<string, T>();

  function set(key: string, value: T): void {
    older.delete(key);
    current.set(key, value);
    if (current.size < half) return;
    older = current;
    current = new Map();
  }

  return {
    get(key) {
      const known = current.get(key);
      if (known !== undefined) return known;
      const value = older.get(key);
      if (value !== undefined) set(key, value);
      return value;
    },
    set,
    delete(key) {
      current.delete(key);
      older.delete(key);
    },
    clear() {
      current.clear();
      older.clear();
    },
    entries: () => [...older, ...current],
  };
}
