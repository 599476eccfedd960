import { setTimeout as delay } from "node:timers/promises";
import {
  answer,
  type Behaviour,
  eventIn,
  isGenuine,
  reset,
} from "../../packages/control/test/support/webhook-receiver.ts";

/** What a receiver has accepted, and what it must never see. */
export interface LedgerReport {
  /** How often each event id was answered with 200. */
  readonly accepted: ReadonlyMap<string, number>;
  /** How many requests had a signature that did not fit. */
  readonly forged: number;
  /** Requests by how they were answered. */
  readonly answers: ReadonlyMap<string, number>;
}

export interface Ledger {
  readonly behaviour: Behaviour;
  report(): LedgerReport;
}

/** Answers 200, 500, a reset, or nothing for a while and then a reset, by chance. */
export function keepLedger(secret: () => string, random: () => number): Ledger {
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

const sulkMs = 2_000;
const sulk: Behaviour = (response, received) =>
  void delay(sulkMs).then(() => reset(response, received));

function choose(chance: number): readonly [string, Behaviour] {
  if (chance < 0.13) return ["500", answer(500)];
  if (chance < 0.23) return ["reset", reset];
  if (chance < 0.25) return ["hang", sulk];
  return ["200", answer(200)];
}
