import type fc from "fast-check";

/** Something that takes generated input; it says what is harm. */
export interface FuzzTarget<Input> {
  /** Every value is JSON, so that an input can be printed, stored and repeated. */
  readonly inputs: fc.Arbitrary<Input>;
  /** Rejects when the input has done harm. */
  attempt(input: Input): Promise<void>;
  /** Runs before each round of inputs. */
  prepare?(round: number): Promise<void>;
  /** Runs after each round; rejects when its inputs have done harm together. */
  review?(): Promise<void>;
  /** What the process under test has in memory; the target's own process when absent. */
  memoryBytes?(): number;
  /** How much more memory than after the first rounds is harm. */
  readonly maxGrowthBytes: number;
  /** Requests, messages or forgeries so far. */
  count(): number;
  close(): Promise<void>;
}

export type OpenTarget = () => Promise<FuzzTarget<unknown>>;
