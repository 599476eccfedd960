import { z } from "zod";
import type { Listing } from "../../services/paging.ts";

/** `{ data, next_cursor }`, the shape of every list. */
export function listOf<T extends z.ZodType>(item: T) {
  return z.object({
    data: z.array(item),
    next_cursor: z.string().nullable().describe("Null on the last page"),
  });
}

export function listing<T, B>(page: Listing<T>, body: (item: T) => B) {
  return { data: page.items.map(body), next_cursor: page.nextCursor };
}
