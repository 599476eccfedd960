import { createHash, randomBytes } from "node:crypto";
import { chmod, mkdir, realpath, rmdir, stat } from "node:fs/promises";
import { userInfo } from "node:os";
import { isAbsolute, join } from "node:path";
import { exists, hasCode, readIfPresent, writeOnce } from "./files.ts";
import { LocalPostgresError, run, type ServerUser } from "./programs.ts";

/** The directory of the database and the user that runs it. */
export type ServerLocation = {
  /**
   * Has the runtime, the data, the password and the log; only `data` and the log belong to the
   * user.
   */
  readonly directory: string;
  readonly user: ServerUser | null;
};

/** Used when the server's user cannot enter DATA_DIR; one directory inside it for each DATA_DIR. */
const outsideDirectory = "/var/lib/mooring";
const pointerFile = "postgres-location";

/** The file with the superuser's URL; it exists once a database has been started. */
export function urlFile(dataDir: string): string {
  return join(dataDir, "database-url");
}

/**
 * Finds the location of a data directory's database, the same at every start:
 * 1. the directory in its pointer file;
 * 2. `DATA_DIR/postgres`, when a database exists there or the server's user can enter it;
 * 3. as root, when the user cannot (a clone under a 0700 home): under /var/lib/mooring, recorded in
 *    the pointer file before anything is created there.
 * It never starts an empty database when an existing one has only become unreachable.
 */
export function openLocation(givenDataDir: string): Promise<ServerLocation> {
  return explainUnwritable(givenDataDir, () => decideLocation(givenDataDir));
}

/** Turns a refused write into a sentence that says whose the directory must be. */
export async function explainUnwritable<T>(
  givenDataDir: string,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    if (!(cause instanceof Error) || !hasCode(cause, "EACCES", "EPERM", "EROFS")) throw cause;
    throw new LocalPostgresError(
      `Mooring cannot store its database in ${givenDataDir}: ${cause.message}. The directory must belong to the user who starts Mooring; set DATA_DIR to one that does.`,
      { cause },
    );
  }
}

async function decideLocation(givenDataDir: string): Promise<ServerLocation> {
  await mkdir(givenDataDir, { recursive: true });
  const dataDir = await realpath(givenDataDir);
  const pointed = await readIfPresent(join(dataDir, pointerFile));
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
  return openOutside(dataDir, user);
}

async function openExisting(directory: string): Promise<ServerLocation> {
  requirePlainPath(directory);
  const user = await ownerOfCluster(join(directory, "data"));
  if (user !== null && !(await canEnter(user, directory))) {
    throw new LocalPostgresError(
      `The database in ${directory} belongs to ${user.name}, who can no longer reach it: a directory above it has become private. Allow others to enter it (chmod o+x), or move DATA_DIR.`,
    );
  }
  return { directory, user };
}

async function openPointed(dataDir: string, directory: string): Promise<ServerLocation> {
  if (!isAbsolute(directory)) {
    throw new LocalPostgresError(
      `${join(dataDir, pointerFile)} does not contain an absolute path.`,
    );
  }
  if (await exists(join(directory, "data"))) return openExisting(directory);
  if (await exists(urlFile(dataDir))) {
    throw new LocalPostgresError(
      `${join(dataDir, pointerFile)} says that the database is in ${directory}, where there is none. Restore it, or remove ${dataDir} to begin with an empty database.`,
    );
  }
  const user = await pickServerUser();
  return makeOutside(directory, user);
}

async function openOutside(dataDir: string, user: ServerUser): Promise<ServerLocation> {
  // With the random part a DATA_DIR that is removed and created again starts empty.
  const name = `${createHash("sha256").update(dataDir).digest("hex").slice(0, 16)}-${randomBytes(4).toString("hex")}`;
  const chosen = await writeOnce(join(dataDir, pointerFile), `${join(outsideDirectory, name)}\n`);
  return makeOutside(chosen.trim(), user);
}

async function makeOutside(directory: string, user: ServerUser | null): Promise<ServerLocation> {
  requirePlainPath(directory);
  if ((await mkdir(outsideDirectory, { recursive: true })) !== undefined)
    await chmod(outsideDirectory, 0o755);
  await mkdir(directory, { recursive: true });
  await chmod(directory, 0o755);
  if (user !== null && !(await canEnter(user, directory))) {
    throw new LocalPostgresError(
      `The user ${user.name}, who is to run PostgreSQL, can enter neither DATA_DIR nor ${directory}. Make one of them searchable for others, or set DATABASE_URL.`,
    );
  }
  return { directory, user };
}

/**
 * pg_ctl and initdb pass paths to a shell in double quotes; these characters would be interpreted.
 */
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

/**
 * The user of a new cluster. PostgreSQL refuses uid 0, so root gives it to `postgres` where that
 * account exists, else to `nobody`; any other user runs it directly (null).
 */
async function pickServerUser(): Promise<ServerUser | null> {
  if (process.getuid?.() !== 0) {
    requirePasswdEntry();
    return null;
  }
  const user = (await lookupUser("postgres")) ?? (await lookupUser("nobody"));
  if (user === null) {
    throw new LocalPostgresError(
      "PostgreSQL does not run as root, and this system has neither a postgres nor a nobody user to run it as. Start Mooring as an ordinary user, or set DATABASE_URL.",
    );
  }
  return user;
}

/** The user of an existing cluster: its owner, as PostgreSQL requires. */
async function ownerOfCluster(data: string): Promise<ServerUser | null> {
  const { uid, gid } = await stat(data);
  const self = process.getuid?.();
  if (self === undefined || uid === self) {
    if (self !== 0) return null;
    throw new LocalPostgresError(
      `${data} belongs to root, and PostgreSQL does not run as root. Give it to an ordinary user (chown -R postgres: ${data}) and start again.`,
    );
  }
  if (self === 0) return { name: `uid ${uid}`, uid, gid };
  throw new LocalPostgresError(
    `${data} belongs to uid ${uid}, and this process runs as uid ${self}. Start Mooring as that user, or set DATA_DIR to another directory.`,
  );
}

/** Whether the user can enter a directory. The kernel decides, so ACLs count as well. */
async function canEnter(user: ServerUser, directory: string): Promise<boolean> {
  const { code } = await run("/bin/sh", ["-c", 'cd -- "$1"', "sh", directory], { cwd: "/", user });
  return code === 0;
}

function requirePasswdEntry(): void {
  try {
    userInfo();
  } catch (cause) {
    throw new LocalPostgresError(
      `The user id ${process.getuid?.()} has no entry in /etc/passwd, without which PostgreSQL cannot create a database. Add one, or set DATABASE_URL.`,
      { cause },
    );
  }
}

async function lookupUser(name: string): Promise<ServerUser | null> {
  const [uid, gid] = await Promise.all([numericId("-u", name), numericId("-g", name)]);
  return uid === null || gid === null || uid === 0 ? null : { name, uid, gid };
}

async function numericId(flag: "-u" | "-g", name: string): Promise<number | null> {
  // Not /etc/passwd: accounts may come from a directory service.
  const { code, output } = await run("id", [flag, name], { cwd: "/", user: null });
  return code === 0 && /^\d+$/.test(output) ? Number(output) : null;
}
