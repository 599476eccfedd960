import assert from "node:assert/strict";
import { rec, suiteZone } from "./bench.ts";
import { compare, type SentRequest } from "./independent/compare.ts";
import { readFacts } from "./independent/facts.ts";
import type { Backend } from "./simulator.ts";

/** How an SDK reaches the simulator instead of its own host. */
export type Send = (
  method: string,
  url: string,
  headers: Headers,
  body: string | null,
) => Promise<Response>;

/** The value of a record before and after a change. */
export const first = "192.0.2.20";
export const second = "192.0.2.21";

/**
 * Lets an SDK of the provider itself work at our simulator, which has to understand it, and compares what
 * it sends with the facts that our adapter is held to.
 */
export async function tryOut(
  slug: string,
  start: () => Promise<Backend>,
  work: (send: Send, backend: Backend, seen: () => Promise<readonly string[]>) => Promise<void>,
): Promise<void> {
  const facts = readFacts().get(slug);
  assert.ok(facts !== undefined);
  const backend = await start();
  const sent: SentRequest[] = [];
  const send: Send = async (method, url, headers, body) => {
    sent.push({ method, url: new URL(url), headers, body });
    const answer = await backend.fetch(url, { method, headers, body });
    assert.ok(
      answer.status < 400,
      `${method} ${url}: ${answer.status} ${await answer.clone().text()}`,
    );
    return answer;
  };
  const seen = async () =>
    (await backend.records(suiteZone)).map(({ name, type, value }) => `${name} ${type} ${value}`);
  try {
    await backend.seed(suiteZone, [rec("@", "A", "192.0.2.10")]);
    await work(send, backend, seen);
    assert.deepEqual(await seen(), [`${suiteZone} A 192.0.2.10`]);
    const differences = sent.flatMap((one) => compare(one, facts).differences);
    assert.deepEqual([...new Set(differences)], []);
  } finally {
    await backend.close();
  }
}

/** What the zone holds with it. */
export const shown = (value: string) => [
  `app.${suiteZone} A ${value}`,
  `${suiteZone} A 192.0.2.10`,
];
