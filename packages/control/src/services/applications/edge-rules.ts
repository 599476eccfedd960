import { randomBytes, scrypt } from "node:crypto";
import { promisify } from "node:util";
import { z } from "zod";
import type { StoredEdgeSettings } from "../../domain/applications/application.ts";
import type { Issue } from "../../domain/errors.ts";
import { normalizeNetwork } from "./network.ts";

/**
 * Rules for requests; part of the `edge` object of an application, and of its connections, which
 * may differ. What is stored is read by `packages/edge/src/hosts/application-rules.ts`.
 */

const maxNetworks = 200;
const maxPageLength = 2_000;
const dayMs = 86_400_000;
const maxMaintenanceDays = 366;

const rateLimit = z
  .strictObject({
    requests: z
      .int()
      .min(1)
      .max(1_000_000)
      .describe("So many at once, and so many more in each `per_s` seconds"),
    per_s: z.int().min(1).max(86_400),
    by: z
      .enum(["visitor", "host"])
      .default("visitor")
      .describe("Each visitor of the domain for itself, by address; or all of them together"),
  })
  .describe("How many requests are served; then 429. It holds on each machine of the edge");

const network = z
  .string()
  .max(100)
  .transform((text, context) => {
    const normal = normalizeNetwork(text);
    if (normal !== null) return normal;
    context.addIssue({
      code: "custom",
      message: "expected an address or a network like 192.0.2.0/24 or 2001:db8::/32",
    });
    return z.NEVER;
  });

const networks = z
  .array(network)
  .min(1)
  .max(maxNetworks)
  .transform((all) => [...new Set(all)]);

const pageText = z
  .string()
  .min(1)
  .max(maxPageLength)
  .refine((text) => !text.includes("\0") && text.isWellFormed(), "expected text without NUL");

const maintenance = z
  .strictObject({
    until: z.iso
      .datetime({ offset: true })
      .transform((text) => new Date(text).toISOString())
      .nullable()
      .default(null)
      .describe("When it ends by itself; null: when it is taken back"),
    page: pageText
      .nullable()
      .default(null)
      .describe("Text for visitors, no HTML; null: the usual one"),
  })
  .describe("Visitors get 503 with this text, and nothing reaches the origin");

/** RFC 7617 §2: no colon in a user name, no control characters. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: those are refused
const control = /[\u0000-\u001f\u007f]/;

function credentialText(least: number, most: number) {
  return z
    .string()
    .min(least)
    .max(most)
    .refine((text) => !control.test(text) && text.isWellFormed(), "expected no control characters");
}

const basicAuth = z
  .strictObject({
    username: credentialText(1, 64).refine((text) => !text.includes(":"), "expected no colon"),
    password: credentialText(8, 128).describe("Stored as a hash, and never returned"),
  })
  .describe("What visitors have to sign in with, for previews; then 401");

/** As an application has them. */
export const ruleChanges = {
  rate_limit: rateLimit.nullable(),
  allow: networks
    .nullable()
    .describe(`Networks of visitors who are served, up to ${maxNetworks}; all others get 403`),
  deny: networks
    .nullable()
    .describe(`Networks of visitors who get 403, up to ${maxNetworks}, also those in \`allow\``),
  maintenance: maintenance.nullable(),
  basic_auth: basicAuth.nullable(),
};
export type RuleName = keyof typeof ruleChanges;
const ruleNames = Object.keys(ruleChanges) as readonly RuleName[];

const off = z.literal("off");

/** As a connection takes them. */
export const ConnectionEdgeChanges = z
  .strictObject({
    rate_limit: z.union([rateLimit, off]).nullable(),
    allow: z.union([networks, off]).nullable(),
    deny: z.union([networks, off]).nullable(),
    maintenance: z.union([maintenance, off]).nullable(),
    basic_auth: z.union([basicAuth, off]).nullable(),
  })
  .partial()
  .describe(
    "Rules of its own. Keys that are not given stay; null: as the application has it; `off`: not the application's",
  );
export type ConnectionEdgeChanges = z.infer<typeof ConnectionEdgeChanges>;

const rateLimitBody = z.object({
  requests: z.int(),
  per_s: z.int(),
  by: z.enum(["visitor", "host"]),
});
const maintenanceBody = z.object({
  until: z.string().meta({ format: "date-time" }).nullable(),
  page: z.string().nullable(),
});
const basicAuthBody = z.object({ username: z.string() });

/** As the API shows those of an application. */
export const ruleBodies = {
  rate_limit: rateLimitBody.nullable(),
  allow: z.array(z.string()).nullable(),
  deny: z.array(z.string()).nullable(),
  maintenance: maintenanceBody.nullable(),
  basic_auth: basicAuthBody.nullable().describe("Never with the password"),
};

/** As the API shows those of a connection. */
export const ConnectionEdge = z
  .object({
    rate_limit: z.union([rateLimitBody, off, z.null()]),
    allow: z.union([z.array(z.string()), off, z.null()]),
    deny: z.union([z.array(z.string()), off, z.null()]),
    maintenance: z.union([maintenanceBody, off, z.null()]),
    basic_auth: z.union([basicAuthBody, off, z.null()]),
  })
  .meta({
    id: "ConnectionEdge",
    description:
      "Rules of its own. Null: as the application has it; `off`: not the application's. Always null for widget tokens",
  });
export type ConnectionEdge = z.infer<typeof ConnectionEdge>;

/** What the time has against the changes. */
export function maintenanceIssues(
  { maintenance: change }: Pick<ConnectionEdgeChanges, "maintenance">,
  now: Date,
): readonly Issue[] {
  if (typeof change !== "object" || change === null || change.until === null) return [];
  const leftMs = Date.parse(change.until) - now.getTime();
  const path = "edge.maintenance.until";
  if (leftMs <= 0) return [{ path, message: "expected a time that has not passed" }];
  if (leftMs <= maxMaintenanceDays * dayMs) return [];
  return [{ path, message: `expected a time within ${maxMaintenanceDays} days` }];
}

/** The changes as they are stored: a password as its hash. Slow, so before a transaction. */
export async function storableRules<T extends Pick<ConnectionEdgeChanges, "basic_auth">>(
  changes: T,
): Promise<StoredEdgeSettings> {
  const { basic_auth: credentials } = changes;
  if (typeof credentials !== "object" || credentials === null) return { ...changes };
  const { username } = credentials;
  return { ...changes, basic_auth: { username, hash: await hashCredentials(credentials) } };
}

const hashBytes = 32;
const hashing = promisify<string, Buffer, number, { N: number; r: number; p: number }, Buffer>(
  scrypt,
);
/** 16 MB and some 50 ms each; the edge checks a pair once, and remembers it. */
const cost = { N: 16_384, r: 8, p: 1 };

/** `scrypt$N$r$p$salt$hash`, of `username:password` in NFC (RFC 7617 §2.1). */
async function hashCredentials({
  username,
  password,
}: {
  readonly username: string;
  readonly password: string;
}): Promise<string> {
  const salt = randomBytes(16);
  const hash = await hashing(`${username}:${password}`.normalize("NFC"), salt, hashBytes, cost);
  const { N, r, p } = cost;
  return `scrypt$${N}$${r}$${p}$${salt.toString("base64url")}$${hash.toString("base64url")}`;
}

/** The stored rules as the API shows them, without the hash. */
export function shownRules(stored: StoredEdgeSettings): ConnectionEdge {
  const shown = ruleNames.map((name) => [name, shownRule(name, stored[name] ?? null)] as const);
  // Validated when it was written.
  return Object.fromEntries(shown) as ConnectionEdge;
}

function shownRule(name: RuleName, value: unknown): unknown {
  if (name !== "basic_auth" || typeof value !== "object" || value === null) return value;
  return { username: "username" in value ? value.username : "" };
}
