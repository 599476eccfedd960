import { z } from "zod";

const moment = z.coerce
  .number()
  .min(0)
  .max(8.64e15)
  .optional()
  .transform((time) => (time === undefined ? null : new Date(time)));

/** The query parameters of every list: a page lies between two times. */
export const timedQuery = {
  limit: z.coerce.number().int().min(1).max(100).default(20),
  since: moment,
  until: moment,
};

export const paginationSchema = z.object({
  count: z.int(),
  next: z.int().nullable(),
  prev: z.int().nullable(),
});
