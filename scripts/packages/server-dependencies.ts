import { readFileSync } from "node:fs";
import path from "node:path";
import { root } from "./published-package.ts";

type Versions = Readonly<Record<string, string>>;

interface Needs {
  readonly dependencies: Versions;
  readonly optionalDependencies: Versions;
}

interface Manifest extends Partial<Needs> {
  readonly name: string;
}

/**
 * The packages of others that ours need, with their exact versions; and, where npm has them for the
 * platform, the programs of PostgreSQL, and the Node that the workspace is tested with.
 */
export function serverDependencies(packages: readonly string[]): Needs {
  const manifests = packages.map((directory) => readManifest(path.join(directory, "package.json")));
  const own = new Set(manifests.map(({ name }) => name));
  const merge = (lists: readonly (Versions | undefined)[]): Versions => {
    const merged: Record<string, string> = {};
    for (const [name, version] of lists.flatMap((list) => Object.entries(list ?? {}))) {
      if (own.has(name)) continue;
      if ((merged[name] ?? version) !== version) throw new Error(`two versions of ${name}`);
      merged[name] = version;
    }
    return Object.fromEntries(Object.entries(merged).sort(([a], [b]) => (a < b ? -1 : 1)));
  };
  const withRoot = [...manifests, readManifest("package.json")];
  return {
    dependencies: merge(manifests.map(({ dependencies }) => dependencies)),
    optionalDependencies: merge(withRoot.map(({ optionalDependencies }) => optionalDependencies)),
  };
}

function readManifest(file: string): Manifest {
  return JSON.parse(readFileSync(path.join(root, file), "utf8")) as Manifest;
}

interface Locked extends Partial<Needs> {
  readonly version?: string;
  readonly dev?: boolean;
  readonly devOptional?: boolean;
  readonly peer?: boolean;
  readonly link?: boolean;
}

type Lock = Readonly<Record<string, Locked>>;

/**
 * The part of the workspace's lockfile that these needs reach, as the lockfile of the package: npm
 * installs exactly what was tested, with its hashes.
 */
export function shrinkwrap(one: Needs & { readonly name: string; readonly version: string }) {
  const { packages: lock } = JSON.parse(
    readFileSync(path.join(root, "package-lock.json"), "utf8"),
  ) as { readonly packages: Lock };
  const { name, version, dependencies, optionalDependencies } = one;
  const reached = new Map<string, Locked>();
  for (const needed of Object.entries({ ...dependencies, ...optionalDependencies })) {
    reach(lock, reached, ownLocation(lock, ...needed));
  }
  const sorted = [...reached].sort(([a], [b]) => (a < b ? -1 : 1));
  const entry = { name, version, dependencies, optionalDependencies };
  return {
    name,
    version,
    lockfileVersion: 3,
    requires: true,
    packages: { "": entry, ...Object.fromEntries(sorted) },
  };
}

/** A tool of the workspace may have another version at the top. */
function ownLocation(lock: Lock, name: string, version: string): string {
  const found = Object.keys(lock).find(
    (location) =>
      lock[location]?.version === version &&
      (location === `node_modules/${name}` ||
        location.endsWith(`packages/cli/node_modules/${name}`)),
  );
  if (found === undefined) throw new Error(`${name}@${version} is not in the lockfile`);
  return found;
}

/** Walks as Node resolves; what is nested below a package of ours comes to the top. */
function reach(lock: Lock, reached: Map<string, Locked>, location: string): void {
  const entry = lock[location];
  if (entry === undefined) throw new Error(`${location} is not in the lockfile`);
  const target = location.replace(/^packages\/[^/]+\//, "");
  const known = reached.get(target);
  if (known !== undefined) {
    if (known.version !== entry.version) throw new Error(`two versions at ${target}`);
    return;
  }
  const { dev: _, devOptional: __, peer: ___, ...rest } = entry;
  reached.set(target, rest);
  for (const name of Object.keys({ ...entry.dependencies, ...entry.optionalDependencies })) {
    const found = resolveFrom(lock, location, name);
    if (found !== null) reach(lock, reached, found);
    else if (entry.dependencies?.[name] !== undefined) throw new Error(`${location} lacks ${name}`);
  }
}

function resolveFrom(lock: Lock, location: string, name: string): string | null {
  for (let folder = location; ; folder = folder.slice(0, folder.lastIndexOf("/node_modules/"))) {
    const candidate = `${folder}/node_modules/${name}`;
    if (lock[candidate] !== undefined) return candidate;
    if (!folder.includes("/node_modules/")) break;
  }
  const top = `node_modules/${name}`;
  return lock[top] === undefined ? null : top;
}
