import { setTimeout as delay } from "node:timers/promises";
import {
  answer,
  type Behaviour,
  eventIn,
  isGenuine,
  type Received,
  reset,
} from "../../packages/control/test/support/webhook-receiver.ts";

/** What a receiver has accepted, by event id, and what it must never see. */
export interface Ledger {
  readonly behaviour: Behaviour;
  /** How often each id was answered with 200. */
  readonly accepted: ReadonlyMap<string, number>;
  /** Requests whose signature did not fit. */
  readonly forged: readonly Received[];
  /** Requests by how they were answered. */
  readonly answers: ReadonlyMap<string, number>;
}

/** Answers 200, 500, a reset, or nothing for a while and then a reset, by chance. */
export function keepLedger(secret: () => string, random: () => number): Ledger {
  const accepted = new Map<string, number>();
  const answers = new Map<string, number>();
  const forged: Received[] = [];
  const behaviour: Behaviour = (response, received) => {
    if (!isGenuine(received, secret(), Date.now())) forged.push(received);
    const [name, act] = choose(random());
    answers.set(name, (answers.get(name) ?? 0) + 1);
    if (name === "200") {
      const { id } = eventIn(received);
      accepted.set(id, (accepted.get(id) ?? 0) + 1);
    }
    act(response, received);
  };
  return { behaviour, accepted, forged, answers };
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
