import { type SelectQueryBuilder, type SqlBool, sql } from "kysely";
import type { PagePosition } from "../../domain/cursor.ts";
import { readTime, type Time } from "../engine/times.ts";

/** A page of a list: newest first by `(created_at, id)`, from after a position. */
export interface PageRequest {
  readonly limit: number;
  readonly after: PagePosition | null;
}

export interface Page<T> {
  readonly items: readonly T[];
  /** Where the next page begins; null on the last. */
  readonly next: PagePosition | null;
}

/**
 * Reads a page of a query over a table with `created_at` and `id`. The row comparison enters the
 * index at the position, so page 10,000 costs the same as page 1.
 */
export async function fetchPage<DB, TB extends keyof DB, R extends PagedRow, T>(
  query: SelectQueryBuilder<DB, TB, R>,
  { after, limit }: PageRequest,
  map: (row: R) => T,
): Promise<Page<T>> {
  const from = after
    ? query.where(sql<SqlBool>`(created_at, id) < (${after.createdAt}, ${after.id}::uuid)`)
    : query;
  const rows = await from
    .orderBy(sql.ref("created_at"), "desc")
    .orderBy(sql.ref("id"), "desc")
    .limit(limit + 1)
    .execute();
  return endEarly(rows, toPage(rows, limit, map));
}

/** An answer has at most 256 KiB, with some room for what is around the items. */
const maxItemBytes = 258_048;

/** A page of large items ends before they become too many bytes; it has one at least. */
function endEarly<T>(rows: readonly PagedRow[], page: Page<T>): Page<T> {
  let bytes = 0;
  const count = page.items.findIndex((item, index) => {
    bytes += Buffer.byteLength(JSON.stringify(item));
    return index > 0 && bytes > maxItemBytes;
  });
  const last = count === -1 ? undefined : rows[count - 1];
  if (last === undefined) return page;
  const next = { createdAt: readTime(last.created_at), id: last.id };
  return { items: page.items.slice(0, count), next };
}

interface PagedRow {
  readonly created_at: Time;
  readonly id: string;
}

/** Turns `limit + 1` rows into a page. */
export function toPage<R extends PagedRow, T>(
  rows: readonly R[],
  limit: number,
  map: (row: R) => T,
): Page<T> {
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  const hasMore = rows.length > limit && last !== undefined;
  return {
    items: shown.map(map),
    next: hasMore ? { createdAt: readTime(last.created_at), id: last.id } : null,
  };
}
