import assert from "node:assert/strict";
import { toAbsolute } from "../../src/name.ts";
import type { Credentials } from "../../src/providers/adapter/contract.ts";
import { findAdapter } from "../../src/providers/registry.ts";
import {
  type CaseContext,
  create,
  createCaseContext,
  rec,
  remove,
  suiteZone,
} from "../cases/case-context.ts";
import { compare, type SentRequest } from "../independent/compare.ts";
import { readFacts } from "../independent/facts.ts";
import type { Backend } from "../simulator.ts";
import { type Send, withoutTls } from "./sdk-transport.ts";

/** What an SDK is asked to do with the record `app`, of type A and an hour. */
export interface OpenSdk {
  zones(): Promise<readonly string[]>;
  create(value: string): Promise<unknown>;
  change(value: string): Promise<unknown>;
  remove(): Promise<unknown>;
  /** Every record by `line`. */
  list(): Promise<readonly string[]>;
}

export interface Trial {
  readonly slug: string;
  readonly start: () => Promise<Backend>;
  readonly open: (credentials: Credentials) => OpenSdk;
  /** In place of a request of the SDK, one that says the same in the form of the facts. */
  readonly inFormOfFacts?: (sent: SentRequest) => SentRequest;
}

/** The value of the record before and after a change. */
const [first, second] = ["192.0.2.20", "192.0.2.21"];
const ttlSeconds = 3_600;
const seeded = rec("@", "A", "192.0.2.10");
/** What our adapter writes beside it. */
const ours = [
  rec("shop", "CNAME", "edge.example.net"),
  rec("_service-challenge.shop", "TXT", "service-verify=abc"),
];

/**
 * Lets an SDK of the provider itself work at our simulator, which has to understand it. Our adapter
 * reads what the SDK writes, the SDK reads what our adapter writes, and what the SDK sends is
 * compared with the facts that our adapter is held to.
 */
export async function tryOut({ slug, start, open, inFormOfFacts }: Trial): Promise<void> {
  const facts = readFacts().get(slug);
  const adapter = findAdapter(slug);
  assert.ok(facts !== undefined && adapter !== null);
  const backend = await start();
  const sent: SentRequest[] = [];
  const refused: string[] = [];
  const send: Send = async (method, url, headers, body) => {
    sent.push({ method, url: new URL(url), headers, body });
    const answer = await backend.fetch(url, { method, headers, body });
    const { status } = answer;
    if (status >= 400) refused.push(`${method} ${url}: ${status} ${await answer.clone().text()}`);
    return answer;
  };
  try {
    await backend.seed(suiteZone, [seeded]);
    const context = createCaseContext(adapter, backend, [], 60_000);
    try {
      await withoutTls(send, () => exchange(open(backend.credentials), context));
    } finally {
      // Says more than the SDK's own error.
      assert.deepEqual(refused, []);
    }
    const compared = sent.map((one) => compare(inFormOfFacts?.(one) ?? one, facts));
    const differences = compared.flatMap((one) => one.differences);
    assert.deepEqual([...new Set(differences)], []);
  } finally {
    await backend.close();
  }
}

async function exchange(sdk: OpenSdk, context: CaseContext): Promise<void> {
  const app = (value: string) => rec("app", "A", value, { ttl: ttlSeconds });
  assert.deepEqual(await sdk.zones(), [suiteZone]);
  await sdk.create(first);
  await context.expect([seeded, app(first)]);
  await sdk.change(second);
  await context.expect([seeded, app(second)]);
  await context.apply(...ours.map(create));
  const listed = await sdk.list();
  for (const { name, type, value } of [seeded, app(second), ...ours]) {
    assert.ok(listed.includes(line(name, type, value)), `${name} ${type} in ${listed.join(", ")}`);
  }
  await sdk.remove();
  await context.expect([seeded, ...ours]);
  await context.apply(...ours.map(remove));
  await context.expect([seeded]);
}

/** One form for the names, absolute or not, and the values of all providers. */
export function line(name: string, type: string, value: string): string {
  const bare = name.replace(/\.$/, "");
  const isAbsolute = bare === suiteZone || bare.endsWith(`.${suiteZone}`);
  const absolute = isAbsolute ? bare : toAbsolute(bare === "" ? "@" : bare, suiteZone);
  return `${absolute} ${type} ${value.replace(/^"(.*)"$/, "$1").replace(/\.$/, "")}`;
}
