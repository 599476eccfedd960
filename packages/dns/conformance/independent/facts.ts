import { readdirSync, readFileSync } from "node:fs";
import { z } from "zod";

/**
 * What independent public clients send to a provider, one file per provider, named `<slug>.json` beside
 * this one. `independent.test.ts` records what our adapter sends and compares.
 *
 * To add a provider: read two or more clients that nobody here wrote, note each with repository, file and
 * commit, and describe every request that the adapter makes. Facts only; no text or code of theirs.
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
  required: z.array(z.string()),
  /** Fields that a client sends in some cases; any other is unknown to all of them. */
  optional: z.array(z.string()).default([]),
  fields: z.array(Field).default([]),
});

const Request = z.strictObject({
  what: z.string().min(1),
  sources: z.array(z.string()).min(1),
  method: z.enum(["GET", "POST", "PUT", "PATCH", "DELETE"]),
  /** Matches the whole path. */
  path: z.string(),
  query: z.array(z.string()).default([]),
  /** Fields at the top of the body that tell this call from others to the same path. */
  call: z.record(z.string(), z.string()).default({}),
  body: Body.nullable().default(null),
});

const Facts = z.strictObject({
  sources: z.array(Source).min(2),
  origin: z.url(),
  /** Sent with every request; values are expressions. */
  headers: z.record(z.string(), z.string()).default({}),
  requests: z.array(Request).min(1),
});
export type Facts = z.infer<typeof Facts>;
export type RequestFact = Facts["requests"][number];

export function readFacts(): ReadonlyMap<string, Facts> {
  const directory = new URL("./", import.meta.url);
  const files = readdirSync(directory).filter((name) => name.endsWith(".json"));
  return new Map(
    files.map((name) => {
      const text = readFileSync(new URL(name, directory), "utf8");
      return [name.slice(0, -".json".length), Facts.parse(JSON.parse(text))];
    }),
  );
}
