import { accessSync, constants, existsSync, statSync } from "node:fs";
import { statfs } from "node:fs/promises";
import path from "node:path";
import type { Config } from "@mooring/control";
import { isNewEnough, oldestNode } from "../../../oldest-node.ts";
import { listenAddress, portProblem, type RequestedPort } from "../../../ports.ts";
import { requestedPorts } from "../../serve/processes.ts";
import { type Finding, fail, ok, warn } from "./finding.ts";

export function checkNode(version: string): Finding {
  if (isNewEnough(version)) return ok("node", `Node ${version}`);
  return fail(
    "node",
    `Node ${version} is too old: ${oldestNode} is needed`,
    "run through npm (`npx @mooring/server …`), which uses the Node that is installed with it",
  );
}

/** Files that give access to everything. */
const secretFiles = ["secret-key", "database-url"];

export function checkDataDirectory(directory: string): Finding {
  const existing = nearest(directory);
  if (!statSync(existing).isDirectory()) {
    return fail("data_dir", `${existing} is not a directory`, "set DATA_DIR to one");
  }
  if (!canWrite(existing)) {
    return fail(
      "data_dir",
      `this user may not write to ${existing}`,
      "give the directory to the user who runs Mooring, or set DATA_DIR to another one",
    );
  }
  const open = secretFiles
    .map((name) => path.join(directory, name))
    .filter((file) => existsSync(file) && isOpenToOthers(file));
  if (open.length > 0) {
    return fail(
      "data_dir",
      `other users of this machine may read ${open.join(" and ")}`,
      `chmod 600 ${open.join(" ")}`,
    );
  }
  const state = existing === directory ? "writable" : "will be made at the first start";
  return ok("data_dir", `${directory} (${state})`);
}

/** The directory, or its nearest existing parent, in which it would be made. */
function nearest(directory: string): string {
  return existsSync(directory) ? directory : nearest(path.dirname(directory));
}

function canWrite(directory: string): boolean {
  try {
    accessSync(directory, constants.W_OK | constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function isOpenToOthers(file: string): boolean {
  return process.platform !== "win32" && (statSync(file).mode & 0o077) !== 0;
}

const mebibyte = 1_048_576;
const leastBytes = 100 * mebibyte;
const tightBytes = 1_024 * mebibyte;

/** Free space in DATA_DIR, for the disk cache of an edge and the embedded database. */
export async function checkDisk(directory: string): Promise<Finding> {
  const { bavail, bsize, files, ffree } = await statfs(nearest(directory));
  return judgeDisk(directory, bavail * bsize, files === 0 ? null : ffree);
}

/** `freeFiles` is null on file systems without a limit of files. */
export function judgeDisk(directory: string, freeBytes: number, freeFiles: number | null): Finding {
  const check = "disk";
  const free = `${Math.floor(freeBytes / mebibyte)} MiB free at ${directory}`;
  const fix = "free space on this file system, or set DATA_DIR to another one";
  if (freeBytes < leastBytes) return fail(check, `only ${free}`, fix);
  if (freeFiles !== null && freeFiles < 1_000) {
    return fail(
      check,
      `the file system of ${directory} has space for ${freeFiles} more files`,
      fix,
    );
  }
  return freeBytes < tightBytes ? warn(check, `only ${free}`, fix) : ok(check, free);
}

/** One after the other: two variables may name the same port. */
export async function checkPorts(config: Config): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const requested of requestedPorts(config)) findings.push(await checkPort(requested));
  return findings;
}

async function checkPort(requested: RequestedPort): Promise<Finding> {
  const name = requested.variable.toLowerCase();
  const { port } = requested;
  const problem = await portProblem({ ...requested, host: await listenAddress(requested.host) });
  if (problem === null) return ok(name, `${port} is free`);
  const { holder } = problem;
  const isOurs = /\bserve (api|worker|issuer|edge|dns|all)\b|accelerator\/haproxy\.cfg\b/;
  if (holder && isOurs.test(holder.command)) {
    return ok(name, `${port} is served by Mooring (process ${holder.pid})`);
  }
  if (holder?.pid === 1) {
    return warn(
      name,
      `${port} is open by a socket unit of the service manager`,
      "see in `systemctl list-sockets` that it is Mooring's",
    );
  }
  return fail(name, problem.message, problem.fix);
}
