import { readdirSync, readFileSync } from "node:fs";
import { z } from "zod";

/**
 * What real providers answered to other projects' clients, one file per provider, named
 * `<slug>.json` beside this one. `recordings.test.ts` gives our adapter the answers and compares
 * its requests with the recorded ones. Exchanges are facts: only those that are needed are copied,
 * with the rows of a list that differ from each other (and the count that it then has), secrets and
 * persons masked as `***`, and where they are from.
 */
const Source = z.strictObject({
  id: z.string().min(1),
  project: z.string().regex(/^[\w.-]+\/[\w.-]+$/),
  commit: z.string().regex(/^[0-9a-f]{40}$/),
  licence: z.enum(["MIT", "Apache-2.0", "BSD-3-Clause", "MPL-2.0", "CC0-1.0"]),
  /**
   * `recorded`: exchanges with the real service. `fixture`: answers that the project's authors
   * copied or wrote for their own tests.
   */
  kind: z.enum(["recorded", "fixture"]),
});

const Exchange = z.strictObject({
  method: z.enum(["GET", "POST", "PUT", "PATCH", "DELETE"]),
  path: z.string().startsWith("/"),
  query: z.record(z.string(), z.string()).default({}),
  /** Headers that name what is asked for, at interfaces with one address. */
  requestHeaders: z.record(z.string(), z.string()).default({}),
  /** Parsed, where it is JSON or a form. */
  body: z.unknown().optional(),
  /** As it is, where it is XML. */
  bodyText: z.string().optional(),
  status: z.number().int().default(200),
  headers: z.record(z.string(), z.string()).default({}),
  answer: z.unknown().optional(),
  answerText: z.string().optional(),
});
export type Exchange = z.infer<typeof Exchange>;

const Unrecorded = Exchange.extend({ why: z.string().min(1) });

const reason = {
  why: z.string().min(1),
  /** Of requests that begin with this only: "PATCH", "GET /dns/records.json". */
  only: z.string().optional(),
};

/** In what our requests differ from the recorded ones, and why that is right. */
const Rule = z.union([
  /** Parameters that one of the two sends, or sends with another value. */
  z.strictObject({ ignoreQuery: z.array(z.string()).min(1), ...reason }),
  /** What a parameter is where one of the two leaves it out. */
  z.strictObject({ defaultQuery: z.record(z.string(), z.string()), ...reason }),
  /** Fields of bodies, by their path: "ttl", "rrsets.*.ttl". */
  z.strictObject({ ignoreBody: z.array(z.string()).min(1), ...reason }),
  /** What a field of bodies is where one of the two leaves it out. */
  z.strictObject({ defaultBody: z.record(z.string(), z.unknown()), ...reason }),
  /** The same resources below another path. */
  z.strictObject({ recordedBelow: z.string(), ours: z.string(), ...reason }),
]);
export type Rule = z.infer<typeof Rule>;

/** "www 300 A 192.0.2.1", the name relative to the zone, the value as in a zone file. */
const RecordLine = z.string().regex(/^\S+ \d+ [A-Z]+ .+$/s);

const Change = z.union([
  z.strictObject({ create: RecordLine }),
  z.strictObject({ update: RecordLine, existing: RecordLine }),
  z.strictObject({ delete: RecordLine }),
]);

const Scene = z.strictObject({
  what: z.string().min(1),
  source: z.string(),
  files: z.array(z.string().min(1)).min(1),
  /** The zone's name; it is found by the adapter unless `zoneId` is there. */
  zone: z.string(),
  /** The adapter's key of the zone, where the recording has no list of zones. */
  zoneId: z.string().optional(),
  nameservers: z.array(z.string()).optional(),
  exchanges: z.array(Exchange).min(1),
  /** Answers that this scene needs and the source does not have. */
  unrecorded: z.array(Unrecorded).default([]),
  /** What the zone holds by the recorded answers: all of it. */
  records: z.array(RecordLine).optional(),
  /** "www URL": what is there and is left alone. */
  opaque: z.array(z.string()).default([]),
  /** Applied to the zone; each recorded write must be what the adapter sends. */
  changes: z.array(Change).default([]),
});
export type Scene = z.infer<typeof Scene>;

const Recording = z.strictObject({
  sources: z.array(Source).min(1),
  /** Where the recorded clients use another interface than our adapter, so that it is left out. */
  differs: z.array(z.string()).default([]),
  /** Fields whose form matters; the other required ones get a text. */
  credentials: z.record(z.string(), z.string()).default({}),
  /** Answers that no recording has, such as a sign-in that its project masked. */
  unrecorded: z.array(Unrecorded).default([]),
  rules: z.array(Rule).default([]),
  /** Where our simulator may answer another value than the recorded one, and why. */
  simulator: z.array(z.strictObject({ at: z.string(), why: z.string().min(1) })).default([]),
  scenes: z.array(Scene).min(1),
});
export type Recording = z.infer<typeof Recording>;

/** The recordings by slug. */
export function readRecordings(): ReadonlyMap<string, Recording> {
  const directory = new URL("./", import.meta.url);
  const files = readdirSync(directory).filter((name) => name.endsWith(".json"));
  return new Map(
    files.map((name) => {
      const text = readFileSync(new URL(name, directory), "utf8");
      return [name.slice(0, -".json".length), Recording.parse(JSON.parse(text))];
    }),
  );
}
