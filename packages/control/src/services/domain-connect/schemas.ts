import { z } from "zod";

/** An empty body means: a page of ours that closes the window. */
export const StartDomainConnect = z
  .strictObject({
    redirect_uri: z
      .string()
      .min(1)
      .max(2_000)
      .nullish()
      .describe(
        "Where the customer goes afterwards; its origin must be one of the application's `allowed_origins`",
      ),
    pair: z
      .boolean()
      .optional()
      .describe(
        "One consent for both names of a pair, where the provider can; `covers` of the answer says whether",
      ),
  })
  .prefault({});
export type StartDomainConnect = z.infer<typeof StartDomainConnect>;
