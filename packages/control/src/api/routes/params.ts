import { z } from "zod";

/** Path parameters shared by the routes under one object. */
export const IdParams = z.strictObject({ id: z.uuid() });
