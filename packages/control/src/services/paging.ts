import type { Vault } from "@mooring/vault";
import { z } from "zod";
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
  const { cursorKeys, vault } = ctx.runtime;
  const binding = JSON.stringify([ctx.actor.tenantId, ctx.actor.environment, ...list]);
  const after = query.cursor === undefined ? null : openCursor(ctx, binding, query.cursor);
  const page = await fetch({ limit: query.limit, after });
  const key = cursorKeys.get(vault.currentKeyId);
  if (!key) throw new Error("no cursor key for the current root key");
  return { items: page.items, nextCursor: page.next && encodeCursor(key, binding, page.next) };
}

/** A cursor from before a key rotation still opens, with the previous key. */
function openCursor(ctx: ServiceContext, binding: string, cursor: string) {
  for (const key of ctx.runtime.cursorKeys.values()) {
    const position = decodeCursor(key, binding, cursor);
    if (position) return position;
  }
  throw invalid([{ path: "cursor", message: "is not a cursor of this list" }]);
}

/** One key per root key, derived once per process: every page of every list needs one. */
export function deriveCursorKeys(vault: Vault): ReadonlyMap<string, Buffer> {
  return new Map(vault.keyIds.map((keyId) => [keyId, vault.deriveKey("cursor", keyId)]));
}
