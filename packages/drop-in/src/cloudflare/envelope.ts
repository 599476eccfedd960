import { z } from "zod";

/** An error or a message, as Cloudflare's envelope has it. */
const NoteBody = z.object({ code: z.int(), message: z.string() });
export type Note = z.infer<typeof NoteBody>;

const envelope = {
  success: z.boolean(),
  errors: z.array(NoteBody),
  messages: z.array(NoteBody),
};

/** `{ success, errors, messages, result }`, the body of every answer. */
export function envelopeSchema<T extends z.ZodType>(result: T) {
  return z.object({ result, ...envelope });
}

export function listEnvelopeSchema<T extends z.ZodType>(item: T) {
  return z.object({
    result: z.array(item),
    result_info: z.object({
      page: z.int(),
      per_page: z.int(),
      count: z.int(),
      total_count: z.int(),
      total_pages: z.int(),
    }),
    ...envelope,
  });
}

export function succeed<T>(result: T, messages: Note[] = []) {
  return { result, success: true, errors: [], messages };
}

export interface PageNumbers {
  readonly page: number;
  readonly perPage: number;
}

export function succeedPage<T>(items: T[], total: number, { page, perPage }: PageNumbers) {
  return {
    ...succeed(items),
    result_info: {
      page,
      per_page: perPage,
      count: items.length,
      total_count: total,
      total_pages: Math.ceil(total / perPage),
    },
  };
}

/**
 * The query parameters of every list. Deep pages cost what all before them cost, so there is a last
 * one.
 */
export const pageQuery = {
  page: z.coerce.number().int().min(1).max(100_000).default(1),
  per_page: z.coerce.number().int().min(1).max(100).default(20),
};
