import { spawn } from "node:child_process";
import { hasCode } from "./absent.ts";
import { LocalPostgresError } from "./local-postgres-error.ts";

/** The account a program runs under when this process is root; null means our own. */
export type ServerUser = { readonly name: string; readonly uid: number; readonly gid: number };

export type Finished = { readonly code: number | null; readonly output: string };

/**
 * English messages, because we read them, and nothing of our own environment: PGDATA, PGPORT or
 * LD_LIBRARY_PATH set for another server must not reach this one.
 */
const ENVIRONMENT = { PATH: "/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin", LC_ALL: "C" };

/** Runs a program to its end. A non-zero exit is an answer; only a program that cannot run throws. */
export function run(
  program: string,
  args: readonly string[],
  options: { readonly cwd: string; readonly user: ServerUser | null },
): Promise<Finished> {
  const { promise, resolve, reject } = Promise.withResolvers<Finished>();
  const identity = options.user === null ? {} : { uid: options.user.uid, gid: options.user.gid };
  const child = spawn(program, args, {
    cwd: options.cwd,
    env: ENVIRONMENT,
    stdio: ["ignore", "pipe", "pipe"],
    ...identity,
  });
  let output = "";
  const collect = (chunk: Buffer): void => {
    output += chunk.toString("utf8");
  };
  child.stdout.on("data", collect);
  child.stderr.on("data", collect);
  child.once("error", (cause) => {
    const hint = hasCode(cause, "EACCES") ? " Is its directory mounted noexec?" : "";
    reject(new LocalPostgresError(`Cannot run ${program}: ${cause.message}.${hint}`, { cause }));
  });
  child.once("close", (code) => resolve({ code, output: output.trim() }));
  return promise;
}
