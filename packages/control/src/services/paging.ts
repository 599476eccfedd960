import { createSecretKey, type KeyObject } from "node:crypto";
import type { Vault } from "@mooring/vault";
import { z } from "zod";
import type { Tx } from "../db/engine/transaction.ts";
import type { Page, PageRequest } from "../db/queries/page.ts";
import { decodeCursor, encodeCursor } from "../domain/cursor.ts";
import { invalid } from "../domain/errors.ts";
import type { ServiceContext } from "./context.ts";

/** The query parameters of every list. */
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

/** Reads one page of a list in one read transaction; see `listPage`. */
export function readPage<T>(
  ctx: ServiceContext,
  list: readonly (string | null)[],
  query: PageQuery,
  fetch: (tx: Tx, page: PageRequest) => Promise<Page<T>>,
): Promise<Listing<T>> {
  return listPage(ctx, list, query, (page) => ctx.read((tx) => fetch(tx, page)));
}

/**
 * Runs one page of a list. `list` is the list's name and its filters: a cursor made for another
 * list, filter, tenant or environment is refused.
 */
export async function listPage<T>(
  ctx: ServiceContext,
  list: readonly (string | null)[],
  query: PageQuery,
  fetch: (page: PageRequest) => Promise<Page<T>>,
): Promise<Listing<T>> {
  const { cursorKey, vault } = ctx.runtime;
  const binding = JSON.stringify([ctx.actor.tenantId, ctx.actor.environment, ...list]);
  const after = query.cursor === undefined ? null : openCursor(ctx, binding, query.cursor);
  const page = await fetch({ limit: query.limit, after });
  const nextCursor = page.next
    ? encodeCursor(cursorKey(vault.currentKeyId), binding, page.next)
    : null;
  return { items: page.items, nextCursor };
}

/** A cursor made before a root key rotation still opens with the previous key. */
function openCursor(ctx: ServiceContext, binding: string, cursor: string) {
  const { cursorKey, vault } = ctx.runtime;
  for (const keyId of vault.keyIds) {
    const position = decodeCursor(cursorKey(keyId), binding, cursor);
    if (position) return position;
  }
  throw invalid([{ path: "cursor", message: "is not a cursor of this list" }]);
}

/** `Runtime.cursorKey`. Derives each key once: every page of every list needs one. */
export function createCursorKey(vault: Pick<Vault, "deriveKey">): (rootKeyId: string) => KeyObject {
  const derived = new Map<string, KeyObject>();
  return (rootKeyId) => {
    const key = derived.get(rootKeyId) ?? createSecretKey(vault.deriveKey("cursor", rootKeyId));
    derived.set(rootKeyId, key);
    return key;
  };
}
