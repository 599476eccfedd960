import { createHash, randomBytes } from "node:crypto";
import { chmod, mkdir, realpath, rmdir } from "node:fs/promises";
import { isAbsolute, join } from "node:path";
import { exists, hasCode, readIfPresent } from "./absent.ts";
import type { ServerUser } from "./command.ts";
import { writeOnce } from "./first-writer.ts";
import { LocalPostgresError } from "./local-postgres-error.ts";
import { canEnter, ownerOfCluster, pickServerUser } from "./owner.ts";

/** Where the database lives and who runs it. */
export type Place = {
  /** Holds the runtime, the data, the password and the log; only `data` and the log are the user's. */
  readonly directory: string;
  readonly user: ServerUser | null;
};

/** Used when the server's user cannot reach DATA_DIR; one directory per DATA_DIR. */
const ELSEWHERE = "/var/lib/mooring";
const POINTER = "postgres-location";

/** The file that carries the superuser's URL; it exists once a database has been started. */
export function urlFile(dataDir: string): string {
  return join(dataDir, "database-url");
}

/**
 * Decides where the database of a data directory lives, always the same way for the same directory:
 * 1. where its pointer file says;
 * 2. in `DATA_DIR/postgres`, when a database is there already or its user can get there;
 * 3. as root, when the user cannot (a clone under a 0700 home): under /var/lib/mooring, recorded in
 *    the pointer file before anything is made there.
 * Never starts an empty database where an existing one has only become unreachable.
 */
export async function openPlace(givenDataDir: string): Promise<Place> {
  try {
    return await decidePlace(givenDataDir);
  } catch (cause) {
    if (!(cause instanceof Error) || !hasCode(cause, "EACCES", "EPERM", "EROFS")) throw cause;
    throw new LocalPostgresError(
      `Mooring cannot keep its database in ${givenDataDir}: ${cause.message}. The directory must belong to the user who starts Mooring; set DATA_DIR to one that does.`,
      { cause },
    );
  }
}

async function decidePlace(givenDataDir: string): Promise<Place> {
  await mkdir(givenDataDir, { recursive: true });
  const dataDir = await realpath(givenDataDir);
  const pointed = await readIfPresent(join(dataDir, POINTER));
  if (pointed !== null) return openPointed(dataDir, pointed.trim());
  const near = join(dataDir, "postgres");
  if (await exists(join(near, "data"))) return openExisting(near);

  const user = await pickServerUser();
  if (user === null) {
    requirePlainPath(near);
    await mkdir(near, { recursive: true, mode: 0o700 });
    return { directory: near, user };
  }
  await mkdir(near, { recursive: true });
  await chmod(near, 0o755);
  if (isPlainPath(near) && (await canEnter(user, near))) return { directory: near, user };
  await removeIfEmpty(near);
  return openElsewhere(dataDir, user);
}

async function openExisting(directory: string): Promise<Place> {
  requirePlainPath(directory);
  const user = await ownerOfCluster(join(directory, "data"));
  if (user !== null && !(await canEnter(user, directory))) {
    throw new LocalPostgresError(
      `The database in ${directory} belongs to ${user.name}, who can no longer reach it: a directory above it has become private. Allow others to pass (chmod o+x), or move DATA_DIR.`,
    );
  }
  return { directory, user };
}

async function openPointed(dataDir: string, directory: string): Promise<Place> {
  if (!isAbsolute(directory)) {
    throw new LocalPostgresError(`${join(dataDir, POINTER)} does not hold an absolute path.`);
  }
  if (await exists(join(directory, "data"))) return openExisting(directory);
  if (await exists(urlFile(dataDir))) {
    throw new LocalPostgresError(
      `${join(dataDir, POINTER)} says that the database is in ${directory}, where there is none. Restore it, or remove ${dataDir} to begin with an empty database.`,
    );
  }
  const user = await pickServerUser();
  return makeElsewhere(directory, user);
}

async function openElsewhere(dataDir: string, user: ServerUser): Promise<Place> {
  // The random part makes a removed and recreated DATA_DIR begin empty, like any other removed one.
  const name = `${createHash("sha256").update(dataDir).digest("hex").slice(0, 16)}-${randomBytes(4).toString("hex")}`;
  const chosen = await writeOnce(join(dataDir, POINTER), `${join(ELSEWHERE, name)}\n`);
  return makeElsewhere(chosen.trim(), user);
}

async function makeElsewhere(directory: string, user: ServerUser | null): Promise<Place> {
  requirePlainPath(directory);
  if ((await mkdir(ELSEWHERE, { recursive: true })) !== undefined) await chmod(ELSEWHERE, 0o755);
  await mkdir(directory, { recursive: true });
  await chmod(directory, 0o755);
  if (user !== null && !(await canEnter(user, directory))) {
    throw new LocalPostgresError(
      `The user ${user.name}, who is to run PostgreSQL, can enter neither DATA_DIR nor ${directory}. Make one of them searchable for others, or set DATABASE_URL.`,
    );
  }
  return { directory, user };
}

/** pg_ctl and initdb hand their paths to a shell in double quotes; these characters would end them. */
function isPlainPath(path: string): boolean {
  return process.platform === "win32" || !/["$`\\\n]/.test(path);
}

function requirePlainPath(path: string): void {
  if (isPlainPath(path)) return;
  throw new LocalPostgresError(
    `PostgreSQL's programs cannot work in ${JSON.stringify(path)}: the path must not contain a double quote, dollar sign, backtick, backslash or line break. Set DATA_DIR to another directory.`,
  );
}

async function removeIfEmpty(directory: string): Promise<void> {
  try {
    await rmdir(directory);
  } catch (error) {
    if (!hasCode(error, "ENOTEMPTY", "ENOENT")) throw error;
  }
}
