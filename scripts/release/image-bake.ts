import { imageWithDatabase, releaseNames } from "./names.ts";

/** What a release says about its images. */
export interface ImageFacts {
  readonly version: string;
  /** The commit. */
  readonly revision: string;
  /** The time of the commit, so that the same commit gives the same labels. */
  readonly created: string;
  /** The repository, as a page. */
  readonly source: string;
}

/** The annotations of the OCI image specification. */
export function imageLabels(facts: ImageFacts): Readonly<Record<string, string>> {
  const { version, revision, created, source } = facts;
  return {
    "org.opencontainers.image.title": "Mooring",
    "org.opencontainers.image.licenses": "Apache-2.0",
    "org.opencontainers.image.version": version,
    "org.opencontainers.image.revision": revision,
    "org.opencontainers.image.created": created,
    "org.opencontainers.image.source": source,
    "org.opencontainers.image.url": source,
  };
}

/** The images of a release, for `docker buildx bake --file …` at the root of the repository. */
export function imageBake(facts: ImageFacts): object {
  const shared = { context: ".", dockerfile: "deploy/Dockerfile", labels: imageLabels(facts) };
  return {
    group: { default: { targets: ["mooring", "mooring-one"] } },
    target: {
      mooring: { ...shared, tags: [`${releaseNames.image}:${facts.version}`] },
      "mooring-one": { ...shared, target: "one", tags: [`${imageWithDatabase}:${facts.version}`] },
    },
  };
}
