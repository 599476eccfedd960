import { spawn } from "node:child_process";

/** Runs a command with its output on ours; resolves with the exit code. `signal` ends it. */
export function run(
  command: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
  signal?: AbortSignal,
): Promise<number> {
  return new Promise((resolve, reject) => {
    const options = { stdio: "inherit", env: { ...process.env, ...env }, signal } as const;
    const child = spawn(command, args, options);
    child.on("error", reject);
    child.on("exit", (code) => resolve(code ?? 1));
  });
}
