import { AsyncLocalStorage } from "node:async_hooks";

/** Where a command runs: its environment, its input and where its output goes. */
export interface Surroundings {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly stdin: NodeJS.ReadableStream & { readonly isTTY?: boolean };
  readonly stdout: TextSink;
  /** A whole stream: questions to a person are asked on it. */
  readonly stderr: TextSink & NodeJS.WritableStream;
}

/** As a stream of the process, of which a terminal knows more. */
export interface TextSink {
  write(text: string): unknown;
  readonly isTTY?: boolean;
  readonly columns?: number;
}

const storage = new AsyncLocalStorage<Surroundings>();

/** Those that the command was called with; by default the process. */
export function surroundings(): Surroundings {
  return storage.getStore() ?? process;
}

/** Runs a command of this process as if it had one of its own. */
export function runIn<T>(own: Surroundings, work: () => Promise<T>): Promise<T> {
  return storage.run(own, work);
}
