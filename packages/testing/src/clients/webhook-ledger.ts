import { fork } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import {
  answer,
  type Behaviour,
  eventIn,
  isGenuine,
  reset,
} from "../control/webhooks/webhook-receiver.ts";

/** A webhook receiver that records what it accepted. */
export interface LedgerProcess {
  readonly url: string;
  /** From now on signatures are verified with this secret. */
  trust(secret: string): Promise<void>;
  report(): Promise<LedgerReport>;
  close(): Promise<void>;
}

const main = path.join(import.meta.dirname, "ledger-main.ts");

/**
 * Runs the receiver in a separate process: work of the test must not delay its answers to the
 * sender.
 */
export async function startLedger(): Promise<LedgerProcess> {
  const child = fork(main, { execArgv: [], serialization: "advanced" });
  const ended = once(child, "exit");
  const nextMessage = async (): Promise<unknown> => {
    const over = ended.then(() => {
      throw new Error("the ledger process exited");
    });
    const [message]: unknown[] = await Promise.race([once(child, "message"), over]);
    return message;
  };
  const ask = (message: string): Promise<unknown> => {
    const answer = nextMessage();
    child.send(message);
    return answer;
  };
  const url = String(await nextMessage());
  return {
    url,
    async trust(secret) {
      await ask(secret);
    },
    report: async () => (await ask("report")) as LedgerReport,
    async close() {
      child.kill();
      await ended;
    },
  };
}

/** What a receiver accepted and answered. */
export interface LedgerReport {
  /** How often each event id was answered with 200. */
  readonly accepted: ReadonlyMap<string, number>;
  /** How many requests had an invalid signature. */
  readonly forged: number;
  /** The number of requests per kind of answer. */
  readonly answers: ReadonlyMap<string, number>;
}

export interface Ledger {
  readonly behaviour: Behaviour;
  report(): LedgerReport;
}

/** Answers at random with 200, 500, a reset, or a reset after a pause. */
export function createLedger(secret: () => string, random: () => number): Ledger {
  const accepted = new Map<string, number>();
  const answers = new Map<string, number>();
  let forged = 0;
  const behaviour: Behaviour = (response, received) => {
    if (!isGenuine(received, secret(), Date.now())) forged += 1;
    const [name, act] = choose(random());
    answers.set(name, (answers.get(name) ?? 0) + 1);
    if (name === "200") {
      const { id } = eventIn(received);
      accepted.set(id, (accepted.get(id) ?? 0) + 1);
    }
    act(response, received);
  };
  return { behaviour, report: () => ({ accepted, forged, answers }) };
}

const hangMs = 2_000;
const hangThenReset: Behaviour = (response, received) =>
  void delay(hangMs).then(() => reset(response, received));

function choose(chance: number): readonly [string, Behaviour] {
  if (chance < 0.13) return ["500", answer(500)];
  if (chance < 0.23) return ["reset", reset];
  if (chance < 0.25) return ["hang", hangThenReset];
  return ["200", answer(200)];
}
