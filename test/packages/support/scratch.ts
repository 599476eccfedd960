import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import type { Tarball } from "../../../scripts/packages/pack.ts";

const exec = promisify(execFile);
const root = path.resolve(import.meta.dirname, "../../..");

/** A project outside the repository that uses the tarballs as a stranger's project does. */
export interface Scratch {
  readonly directory: string;
  write(files: Readonly<Record<string, string>>): Promise<void>;
  /** Runs a program in the project and returns its stdout; a failure shows what it printed. */
  run(command: string, args: readonly string[], env?: NodeJS.ProcessEnv): Promise<string>;
  remove(): Promise<void>;
}

export async function createScratch(name: string): Promise<Scratch> {
  const directory = await mkdtemp(path.join(tmpdir(), `mooring-${name}-`));
  return {
    directory,
    async write(files) {
      for (const [file, text] of Object.entries(files)) {
        const target = path.join(directory, file);
        await mkdir(path.dirname(target), { recursive: true });
        await writeFile(target, text);
      }
    },
    async run(command, args, env = {}) {
      try {
        const options = { cwd: directory, env: { ...process.env, ...env }, maxBuffer: 2 ** 26 };
        return (await exec(command, args, options)).stdout;
      } catch (error) {
        const { stdout = "", stderr = "" } = error as { stdout?: string; stderr?: string };
        throw new Error(`${command} ${args.join(" ")} failed:\n${stdout}\n${stderr}`, {
          cause: error,
        });
      }
    },
    remove: () => rm(directory, { recursive: true, force: true }),
  };
}

/** Installs the tarballs and nothing else, without a network. */
export async function installOffline(
  scratch: Scratch,
  tarballs: readonly Tarball[],
): Promise<void> {
  const manifest = { name: "scratch", private: true, type: "module" };
  await scratch.write({ "package.json": JSON.stringify(manifest) });
  const files = tarballs.map(({ file }) => file);
  await scratch.run("npm", ["install", "--offline", "--ignore-scripts", ...files]);
}

/** Lets the project use a package of the repository's own node_modules. */
export async function borrow(scratch: Scratch, name: string): Promise<void> {
  const link = path.join(scratch.directory, "node_modules", name);
  await mkdir(path.dirname(link), { recursive: true });
  await symlink(path.join(root, "node_modules", name), link);
}

/** The Node of the repository, and the system's where that is at least 20. */
export async function installedNodes(): Promise<readonly string[]> {
  const locations = [process.execPath, "/usr/local/bin/node", "/usr/bin/node"].filter(existsSync);
  const versions = await Promise.all(locations.map(readMajor));
  return locations.filter((_, index) => (versions[index] ?? 0) >= 20);
}

async function readMajor(node: string): Promise<number> {
  const { stdout } = await exec(node, ["--print", "process.versions.node"]);
  return Number.parseInt(stdout, 10);
}

export const repositoryTsc = path.join(root, "node_modules/.bin/tsc");
