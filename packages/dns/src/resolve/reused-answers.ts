import type { Message } from "../wire/message.ts";
import { answerSeconds, createAnswerMemory } from "./answer-memory.ts";
import type { AskDelegation } from "./descend.ts";
import type { RecursiveAsk, ZoneSearch } from "./find-zone.ts";
import type { RecursiveAnswer } from "./recursive.ts";

/** The questions by which zones and their servers are found. */
export interface Asking extends ZoneSearch {
  /** With checking disabled: also what a validating resolver refuses. */
  readonly askUnchecked: RecursiveAsk;
}

export interface Memories {
  /** Asks again each time, and stores what is answered. */
  storing(wire: Asking): Asking;
  /** Asks only what was not answered at `sinceMs` or later, or whose TTL has ended. */
  reusing(wire: Asking, sinceMs: number): Asking;
}

/**
 * One NS set for each zone, which are many. The servers' addresses are apart from them: few
 * providers serve most zones, and zones must not displace what all of them share. About 0.5 KB
 * each.
 */
const maxZones = 100_000;
const maxAnswers = 50_000;

export function createMemories(now: () => Date): Memories {
  const zones = createAnswerMemory<RecursiveAnswer>({ now, maxEntries: maxZones });
  const others = createAnswerMemory<RecursiveAnswer>({ now, maxEntries: maxAnswers });
  const steps = createAnswerMemory<Message>({ now, maxEntries: maxAnswers });
  const recursive =
    (prefix: string, ask: RecursiveAsk, sinceMs: number): RecursiveAsk =>
    async (name, type, signal) => {
      const memory = type === "NS" ? zones : others;
      const key = `${prefix}${type} ${name}`;
      const known = memory.get(key, sinceMs);
      if (known !== undefined) return known;
      const answer = await ask(name, type, signal);
      memory.set(key, answer, answer.ttlSeconds);
      return answer;
    };
  const delegation =
    (ask: AskDelegation, sinceMs: number): AskDelegation =>
    async (server, name, signal) => {
      const key = `${server.host} ${name}`;
      const known = steps.get(key, sinceMs);
      if (known !== undefined) return known;
      const message = await ask(server, name, signal);
      if (message !== null) steps.set(key, message, answerSeconds(message));
      return message;
    };
  const reusing = (wire: Asking, sinceMs: number): Asking => ({
    askRecursive: recursive("", wire.askRecursive, sinceMs),
    askUnchecked: recursive("unchecked ", wire.askUnchecked, sinceMs),
    askDelegation: delegation(wire.askDelegation, sinceMs),
  });
  return { reusing, storing: (wire) => reusing(wire, Number.POSITIVE_INFINITY) };
}
