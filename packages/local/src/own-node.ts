import { spawn } from "node:child_process";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { oldestNode } from "@mooring/cli/oldest-node";

/**
 * Runs Node with these arguments on the release that npm has installed beside the package, passes
 * signals on, and returns the exit code. Works on every Node since 20. The channel to the child
 * closes when this process is killed, and then the child ends as well.
 */
export async function runOnOwnNode(args: readonly string[]): Promise<number> {
  const node = locateNode();
  if (node === null) {
    console.error(
      `This is Node ${process.versions.node}; Mooring needs ${oldestNode} or later, and npm has installed none for ${process.platform}-${process.arch} (or optional packages are omitted). Install a newer Node: https://nodejs.org.`,
    );
    return 1;
  }
  const child = spawn(node, [...args], { stdio: ["inherit", "inherit", "inherit", "ipc"] });
  const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
  const pass = (signal: NodeJS.Signals): void => void child.kill(signal);
  for (const name of signals) process.on(name, pass);
  return new Promise<number>((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", (code) => resolve(code ?? 1));
  }).finally(() => {
    for (const name of signals) process.off(name, pass);
  });
}

/** The packages of Node are optional dependencies, one for each platform. */
function locateNode(): string | null {
  const system = process.platform === "win32" ? "win" : process.platform;
  const name = `node-${system}-${process.arch}`;
  try {
    const manifest = createRequire(import.meta.url).resolve(`${name}/package.json`);
    return join(dirname(manifest), "bin", system === "win" ? "node.exe" : "node");
  } catch {
    return null;
  }
}
