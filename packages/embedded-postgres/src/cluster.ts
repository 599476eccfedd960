import { randomBytes } from "node:crypto";
import { chown, mkdir, open, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { draftPath, exists, hasCode, readIfPresent, writeOnce } from "./files.ts";
import type { ServerLocation } from "./location.ts";
import type { NativePackage } from "./programs.ts";
import { LocalPostgresError, run, type ServerUser } from "./programs.ts";

export type Cluster = { readonly data: string; readonly password: string };

/**
 * The data directory, created when it does not exist, and its superuser's password. Several
 * processes may create it at once: each makes a draft, and the first rename wins.
 */
export async function ensureCluster(
  location: ServerLocation,
  runtime: string,
  native: NativePackage,
): Promise<Cluster> {
  const data = join(location.directory, "data");
  const passwordFile = join(location.directory, "password");
  if (await exists(data)) {
    await requireMajor(data, native.major);
    return { data, password: await readPassword(passwordFile) };
  }
  const generated = randomBytes(24).toString("base64url");
  const password = (await writeOnce(passwordFile, `${generated}\n`)).trim();
  const draft = draftPath(data);
  try {
    await initialise(draft, password, runtime, location);
    await moveIntoPlace(draft, data);
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
  return { data, password };
}

async function readPassword(file: string): Promise<string> {
  const password = (await readIfPresent(file))?.trim() ?? null;
  if (password !== null && isPassword(password)) return password;
  const state = password === null ? "is missing" : "is damaged";
  throw new LocalPostgresError(
    `${file} ${state}, and the database beside it cannot be opened without it. It is the password in the file database-url: restore it from there or from a backup.`,
  );
}

/** As generated below: 24 random bytes in base64url. */
function isPassword(text: string): boolean {
  return /^[\w-]{32}$/.test(text);
}

async function requireMajor(data: string, major: number): Promise<void> {
  const found = (await readIfPresent(join(data, "PG_VERSION")))?.trim();
  if (found === String(major)) return;
  if (found === undefined) {
    throw new LocalPostgresError(
      `${data} exists but is not a PostgreSQL data directory. Move it away to begin with an empty database.`,
    );
  }
  throw new LocalPostgresError(
    `${data} was made by PostgreSQL ${found}, and this release of Mooring ships PostgreSQL ${major}, which cannot open it. To keep the data: serve the directory with PostgreSQL ${found} and set DATABASE_URL to that server (or pg_dump from it and restore into a new one). To begin with an empty database: move the directory away.`,
  );
}

async function initialise(
  draft: string,
  password: string,
  runtime: string,
  location: ServerLocation,
): Promise<void> {
  await mkdir(draft, { mode: 0o700 });
  const passwordFile = draftPath(join(location.directory, "initdb-password"));
  try {
    await writeFile(passwordFile, `${password}\n`, { mode: 0o600, flag: "wx" });
    await giveTo(location.user, draft);
    await giveTo(location.user, passwordFile);
    const { code, output } = await run(
      join(runtime, "bin", "initdb"),
      [
        `--pgdata=${draft}`,
        "--username=postgres",
        "--auth=scram-sha-256",
        `--pwfile=${passwordFile}`,
        "--encoding=UTF8",
        "--locale=C",
        "--data-checksums",
        "--no-instructions",
      ],
      { cwd: location.directory, user: location.user },
    );
    if (code !== 0) {
      throw new LocalPostgresError(`PostgreSQL could not create its data directory:\n${output}`);
    }
  } finally {
    await rm(passwordFile, { force: true });
  }
}

async function moveIntoPlace(draft: string, data: string): Promise<void> {
  try {
    await rename(draft, data);
  } catch (error) {
    if (!hasCode(error, "ENOTEMPTY", "EEXIST", "EPERM") || !(await exists(data))) throw error;
    return;
  }
  // initdb has flushed the files; the rename must survive a power cut as well.
  if (process.platform === "win32") return;
  const parent = await open(join(data, ".."), "r");
  try {
    await parent.sync();
  } finally {
    await parent.close();
  }
}

/** Gives a file to the server's user; does nothing when the server runs as ourselves. */
export async function giveTo(user: ServerUser | null, path: string): Promise<void> {
  if (user !== null) await chown(path, user.uid, user.gid);
}
