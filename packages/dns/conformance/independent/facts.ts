import { readdirSync, readFileSync } from "node:fs";
import { z } from "zod";

/**
 * What independent public clients send to a provider, one file per provider, named `<slug>.json`
 * beside this one. `independent.test.ts` records what our adapter sends and compares.
 *
 * To add a provider: read two or more clients that nobody here wrote, note each with repository,
 * file and commit, and describe every request that the adapter makes. Facts only; no text or code
 * of theirs.
 */
const Source = z.strictObject({
  id: z.string().min(1),
  repository: z.string().regex(/^[\w.-]+\/[\w.-]+$/),
  file: z.string().min(1),
  commit: z.string().regex(/^[0-9a-f]{40}$/),
});

const Field = z.strictObject({
  /** The rule holds for objects with these fields; without it, for all. */
  when: z.record(z.string(), z.union([z.string(), z.number()])).optional(),
  field: z.string(),
  /** Matches the field's value as text: the form of names, quotes, dots. */
  matches: z.string(),
});

const Body = z.strictObject({
  /** Where the described objects are, `*` being each entry of a list: "", "*", "rrsets/*". */
  at: z.string().default(""),
  /** Some of the requests have nothing there. */
  canBeAbsent: z.boolean().default(false),
  required: z.array(z.string()),
  /** Fields that a client sends in some cases; any other is unknown to all of them. */
  optional: z.array(z.string()).default([]),
  fields: z.array(Field).default([]),
});

/** Values are expressions. */
const Headers = z.record(z.string(), z.string());

const Request = z.strictObject({
  what: z.string().min(1),
  sources: z.array(z.string()).min(1),
  method: z.enum(["GET", "POST", "PUT", "PATCH", "DELETE"]),
  /** Matches the whole path. */
  path: z.string(),
  query: z.array(z.string()).default([]),
  /** Where it is not the provider's usual host. */
  origin: z.url().optional(),
  /** In place of the provider's usual headers. */
  headers: Headers.optional(),
  /** Fields of a form, or at the top of JSON or XML, that tell requests to a path apart. */
  command: z.record(z.string(), z.string()).optional(),
  /** The same by the query. */
  commandQuery: z.record(z.string(), z.string()).optional(),
  /** The same by headers. */
  commandHeaders: z.record(z.string(), z.string()).optional(),
  bodyType: z.enum(["json", "form", "xml"]).default("json"),
  /** One description, or one for each part of the body; none for a request without a body. */
  body: z.union([Body.transform((one) => [one]), z.array(Body)]).default([]),
});

const Facts = z.strictObject({
  sources: z.array(Source).min(2),
  origin: z.url(),
  /** Sent with every request. */
  headers: Headers.default({}),
  requests: z.array(Request).min(1),
});
export type Facts = z.infer<typeof Facts>;
export type RequestFact = Facts["requests"][number];
export type BodyFact = RequestFact["body"][number];

/** A protocol that is not HTTP: a test of its own compares messages. */
const WireFacts = z.strictObject({
  sources: z.array(Source).min(2),
  /** The test, from the root of the repository. */
  comparedIn: z.string().min(1),
});

/** The facts of the providers with an HTTP interface, by slug. */
export function readFacts(): ReadonlyMap<string, Facts> {
  const read = [...readFiles()].filter(([, { comparedIn }]) => comparedIn === undefined);
  return new Map(read.map(([slug, value]) => [slug, Facts.parse(value)]));
}

/** The facts of the others. */
export function readWireFacts(): ReadonlyMap<string, z.infer<typeof WireFacts>> {
  const read = [...readFiles()].filter(([, { comparedIn }]) => comparedIn !== undefined);
  return new Map(read.map(([slug, value]) => [slug, WireFacts.parse(value)]));
}

const AnyFile = z.looseObject({ comparedIn: z.string().optional() });

function readFiles(): ReadonlyMap<string, z.infer<typeof AnyFile>> {
  const directory = new URL("./", import.meta.url);
  const files = readdirSync(directory).filter((name) => name.endsWith(".json"));
  return new Map(
    files.map((name) => {
      const text = readFileSync(new URL(name, directory), "utf8");
      return [name.slice(0, -".json".length), AnyFile.parse(JSON.parse(text))];
    }),
  );
}
