import { spawn } from "node:child_process";
import { once } from "node:events";

export interface ShellResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs lines as a person pastes them, in one shell that knows nothing of the test's environment. */
export async function runShell(
  script: string,
  options: { readonly cwd?: string; readonly env?: Readonly<Record<string, string>> } = {},
): Promise<ShellResult> {
  const child = spawn("bash", ["--noprofile", "--norc", "-s"], {
    cwd: options.cwd,
    env: { PATH: process.env["PATH"], HOME: process.env["HOME"], ...options.env },
    stdio: ["pipe", "pipe", "pipe"],
  });
  const said = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"] as const) {
    child[name].setEncoding("utf8").on("data", (text: string) => {
      said[name] += text;
    });
  }
  child.stdin.end(script);
  const [code] = await once(child, "close");
  return { code, ...said };
}
