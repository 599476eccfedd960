import { z } from "zod";

/** Path parameters shared by the routes under one object. */
export const IdParams = z.strictObject({ id: z.uuid() });
export const ZoneParams = z.strictObject({
  zone: z.string().min(1).max(253).describe("A name directly under `.test`"),
});
