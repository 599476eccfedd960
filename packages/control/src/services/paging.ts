import type { Vault } from "@mooring/vault";
import { z } from "zod";
import type { Page, PageRequest } from "../db/queries/page.ts";
import { decodeCursor, encodeCursor } from "../domain/cursor.ts";
import { invalid } from "../domain/errors.ts";
import type { ServiceContext } from "./context.ts";

/** Every list takes these. */
export const pageQuery = {
  limit: z.coerce
    .number({ error: "expected a number from 1 to 100" })
    .int()
    .min(1)
    .max(100)
    .default(20)
    .describe("Items on a page, 1 to 100"),
  cursor: z.string().optional().describe("`next_cursor` of the page before"),
};

export interface PageQuery {
  readonly limit: number;
  readonly cursor?: string | undefined;
}

export interface Listing<T> {
  readonly items: readonly T[];
  readonly nextCursor: string | null;
}

/**
 * Runs one page of a list. `list` names it with its filters: a cursor made for another list, filter,
 * tenant or environment is refused.
 */
export async function listPage<T>(
  ctx: ServiceContext,
  list: readonly (string | null)[],
  query: PageQuery,
  fetch: (page: PageRequest) => Promise<Page<T>>,
): Promise<Listing<T>> {
  const { vault } = ctx.runtime;
  const binding = JSON.stringify([ctx.actor.tenantId, ctx.actor.environment, ...list]);
  const after = query.cursor === undefined ? null : openCursor(ctx, binding, query.cursor);
  const page = await fetch({ limit: query.limit, after });
  const nextCursor = page.next
    ? encodeCursor(cursorKey(vault, vault.currentKeyId), binding, page.next)
    : null;
  return { items: page.items, nextCursor };
}

/** A cursor handed out before a key rotation still opens with the previous key. */
function openCursor(ctx: ServiceContext, binding: string, cursor: string) {
  const { vault } = ctx.runtime;
  for (const keyId of vault.keyIds) {
    const position = decodeCursor(cursorKey(vault, keyId), binding, cursor);
    if (position) return position;
  }
  throw invalid([{ path: "cursor", message: "is not a cursor of this list" }]);
}

const cursorKeys = new WeakMap<Vault, Map<string, Buffer>>();

/** Derived once: every page of every list needs it. */
function cursorKey(vault: Vault, keyId: string): Buffer {
  const known = cursorKeys.get(vault) ?? new Map<string, Buffer>();
  cursorKeys.set(vault, known);
  const key = known.get(keyId) ?? vault.deriveKey("cursor", keyId);
  known.set(keyId, key);
  return key;
}
