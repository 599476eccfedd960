import { orElse } from "../../domains/budget.ts";

/** Several looks that share one end, and the list of those that did not reach it. */
export interface Deadline {
  /** The result, or the fallback once the time is over. */
  within<T>(what: string, asked: Promise<T>, fallback: T): Promise<T>;
  missed(): readonly string[];
}

export function createDeadline(signal: AbortSignal): Deadline {
  const missed: string[] = [];
  return {
    async within(what, asked, fallback) {
      const seen = asked.then((value) => ({ value }));
      const result = await orElse(signal, seen, null);
      if (result !== null) return result.value;
      missed.push(what);
      return fallback;
    },
    missed: () => missed,
  };
}
