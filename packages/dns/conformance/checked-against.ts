import { existsSync, readdirSync, readFileSync } from "node:fs";
import { readFacts, readWireFacts } from "./independent/facts.ts";
import { type Recording, readRecordings } from "./recordings/recording.ts";

/** A file of another project at a commit. */
export interface Source {
  readonly project: string;
  readonly commit: string;
  readonly file: string;
}

/** What an adapter is checked against that nobody here wrote. */
export interface Checks {
  /** Exchanges with the real service. */
  readonly recordings: readonly Source[];
  /** Answers that other projects' tests use. */
  readonly fixtures: readonly Source[];
  /** Clients with whose requests ours are compared. */
  readonly clients: readonly Source[];
  /** The provider's own SDK works at our simulator, which checks its signature. */
  readonly officialSdk: boolean;
  /** The suite runs against the provider's own server. */
  readonly realServer: boolean;
}

/** The checks of each slug that was asked for. */
export function readChecks(slugs: readonly string[]): ReadonlyMap<string, Checks> {
  const recordings = readRecordings();
  const clients = new Map(
    [...readFacts(), ...readWireFacts()].map(([slug, { sources }]) => [slug, sources]),
  );
  const sdks = readSdkSlugs();
  return new Map(
    slugs.map((slug) => [
      slug,
      {
        recordings: sourcesIn(recordings.get(slug), "recorded"),
        fixtures: sourcesIn(recordings.get(slug), "fixture"),
        clients: onePerProject(
          (clients.get(slug) ?? []).map(({ repository, ...rest }) => ({
            project: repository,
            ...rest,
          })),
        ),
        officialSdk: sdks.has(slug),
        realServer: existsSync(
          new URL(`../src/providers/${slug}/provider.world.test.ts`, import.meta.url),
        ),
      },
    ]),
  );
}

function sourcesIn(
  recording: Recording | undefined,
  kind: Recording["sources"][number]["kind"],
): readonly Source[] {
  const found = (recording?.sources ?? []).filter((source) => source.kind === kind);
  return onePerProject(
    found.flatMap(({ id, project, commit }) => {
      const file = recording?.scenes.find(({ source }) => source === id)?.files[0];
      return file === undefined ? [] : [{ project, commit, file }];
    }),
  );
}

/** The first file of each project. */
function onePerProject(sources: readonly Source[]): readonly Source[] {
  return sources.filter(
    ({ project }, at) => sources.findIndex((one) => one.project === project) === at,
  );
}

/** The slugs for which a test in `official-sdk/` tries an SDK. */
function readSdkSlugs(): ReadonlySet<string> {
  const directory = new URL("./official-sdk/", import.meta.url);
  const tests = readdirSync(directory).filter((name) => name.endsWith(".test.ts"));
  const text = tests.map((name) => readFileSync(new URL(name, directory), "utf8")).join("\n");
  return new Set(
    [...text.matchAll(/(?:\bslug: |\btrySdk\()"(\w+)"/g)].map(([, slug = ""]) => slug),
  );
}
