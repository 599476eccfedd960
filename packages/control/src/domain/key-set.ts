export interface DatedKey {
  readonly createdAt: Date;
  readonly retiredAt: Date | null;
}

/** Longer than a successor waits before it signs, and than anything lives that the old one signed. */
const overlapMs = 2 * 86_400_000;

/**
 * The keys that may still have signed something, newest first: not the retired ones, nor those whose
 * successor has been there for two days.
 */
export function publishedKeys<K extends DatedKey>(keys: readonly K[], now: Date): readonly K[] {
  const usable = keys
    .filter((key) => key.retiredAt === null)
    .toSorted((a, b) => b.createdAt.getTime() - a.createdAt.getTime());
  return usable.filter((_, index) => {
    const successor = usable[index - 1];
    return !successor || now.getTime() - successor.createdAt.getTime() < overlapMs;
  });
}
