import { readFileSync, writeFileSync } from "node:fs";

/**
 * The lockfile must contain the packages of every platform, or `npm ci` refuses it. An install from
 * a registry that mirrors only some platforms omits the others. Reports missing packages, or adds
 * them with `--write`: the version from the parent's exact range, the platform from the name. The
 * lockfile must not contain a registry host either, and every package must have the hash of its
 * contents. Exempt are tools for other platforms that a mirror may not have: they are never part of
 * a release.
 *
 * It has no `engines`: packages run on the Node that is installed with them, but npm would compare
 * with the Node that runs npm, and warn. `--write` removes them.
 */
interface Entry {
  readonly version?: string;
  readonly resolved?: string;
  readonly integrity?: string;
  readonly link?: boolean;
  readonly optional?: boolean;
  readonly dev?: boolean;
  readonly license?: string;
  readonly engines?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

const file = "package-lock.json";
const lock = JSON.parse(readFileSync(file, "utf8")) as { packages: Record<string, Entry> };

const systems = ["android", "darwin", "linux", "win32", "freebsd", "openharmony"];
const processors = ["arm64", "x64", "ia32", "ppc64", "s390x", "riscv64", "arm"];

function platformEntry(name: string, version: string, parent: Entry): Entry {
  const has = (word: string): boolean => name.includes(word);
  const os = has("windows") ? "win32" : systems.find(has);
  const cpu = processors.find(has);
  const libc = has("musl") ? "musl" : has("gnu") ? "glibc" : undefined;
  return {
    version,
    ...(cpu ? { cpu: [cpu] } : {}),
    ...(parent.dev ? { dev: true } : {}),
    ...(libc ? { libc: [libc] } : {}),
    ...(parent.license ? { license: parent.license } : {}),
    optional: true,
    ...(os ? { os: [os] } : {}),
  } as Entry;
}

const missing = Object.entries(lock.packages).flatMap(([location, parent]) =>
  Object.entries(parent.optionalDependencies ?? {})
    .filter(
      ([name]) =>
        !lock.packages[`node_modules/${name}`] &&
        !lock.packages[`${location}/node_modules/${name}`],
    )
    .map(([name, version]) => ({ name, entry: platformEntry(name, version, parent) })),
);
const hosted = Object.entries(lock.packages).filter(([, entry]) => entry.resolved?.includes("://"));
const unhashed = Object.entries(lock.packages).filter(
  ([location, entry]) =>
    location.includes("node_modules/") &&
    !entry.link &&
    !entry.integrity &&
    !(entry.dev && entry.optional),
);

const withEngines = Object.values(lock.packages).filter(({ engines }) => engines !== undefined);

if (process.argv.includes("--write") && missing.length + withEngines.length > 0) {
  for (const { name, entry } of missing) lock.packages[`node_modules/${name}`] = entry;
  const sorted = Object.entries(lock.packages)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([location, { engines: _, ...entry }]) => [location, entry]);
  const text = JSON.stringify({ ...lock, packages: Object.fromEntries(sorted) }, null, 2);
  writeFileSync(file, `${text}\n`);
  console.log(`added ${missing.length} packages of other platforms to ${file}`);
} else if (missing.length > 0) {
  const names = missing.map(({ name }) => name).join(", ");
  console.error(`${file} lacks ${names}: run \`node scripts/check/lockfile.ts --write\``);
  process.exitCode = 1;
} else if (withEngines.length > 0) {
  console.error(`${file} has engines: run \`node scripts/check/lockfile.ts --write\``);
  process.exitCode = 1;
}
if (hosted.length > 0) {
  console.error(
    `${file} contains a registry host: ${hosted.map(([location]) => location).join(", ")}`,
  );
  process.exitCode = 1;
}
if (unhashed.length > 0) {
  console.error(
    `${file} has no integrity for ${unhashed.map(([location]) => location).join(", ")}`,
  );
  process.exitCode = 1;
}
