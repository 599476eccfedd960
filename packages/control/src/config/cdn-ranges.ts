import { readFileSync } from "node:fs";
import { type CdnRanges, parseCdnRanges, shippedRanges } from "@mooring/dns/lookup";
import { z } from "zod";

/** The networks of CDNs in the file that the variable names; those shipped when it names none. */
export function cdnRanges() {
  return z
    .string()
    .optional()
    .transform((file, context): CdnRanges => {
      if (file === undefined) return shippedRanges;
      try {
        return parseCdnRanges(readFileSync(file, "utf8"));
      } catch (error) {
        const why = error instanceof Error ? error.message : "cannot be read";
        context.addIssue({ code: "custom", message: `${file}: ${why}` });
        return z.NEVER;
      }
    });
}
