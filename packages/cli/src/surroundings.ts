import { AsyncLocalStorage } from "node:async_hooks";

/** Where a command runs: its environment and where its output goes. */
export interface Surroundings {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly stdout: TextSink;
  readonly stderr: TextSink;
}

/** As a stream of the process, of which a terminal knows more. */
export interface TextSink {
  write(text: string): unknown;
  readonly isTTY?: boolean;
  readonly columns?: number;
}

const given = new AsyncLocalStorage<Surroundings>();

/** Those that the command was called with; by default the process. */
export function surroundings(): Surroundings {
  return given.getStore() ?? process;
}

/** Runs a command of this process as if it had one of its own. */
export function runIn<T>(own: Surroundings, work: () => Promise<T>): Promise<T> {
  return given.run(own, work);
}
