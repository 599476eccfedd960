import { z } from "zod";
import { type CustomerRow, pageCustomers } from "../../db/queries/connections/customers.ts";
import { stuckSince } from "../../domain/connections/stuck.ts";
import type { ServiceContext } from "../context.ts";
import { type Listing, pageQuery, readPage } from "../paging.ts";
import { searchText } from "./schemas.ts";

export type { CustomerRow } from "../../db/queries/connections/customers.ts";

/** Connections of one customer that are counted, and connections that a search reads. */
export const mostCounted = 1_000;
export const mostSearched = 5_000;

export const ListCustomers = z.strictObject({
  q: searchText.optional().describe("A part of the customer's id; compared as in connections"),
  ...pageQuery,
});
export type ListCustomers = z.infer<typeof ListCustomers>;

/** The customers that have domains, in the order of their ids. */
export function listCustomers(
  ctx: ServiceContext,
  query: ListCustomers,
): Promise<Listing<CustomerRow>> {
  const { q = null } = query;
  const since = stuckSince(ctx.now(), ctx.runtime.config.stallAfterMs);
  return readPage(ctx, ["customers", q], query, (tx, page) =>
    pageCustomers(tx, ctx.actor, q, page, since, { mostCounted, mostSearched }),
  );
}
