import { setTimeout as delay } from "node:timers/promises";
import { testConnection } from "@mooring/testing/control/connection";
import { call, textOf } from "@mooring/testing/control/http";
import {
  answer,
  type Behaviour,
  hang,
  type Receiver,
  startReceiver,
} from "@mooring/testing/control/webhooks/webhook-receiver";
import { startProcess } from "@mooring/testing/processes/processes";
import { insertEvent } from "../packages/control/src/db/queries/webhooks/events.ts";
import { createTenant, openRuntime, readConfig } from "../packages/control/src/index.ts";
import { type BenchDatabase, openBenchDatabase } from "./support/bench-database.ts";
import { line, median, ms, perSecond } from "./support/report.ts";

const eventsPerSecond = 200;
const toTheOther = 50;
const tenants = 10;
const rounds = 9;
const ways = [
  ["one more endpoint, which answers", answer(200)],
  ["one more endpoint, which never answers", hang],
] as const;

/** Milliseconds from commit to receipt of each event of the ten tenants. */
type Round = readonly number[];

/** One tenant's application with an endpoint, and the connection of the events. */
interface Shop {
  readonly tenantId: string;
  readonly applicationId: string;
  readonly connectionId: string;
  readonly endpointId: string;
  readonly receiver: Receiver;
  readonly key: string;
  sequence: number;
}

/**
 * The time from commit to the first attempt, at a steady 200 events a second over ten tenants,
 * while one more tenant has 50 events a second to a receiver that answers, or to one that never
 * does. The rounds are interleaved, so that other load on the machine affects both alike.
 */
export async function benchWebhooks(only: number | null): Promise<void> {
  const seconds = only ?? 5;
  const database = await openBenchDatabase();
  const env = { ...database.env, WEBHOOK_ALLOW_PRIVATE: "true" };
  const api = await startProcess("api", env);
  const worker = await startProcess("worker", env);
  const shops: Shop[] = [];
  const open = async (behaviour: Behaviour): Promise<Shop> => {
    const shop = await openShop(database, env, api.url, shops.length);
    shop.receiver.behave(behaviour);
    shops.push(shop);
    return shop;
  };
  const events = await eventWriter(database, env);
  const results = new Map<string, Round[]>(ways.map(([way]) => [way, []]));
  try {
    for (let index = 0; index < tenants; index += 1) await open(answer(200));
    const others = [...shops];
    await events.run(others, await open(answer(200)), 3);
    for (let round = 0; round < rounds; round += 1) {
      for (const [way, behaviour] of ways) {
        const other = await open(behaviour);
        results.get(way)?.push(await events.run(others, other, seconds));
        await call(api.url, `/v1/webhook-endpoints/${other.endpointId}`, {
          key: other.key,
          method: "DELETE",
        });
      }
    }
    line(`${eventsPerSecond} events/s to ${tenants} endpoints`, "delivered", "mean", "p50", "p99");
    const [well = [], dead = []] = [...results].map(([way, all]) => report(way, all, seconds));
    line("never answers ÷ answers", ...dead.map((value, at) => ratio(value, well[at])));
  } finally {
    await events.close();
    await Promise.all(shops.map(({ receiver }) => receiver.close()));
    await worker.signal("SIGKILL");
    await api.signal("SIGTERM");
    await database.close();
  }
}

async function openShop(
  database: BenchDatabase,
  env: Readonly<Record<string, string>>,
  base: string,
  index: number,
): Promise<Shop> {
  const role = { url: database.url, role: "mooring_operator", name: "operator" } as const;
  const operator = await openRuntime(readConfig(env), role);
  const { tenant, keys } = await createTenant(operator.runtime, `Shop ${index}`);
  await operator.close();
  const key = keys.test;
  const receiver = await startReceiver();
  const made = await call(base, "/v1/applications", { key, body: { name: "Shop" } });
  const applicationId = textOf(made, "id");
  const hostname = `www.bench-${index}.test`;
  const about = { application_id: applicationId };
  const connection = await call(base, "/v1/connections", { key, body: { ...about, hostname } });
  const endpoint = { ...about, url: receiver.url, events: ["ssl.issued"] };
  const registered = await call(base, "/v1/webhook-endpoints", { key, body: endpoint });
  return {
    tenantId: tenant.id,
    applicationId,
    connectionId: textOf(connection, "id"),
    endpointId: textOf(registered, "id"),
    receiver,
    key,
    sequence: 1_000,
  };
}

interface EventWriter {
  run(others: readonly Shop[], other: Shop, seconds: number): Promise<Round>;
  close(): Promise<void>;
}

/** Writes events as the product does, each in its own transaction, at a steady rate. */
async function eventWriter(
  database: BenchDatabase,
  env: Readonly<Record<string, string>>,
): Promise<EventWriter> {
  const role = { url: database.url, role: "mooring_worker", name: "bench" } as const;
  const opened = await openRuntime(readConfig(env), role);
  const write = async (shop: Shop): Promise<{ key: string; at: number }> => {
    shop.sequence += 1;
    const { sequence, connectionId: id, tenantId, applicationId } = shop;
    const connection = testConnection({ id, tenantId, applicationId, environment: "test" });
    const event = {
      type: "ssl.issued",
      sequence,
      at: opened.runtime.clock.now(),
      data: {},
    } as const;
    await opened.runtime.transaction((tx) => insertEvent(tx, connection, event));
    return { key: `${id} ${sequence}`, at: performance.now() };
  };
  return {
    async run(others, other, seconds) {
      const received = watch(others);
      const writing: Promise<{ key: string; at: number }>[] = [];
      const count = seconds * eventsPerSecond;
      const everyOther = eventsPerSecond / toTheOther;
      const startedAt = performance.now();
      for (let index = 0; index < count; index += 1) {
        const shop = others[index % others.length];
        if (shop) writing.push(write(shop));
        if (index % everyOther === 0) void (await write(other));
        const aheadMs = startedAt + (index * 1_000) / eventsPerSecond - performance.now();
        if (aheadMs > 0) await delay(aheadMs);
      }
      const written = await Promise.all(writing);
      const deadline = performance.now() + 30_000;
      while (received.size < count && performance.now() < deadline) await delay(50);
      return written.flatMap(({ key, at }) => {
        const got = received.get(key);
        // An event can arrive before its commit is reported here; that counts as 0 ms.
        return got === undefined ? [] : [Math.max(0, got - at)];
      });
    },
    close: () => opened.close(),
  };
}

/** The time of the first receipt of each event, by connection and sequence. */
function watch(shops: readonly Shop[]): ReadonlyMap<string, number> {
  const received = new Map<string, number>();
  for (const { receiver } of shops) {
    receiver.behave((response, { body }) => {
      const at = performance.now();
      const { sequence, data } = JSON.parse(body.toString("utf8"));
      const key = `${data.connection.id} ${sequence}`;
      if (!received.has(key)) received.set(key, at);
      response.writeHead(200).end();
    });
  }
  return received;
}

/** The medians of the rounds: delivered a second, mean, p50 and p99. */
function report(way: string, all: readonly Round[], seconds: number): readonly number[] {
  const sorted = all.map((one) => one.toSorted((a, b) => a - b));
  const at = (share: number): number =>
    median(sorted.map((one) => one[Math.floor(one.length * share)] ?? Number.NaN));
  const mean = median(all.map((one) => one.reduce((sum, value) => sum + value, 0) / one.length));
  const delivered = median(all.map((one) => one.length / seconds));
  const times = [mean, at(0.5), at(0.99)];
  line(way, perSecond(delivered), ...times.map(ms));
  return [delivered, ...times];
}

function ratio(value: number, beside = Number.NaN): string {
  return (value / beside).toFixed(2);
}
