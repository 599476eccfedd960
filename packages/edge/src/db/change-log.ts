/** Ids of a change log are assigned before commit; this many are read again each time. */
export const overlap = 1_000;

/**
 * Old entries are deleted: the log may not reach back to the last one read. Or it ends before that
 * one: the database was restored, or lost commits in a failover. In both cases everything is read.
 */
export function isApart(logged: readonly { readonly id: number }[], lastId: number): boolean {
  const [oldest, newest] = [logged[0]?.id ?? 0, logged.at(-1)?.id ?? 0];
  return lastId > 0 && (oldest > lastId || newest < lastId);
}
