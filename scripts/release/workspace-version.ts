import { cpSync, globSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";

/** Files that name the version of the product, beside the manifests, and how they name it. */
const mentions: readonly { readonly file: string; readonly pattern: RegExp }[] = [
  {
    file: "deploy/helm/mooring/Chart.yaml",
    pattern: /(?<=^(?:version|appVersion): "?)[\d.]+(?:-rc\.\d+)?/gm,
  },
  {
    file: "deploy/helm/mooring/values.yaml",
    pattern: /(?<=^ {2}tag: ")[\d.]+(?:-rc\.\d+)?(?=")/gm,
  },
  ...["deploy/kubernetes/kustomization.yaml", "deploy/kubernetes/nats/kustomization.yaml"].map(
    (file) => ({ file, pattern: /(?<=^ +newTag: ")[\d.]+(?:-rc\.\d+)?(?=")/gm }),
  ),
  ...["deploy/compose.yaml", "deploy/compose.nats.yaml"].map((file) => ({
    file,
    pattern: /(?<=image: \$\{MOORING_IMAGE:-[^:}\s]+:)[\d.]+(?:-rc\.\d+)?(?=\})/g,
  })),
  ...["express", "hono", "nextjs", "saas"].map((name) => ({
    file: `examples/${name}/package.json`,
    pattern: /(?<="@mooring\/\w+": "\^)[\d.]+(?:-rc\.\d+)?(?=")/g,
  })),
  {
    file: "packages/edge/src/acme/transport.ts",
    pattern: /(?<="mooring-edge\/)[\d.]+(?:-rc\.\d+)?(?=")/g,
  },
];

const manifests = ["package.json", "package-lock.json", "packages/*/package.json"];

/** The files in which a release changes the version, from the directory. */
export function versionedFiles(directory: string): readonly string[] {
  return [...globSync(manifests, { cwd: directory }).sort(), ...mentions.map(({ file }) => file)];
}

/** Copies those files, so that a dry run changes nothing else. */
export function copyVersionedFiles(from: string, to: string): void {
  for (const file of versionedFiles(from)) cpSync(path.join(from, file), path.join(to, file));
}

/** Writes the version everywhere; throws when a file does not name exactly the current one. */
export function setVersion(directory: string, current: string, version: string): void {
  for (const file of globSync(manifests, { cwd: directory })) {
    rewrite(path.join(directory, file), (text) => withManifestVersion(text, current, version));
  }
  for (const { file, pattern } of mentions) {
    rewrite(path.join(directory, file), (text) =>
      text.replaceAll(pattern, (found) => {
        if (found !== current) throw new Error(`${file} has version ${found}, not ${current}.`);
        return version;
      }),
    );
  }
}

function rewrite(file: string, change: (text: string) => string): void {
  const before = readFileSync(file, "utf8");
  const after = change(before);
  if (after === before) throw new Error(`${file} does not name the version.`);
  writeFileSync(file, after);
}

interface Manifest {
  readonly name?: string;
  version?: string;
  dependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
  readonly packages?: Record<string, Manifest>;
}

/** The packages of the workspace depend on each other by the exact version. */
function withManifestVersion(text: string, current: string, version: string): string {
  const manifest = JSON.parse(text) as Manifest;
  const own = Object.entries(manifest.packages ?? {}).filter(([location]) => isWorkspace(location));
  for (const one of [manifest, ...own.map(([, entry]) => entry)]) {
    if (one.version === current) one.version = version;
    for (const list of [one.dependencies, one.devDependencies]) {
      for (const name of Object.keys(list ?? {})) {
        if (list && name.startsWith("@mooring/")) list[name] = version;
      }
    }
  }
  return `${JSON.stringify(manifest, null, 2)}\n`;
}

function isWorkspace(location: string): boolean {
  return location === "" || /^packages\/[^/]+$/.test(location);
}
