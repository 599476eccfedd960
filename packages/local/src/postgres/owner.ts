import { stat } from "node:fs/promises";
import { userInfo } from "node:os";
import { run, type ServerUser } from "./command.ts";
import { LocalPostgresError } from "./local-postgres-error.ts";

/**
 * Who runs a new cluster. PostgreSQL refuses uid 0, so root hands it to `postgres` where that
 * account exists, else to `nobody`; everyone else runs it as themselves (null).
 */
export async function pickServerUser(): Promise<ServerUser | null> {
  if (process.getuid?.() !== 0) {
    requirePasswdEntry();
    return null;
  }
  const user = (await lookUp("postgres")) ?? (await lookUp("nobody"));
  if (user === null) {
    throw new LocalPostgresError(
      "PostgreSQL does not run as root, and this system has neither a postgres nor a nobody user to run it as. Start Mooring as an ordinary user, or set DATABASE_URL.",
    );
  }
  return user;
}

/** Who runs an existing cluster: its owner, because PostgreSQL insists on that. */
export async function ownerOfCluster(data: string): Promise<ServerUser | null> {
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

/** Whether the user can enter a directory: asked of the kernel, so that ACLs count as well. */
export async function canEnter(user: ServerUser, directory: string): Promise<boolean> {
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

async function lookUp(name: string): Promise<ServerUser | null> {
  const [uid, gid] = await Promise.all([numericId("-u", name), numericId("-g", name)]);
  return uid === null || gid === null || uid === 0 ? null : { name, uid, gid };
}

async function numericId(flag: "-u" | "-g", name: string): Promise<number | null> {
  // `id` rather than /etc/passwd: accounts may come from a directory service.
  const { code, output } = await run("id", [flag, name], { cwd: "/", user: null });
  return code === 0 && /^\d+$/.test(output) ? Number(output) : null;
}
