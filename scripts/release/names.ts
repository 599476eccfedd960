/**
 * The names under which a release is published, here and nowhere else. Who publishes under others
 * changes this file and runs `npm run generate`: manifests for deployment and documents follow, and
 * `npm run check` fails where another name is left (scripts/check/names.ts).
 */
export const releaseNames = {
  npm: {
    sdk: "@mooring/sdk",
    widget: "@mooring/widget",
    cli: "@mooring/cli",
    server: "@mooring/server",
  },
  /** Ours as well, and empty: who types `npx mooring` must not run somebody else's code. */
  npmReserved: "mooring",
  /** Every process, and with `-one` also PostgreSQL's programs. */
  image: "ghcr.io/mooring/mooring",
  helmRepository: "oci://ghcr.io/mooring/charts",
} as const;

export const imageWithDatabase = `${releaseNames.image}-one`;

interface NamedIn {
  readonly file: string;
  /** What it calls them, before and after the name. */
  readonly pattern: RegExp;
  readonly name: string;
}

/** The files that must spell a name, because other programs and people read them. */
const named: readonly NamedIn[] = [
  ...["deploy/compose.yaml", "deploy/compose.nats.yaml"].map((file) => ({
    file,
    pattern: /(?<=image: \$\{MOORING_IMAGE:-)[^:}\s]+/g,
    name: releaseNames.image,
  })),
  ...["deploy/kubernetes/kustomization.yaml", "deploy/kubernetes/nats/kustomization.yaml"].map(
    (file) => ({ file, pattern: /(?<=newName: )\S+/g, name: releaseNames.image }),
  ),
  {
    file: "deploy/helm/mooring/values.yaml",
    pattern: /(?<=^ {2}repository: )\S+/gm,
    name: releaseNames.image,
  },
  {
    file: "docs/self-hosting.md",
    pattern: /oci:\/\/\S+?(?=\/mooring\s)/g,
    name: releaseNames.helmRepository,
  },
];

export const filesWithNames: readonly string[] = named.map(({ file }) => file);

/** The text of such a file with the names of this one. */
export function withReleaseNames(file: string, text: string): string {
  let changed = text;
  for (const one of named.filter((entry) => entry.file === file)) {
    if (!changed.match(one.pattern)) throw new Error(`${file} does not name ${one.name}`);
    changed = changed.replaceAll(one.pattern, one.name);
  }
  return changed;
}
