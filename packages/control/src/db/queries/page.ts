import { type ExpressionWrapper, expressionBuilder, type SqlBool, sql } from "kysely";
import type { PagePosition } from "../../domain/cursor.ts";

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

/** Row comparison, so that the index is entered at the position and page 10,000 costs as page 1. */
export function afterPosition(position: PagePosition): ExpressionWrapper<never, never, SqlBool> {
  return expressionBuilder<never, never>().and([
    sql<SqlBool>`(created_at, id) < (${position.createdAt}, ${position.id}::uuid)`,
  ]);
}

/** Turns `limit + 1` rows into a page. */
export function toPage<R extends { readonly created_at: Date; readonly id: string }, T>(
  rows: readonly R[],
  limit: number,
  map: (row: R) => T,
): Page<T> {
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  const hasMore = rows.length > limit && last !== undefined;
  return {
    items: shown.map(map),
    next: hasMore ? { createdAt: last.created_at, id: last.id } : null,
  };
}
