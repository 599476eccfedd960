/** When a key was made is all that decides what it is used for. */
export interface DatedKey {
  readonly createdAt: Date;
}

const hour = 3_600_000;
const day = 24 * hour;

/** A successor is made after this long. */
const rotateAfterMs = 90 * day;
/**
 * A new key is published for this long before it signs, so that whoever keeps the key set for some
 * minutes knows it by then.
 */
const publishedAheadMs = hour;

/** Whether none is young enough to go on with; a key of a clock ahead of ours counts as young. */
export function needsNewKey(keys: readonly DatedKey[], now: Date): boolean {
  return keys.every((key) => now.getTime() - key.createdAt.getTime() >= rotateAfterMs);
}

/** The newest that has been published long enough; failing that, the one published longest. */
export function signingKey<K extends DatedKey>(keys: readonly K[], now: Date): K | null {
  const byAge = keys.toSorted((a, b) => b.createdAt.getTime() - a.createdAt.getTime());
  const isKnown = (key: K) => now.getTime() - key.createdAt.getTime() >= publishedAheadMs;
  return byAge.find(isKnown) ?? byAge.at(-1) ?? null;
}
