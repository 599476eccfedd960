import { z } from "zod";
import type { Brand } from "../../domain/applications/application.ts";

function urlSchema(protocols: readonly string[], message: string) {
  return z
    .string()
    .max(2_000)
    .refine(
      (text) => {
        const url = URL.parse(text);
        return (
          url !== null && protocols.includes(url.protocol) && url.username + url.password === ""
        );
      },
      { error: message },
    );
}

/**
 * How an application presents itself to its customers; a field that is absent has no default of its
 * own.
 */
export const BrandInput = z
  .strictObject({
    name: z.string().trim().min(1).max(60).nullish().describe("Default: the application's name"),
    logo_url: urlSchema(["https:"], "expected an https URL").nullish(),
    color: z
      .string()
      .regex(/^#[0-9a-f]{6}$/i, { error: "expected a colour like #1a73e8" })
      .nullish()
      .describe("Of buttons and progress: `#rrggbb`"),
    support_url: urlSchema(["https:", "mailto:"], "expected an https or mailto URL")
      .nullish()
      .describe("Where a customer gets help: `https:` or `mailto:`"),
  })
  .nullable()
  .describe("Defaults of the widget and of the share page; null: none");
export type BrandInput = z.infer<typeof BrandInput>;

/** Null when it says nothing. */
export function brandIn(input: BrandInput): Brand | null {
  if (input === null || Object.values(input).every((value) => value == null)) return null;
  return {
    name: input.name ?? null,
    logoUrl: input.logo_url ?? null,
    color: input.color?.toLowerCase() ?? null,
    supportUrl: input.support_url ?? null,
  };
}

export const BrandBody = z
  .object({
    name: z.string().nullable(),
    logo_url: z.string().nullable(),
    color: z.string().nullable(),
    support_url: z.string().nullable(),
  })
  .meta({ id: "Brand" });

export function brandBody(brand: Brand | null): z.input<typeof BrandBody> | null {
  if (brand === null) return null;
  const { name, logoUrl, color, supportUrl } = brand;
  return { name, logo_url: logoUrl, color, support_url: supportUrl };
}
