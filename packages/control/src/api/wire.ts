import { z } from "zod";
import type { Listing } from "../services/paging.ts";

/** Shapes that several nouns share. Times are ISO 8601 in UTC with milliseconds and `Z`. */
export const Time = z.string().meta({ format: "date-time" });
export const Uuid = z.string().meta({ format: "uuid" });

export function time(date: Date): string {
  return date.toISOString();
}

export function timeOrNull(date: Date | null): string | null {
  return date === null ? null : time(date);
}

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

/** The path parameters of most routes. */
export const IdParams = z.strictObject({ id: z.uuid() });

export const RecordBody = z
  .object({
    host: z.string(),
    type: z.string(),
    value: z.string(),
    ttl: z.int().nullable(),
    priority: z.int().nullable(),
  })
  .meta({ id: "Record", description: "A DNS record" });
