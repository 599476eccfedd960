import { recordTypes } from "@mooring/dns";
import { z } from "zod";
import { environments } from "../../domain/tenancy.ts";

const name = z.string().trim().min(1).max(100);

/** A browser origin: scheme, host and port. A path would never match what a browser sends. */
const origin = z
  .string()
  .max(300)
  .transform((text, context) => {
    const url = URL.canParse(text) ? new URL(text) : null;
    const isOrigin =
      url !== null &&
      (url.protocol === "https:" || url.protocol === "http:") &&
      url.pathname === "/" &&
      url.search + url.hash + url.username + url.password === "" &&
      !text.includes("*");
    if (!isOrigin) {
      context.addIssue({
        code: "custom",
        message: "expected an origin like https://app.example.com, without path or wildcard",
      });
      return z.NEVER;
    }
    return url.origin;
  });

const originUrl = z
  .string()
  .max(2_000)
  .refine(
    (text) => {
      const url = URL.canParse(text) ? new URL(text) : null;
      return url !== null && /^https?:$/.test(url.protocol) && url.username + url.password === "";
    },
    { error: "expected an http or https URL without credentials" },
  );

const templateRecord = z.strictObject({
  host: z
    .string()
    .min(1)
    .max(500)
    .describe("`@`, a label below the hostname, or with placeholders"),
  type: z
    .string()
    .toUpperCase()
    .pipe(z.enum(recordTypes))
    .describe(`One of ${recordTypes.join(", ")}`),
  value: z.string().min(1).max(4_096),
  ttl: z
    .int()
    .min(0)
    .max(2_147_483_647)
    .nullish()
    .transform((ttl) => ttl ?? null),
  priority: z
    .int()
    .min(0)
    .max(65_535)
    .nullish()
    .transform((priority) => priority ?? null),
});

const settings = {
  allowed_origins: z.array(origin).max(100).describe("Browser origins that may use the widget"),
  record_template: z.array(templateRecord).max(50).describe("Records each connected domain needs"),
  origin_url: originUrl.nullable().describe("Where the edge proxies connected domains to"),
  origin_host_header: z
    .enum(["preserve", "origin"])
    .describe("Host header sent to the origin: the visitor's, or the origin's own"),
};

export const CreateApplication = z.strictObject({
  name,
  environment: z.enum(environments).optional().describe("Defaults to the key's environment"),
  allowed_origins: settings.allowed_origins.optional(),
  record_template: settings.record_template.optional(),
  origin_url: settings.origin_url.optional(),
  origin_host_header: settings.origin_host_header.optional(),
});
export type CreateApplication = z.infer<typeof CreateApplication>;

export const UpdateApplication = z.strictObject({
  name: name.optional(),
  allowed_origins: settings.allowed_origins.optional(),
  record_template: settings.record_template.optional(),
  origin_url: settings.origin_url.optional(),
  origin_host_header: settings.origin_host_header.optional(),
});
export type UpdateApplication = z.infer<typeof UpdateApplication>;
