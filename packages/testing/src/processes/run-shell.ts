import { spawn } from "node:child_process";
import { once } from "node:events";

export interface ShellResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs lines in one shell, as if pasted, without the environment of the test. */
export async function runShell(
  script: string,
  options: { readonly cwd?: string; readonly env?: Readonly<Record<string, string>> } = {},
): Promise<ShellResult> {
  const child = spawn("bash", ["--noprofile", "--norc", "-s"], {
    cwd: options.cwd,
    env: { PATH: process.env["PATH"], HOME: process.env["HOME"], ...options.env },
    stdio: ["pipe", "pipe", "pipe"],
  });
  const output = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"] as const) {
    child[name].setEncoding("utf8").on("data", (text: string) => {
      output[name] += text;
    });
  }
  child.stdin.end(script);
  const [code] = await once(child, "close");
  return { code, ...output };
}
