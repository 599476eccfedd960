/**
 * Work to be done is a time on the thing itself. A worker leases rows that are due; the version it
 * got with the lease must still stand when it writes.
 */
export interface DueRows<T> {
  /** The table's name, as announced when one of its rows becomes due. */
  readonly table: string;
  idOf(row: T): string;
  versionOf(row: T): number;
  /** Leases due rows, longest overdue first; rows others hold or are claiming are left out. */
  claim(now: Date, leasedUntil: Date, limit: number): Promise<T[]>;
  /** Keeps the leases of long work, by id and version. */
  prolong(held: ReadonlyMap<string, number>, leasedUntil: Date): Promise<void>;
  /** Gives a row back unwritten, due again at a later time. */
  release(row: T, dueAt: Date): Promise<void>;
}
