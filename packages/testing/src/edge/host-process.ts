import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { createInterface } from "node:readline";

const withOwn = new URL("./host-node-main.ts", import.meta.url).pathname;
const withDatabase = new URL("./known-hosts-main.ts", import.meta.url).pathname;

/**
 * Another process of a machine, with the hosts of its store; see `host-node-main.ts` and
 * `known-hosts-main.ts`.
 */
export interface HostProcess {
  readonly process: ChildProcess;
  /** The answer to a line of its input. */
  ask(line: string): Promise<string>;
}

/** With hosts of its own, or with those of a database. */
export async function startHostProcess(
  directory: string,
  databaseUrl?: string,
): Promise<HostProcess> {
  const main = databaseUrl === undefined ? withOwn : withDatabase;
  const started = spawn(process.execPath, [main, directory, databaseUrl ?? ""], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  const lines = createInterface({ input: started.stdout })[Symbol.asyncIterator]();
  assert.equal((await lines.next()).value, "open");
  return {
    process: started,
    async ask(line) {
      started.stdin.write(`${line}\n`);
      return String((await lines.next()).value);
    },
  };
}
