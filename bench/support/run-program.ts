import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { promisify } from "node:util";

const execute = promisify(execFile);

/** The measuring programs and their Debian packages. */
const packages: Readonly<Record<string, string>> = {
  "/usr/bin/h2load": "nghttp2-client",
  "/usr/bin/wrk": "wrk",
  "/usr/bin/dnsperf": "dnsperf",
  "/usr/bin/pgbench": "postgresql-client-common postgresql-15",
};

/**
 * Returns the output of the program, stderr included; a missing program fails with how to install it.
 * `under` is a command that starts it, such as taskset.
 */
export async function runProgram(
  file: string,
  args: readonly string[],
  under: readonly string[] = [],
): Promise<string> {
  if (!existsSync(file)) {
    throw new Error(`${file} is needed: apt-get install -y ${packages[file] ?? "its package"}`);
  }
  const [first = file, ...rest] = [...under, file, ...args];
  const { stdout, stderr } = await execute(first, rest, { maxBuffer: 16 * 1024 * 1024 });
  return stdout + stderr;
}

/** The number in the pattern's group. */
export function numberIn(text: string, pattern: RegExp): number {
  const found = pattern.exec(text)?.[1];
  if (found === undefined) throw new Error(`no ${pattern} in:\n${text}`);
  return Number(found);
}
