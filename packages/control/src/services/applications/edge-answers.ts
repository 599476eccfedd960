import { z } from "zod";

/** What the edge makes of responses; part of the `edge` object of an application. */

/** Its JSON must fit into a request body of 64 KiB. */
const maxPageBytes = 60_000;
const placeholders = ["status", "title", "message", "reference", "hostname"];

export const errorPage = z
  .string()
  .min(1)
  .refine(
    (html) => Buffer.byteLength(html) <= maxPageBytes,
    `expected at most ${maxPageBytes} bytes`,
  )
  .refine((html) => !html.includes("\0") && html.isWellFormed(), "expected text without NUL")
  .refine(
    (html) =>
      [...html.matchAll(/\{\{(.*?)\}\}/gs)].every(([, name = ""]) => placeholders.includes(name)),
    `expected no other placeholders than ${placeholders.map((name) => `{{${name}}}`).join(", ")}`,
  )
  .describe(
    "HTML for errors that the edge answers itself, at most 64 KB, served without scripts; placeholders " +
      placeholders.map((name) => `{{${name}}}`).join(", "),
  );

const yearSeconds = 31_536_000;

export const hsts = z
  .strictObject({
    max_age: z.int().min(0).max(2_147_483_647).describe("Seconds; 0 takes the promise back"),
    include_subdomains: z.boolean().default(false),
    preload: z.boolean().default(false),
  })
  .refine(
    ({ preload, include_subdomains, max_age }) =>
      !preload || (include_subdomains && max_age >= yearSeconds),
    {
      error: `preload needs include_subdomains and a max_age of ${yearSeconds}`,
      path: ["preload"],
    },
  )
  .describe("Strict-Transport-Security of every response over HTTPS; null sends none");

/** RFC 9110 §5.6.2 and §5.5. */
const fieldName = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}$/;
const fieldValue = /^[\t\x20-\x7e]{0,4000}$/;

/** Fields that frame a message or belong to one hop, and those that the edge writes itself. */
const reservedFields = new Set([
  "alt-svc",
  "connection",
  "content-encoding",
  "content-length",
  "content-range",
  "date",
  "http2-settings",
  "keep-alive",
  "proxy-authenticate",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
  "via",
]);

const name = z
  .string()
  .regex(fieldName, "expected the name of a header field")
  .refine((text) => !isReserved(text.toLowerCase()), "this field is the edge's own")
  .refine(
    (text) => text.toLowerCase() !== "strict-transport-security",
    "use `hsts` for this field",
  );

function isReserved(text: string): boolean {
  return reservedFields.has(text) || text.startsWith("x-svc-");
}

const value = z.string().regex(fieldValue, "expected visible ASCII characters, at most 4,000");

const headerRule = z
  .strictObject({
    action: z.enum(["add", "set", "remove"]),
    name,
    value: value.nullable().default(null),
  })
  .refine((rule) => (rule.value === null) === (rule.action === "remove"), {
    error: "expected a value for add and set, and none for remove",
    path: ["value"],
  });

export const responseHeaders = z
  .array(headerRule)
  .max(32)
  .describe("Changes of the origin's response headers, in this order");

export const compress = z
  .boolean()
  .describe("Whether the edge compresses responses that the origin did not; default false");
