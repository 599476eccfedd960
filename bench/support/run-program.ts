import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { promisify } from "node:util";

const execute = promisify(execFile);

/** The programs that measure or are compared with, and their Debian packages. */
const packages: Readonly<Record<string, string>> = {
  "/usr/bin/caddy": "caddy",
  "/usr/sbin/nginx": "nginx",
  "/usr/sbin/haproxy": "haproxy",
  "/usr/bin/h2load": "nghttp2-client",
  "/usr/bin/wrk": "wrk",
  "/usr/bin/dnsperf": "dnsperf",
  "/usr/bin/pgbench": "postgresql-client-common postgresql-15",
};

/** Fails with how to install what is missing, before anything is filled or started. */
export function requirePrograms(...files: readonly string[]): void {
  const missing = files.filter((file) => !existsSync(file));
  if (missing.length === 0) return;
  const names = missing.map((file) => packages[file] ?? file);
  throw new Error(`${missing.join(", ")} is needed: apt-get install -y ${names.join(" ")}`);
}

/**
 * Returns the output of the program, stderr included; a missing program fails with how to install
 * it. `under` is a command that starts it, such as taskset.
 */
export async function runProgram(
  file: string,
  args: readonly string[],
  under: readonly string[] = [],
): Promise<string> {
  requirePrograms(file);
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
