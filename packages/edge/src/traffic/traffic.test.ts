import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { describe, it } from "node:test";
import { silent } from "@mooring/testing/edge/edge-database";
import { until } from "@mooring/testing/processes/until";
import type { Host } from "../hosts/host.ts";
import { encodeMinute, type TrafficSource } from "./batch.ts";
import { MinuteCounter } from "./counts.ts";
import { Outbox } from "./outbox.ts";
import { startTrafficReporter } from "./reporter.ts";
import { bucketFor } from "./time-buckets.ts";

const tenantId = randomUUID();

function makeHost(applicationId: string, connectionId: string = randomUUID()): Host {
  return {
    hostname: "shop.acme.example",
    epoch: 1,
    environment: "live",
    connectionId,
    applicationId,
    tenantId,
    registrableDomain: "acme.example",
    own: null,
  };
}

const visit = { status: 200, bytesIn: 1, bytesOut: 10, isRefused: false };
const source: TrafficSource = { process: randomUUID(), edge: "one", startedAt: new Date(0) };

interface Decoded {
  readonly minute: string;
  readonly part: number;
  readonly parts: number;
  readonly isLast: boolean;
  readonly others: number;
  readonly applications: readonly (readonly [string, string, string])[];
  readonly rows: readonly (readonly [string, number, ...number[]])[];
}
const decode = (text: string): Decoded => JSON.parse(text) as Decoded;

/** Requests of a row: aborted, and each class of status. */
const requestsOf = (row: readonly unknown[]): number =>
  row.slice(2, 8).reduce<number>((sum, value) => sum + Number(value), 0);

describe("the counts of a minute", () => {
  it("stay within their slots: names first, then applications, then all others together", async () => {
    const counter = new MinuteCounter({ names: 3, applications: 2 });
    const shops = [makeHost("a"), makeHost("a"), makeHost("b"), makeHost("b"), makeHost("c")];
    const beyond = makeHost("d");
    for (let round = 0; round < 4; round += 1) {
      for (const host of [...shops, beyond]) counter.ended(host, visit);
    }
    const minute = counter.next();
    assert.equal(minute.names.size, 3);
    assert.equal(minute.applications.size, 2);
    assert.equal(minute.others, 4);
    const [batch] = await encodeMinute(minute, source, { at: 5, isLast: false });
    const { rows, applications, others } = decode(batch?.text ?? "");
    assert.equal(others, 4);
    const ids = new Map(rows.map((row) => [row[0], row]));
    // Of each application all requests, and how many of them no name has.
    const numbers = ["a", "b", "c"].map((id) => [requestsOf(ids.get(id) ?? []), ids.get(id)?.[12]]);
    assert.deepEqual(numbers, [
      [8, 0],
      [8, 4],
      [4, 4],
    ]);
    assert.deepEqual(
      shops.map(({ connectionId }) => ids.has(connectionId)),
      [true, true, true, false, false],
    );
    assert.deepEqual(applications.map(([, , id]) => id).sort(), ["a", "b", "c"]);
  });

  it("are cut into parts that a message of NATS can carry, each row in one of them", async () => {
    const counter = new MinuteCounter();
    const application = randomUUID();
    const hosts = Array.from({ length: 10_500 }, () => makeHost(application));
    for (const [index, host] of hosts.entries()) {
      counter.ended(host, visit);
      for (let time = 1; time < 60_000; time *= 4) counter.answered(host, time + index);
    }
    const batches = await encodeMinute(counter.next(), source, { at: 5, isLast: true });
    assert.ok(batches.length > 1);
    const parts = batches.map(({ text }) => decode(text));
    for (const { text } of batches) assert.ok(text.length < 400_000);
    assert.deepEqual(
      parts.map(({ part, parts: of }) => [part, of]),
      parts.map((_, index) => [index, parts.length]),
    );
    const subjects = parts.flatMap(({ rows }) => rows.map(([subject]) => subject));
    assert.equal(new Set(subjects).size, subjects.length);
    assert.equal(subjects.length, 10_000 + 1);
    const total = parts.flatMap(({ rows }) => rows).find(([subject]) => subject === application);
    assert.equal(requestsOf(total ?? []), 10_500);
    assert.equal(total?.[12], 500);
  });

  it("put each time into the bucket whose bounds it has", () => {
    for (let bucket = 1; bucket < 65; bucket += 1) {
      const [lower, upper] = [2 ** ((bucket - 1) / 4), 2 ** (bucket / 4)];
      assert.equal(bucketFor(Math.sqrt(lower * upper)), bucket);
      assert.equal(bucketFor(upper * 1.000_001), bucket + 1);
    }
    assert.deepEqual([0, 1, 70_000, Number.NaN].map(bucketFor), [0, 0, 65, 0]);
  });
});

describe("batches that cannot be sent", () => {
  it("wait within a bound, the oldest are dropped, and the order stays", async () => {
    const outbox = new Outbox(30);
    outbox.add([1, 2, 3, 4, 5].map((minute) => ({ minute, text: `${minute}234567890` })));
    assert.deepEqual([outbox.size, outbox.dropped], [3, 2]);
    const sent: string[] = [];
    let isAway = true;
    const report = async (text: string): Promise<boolean> => {
      if (isAway) throw new Error("away");
      sent.push(text.slice(0, 1));
      return true;
    };
    await assert.rejects(outbox.send(report), /away/);
    assert.equal(outbox.size, 3);
    isAway = false;
    await outbox.send(report);
    assert.deepEqual([sent.join(""), outbox.size], ["345", 0]);
  });
});

describe("the reporter of a process", () => {
  it("sends each minute, also an empty one, again after a failure, and the last when it stops", async () => {
    let now = 600_000;
    const received: Decoded[] = [];
    let failures = 2;
    const reporter = startTrafficReporter({
      clock: { now: () => new Date(now) },
      log: silent,
      process: randomUUID(),
      edge: "one",
      tickMs: 5,
      feed: {
        async report(text) {
          if (failures > 0) {
            failures -= 1;
            throw new Error("away");
          }
          received.push(decode(text));
          return true;
        },
      },
    });
    const host = makeHost("a");
    reporter.counts.ended(host, visit);
    now += 60_000;
    await until(() => received.length === 1, "the first minute arrives");
    assert.equal(failures, 0);
    // Stood still for two minutes, then the clock is set back: no minute ends twice.
    now += 120_000;
    await until(() => received.length === 3, "the empty minutes arrive");
    now -= 90_000;
    reporter.counts.ended(host, visit);
    await reporter.stop();
    assert.deepEqual(
      received.map(({ minute, rows, isLast }) => [minute.slice(14, 16), rows.length, isLast]),
      [
        ["10", 2, false],
        ["11", 0, false],
        ["12", 0, false],
        ["13", 2, true],
      ],
    );
  });

  it("sends what waits when it stops, also if the first try fails, and gives up on a feed that is away", async () => {
    const stopAfter = async (failures: number) => {
      let now = 600_000;
      let left = Number.POSITIVE_INFINITY;
      const received: Decoded[] = [];
      const reporter = startTrafficReporter({
        clock: { now: () => new Date(now) },
        log: silent,
        process: randomUUID(),
        tickMs: 5,
        feed: {
          async report(text) {
            left -= 1;
            if (left >= 0) throw new Error("away");
            received.push(decode(text));
            return true;
          },
        },
      });
      reporter.counts.ended(makeHost("a"), visit);
      now += 120_000;
      await until(() => reporter.waiting() === 2, "two minutes wait");
      left = failures;
      await reporter.stop();
      const minutes = received.map(({ minute, isLast }) => [minute.slice(14, 16), isLast]);
      return { minutes, waiting: reporter.waiting() };
    };
    assert.deepEqual(await stopAfter(1), {
      minutes: [
        ["10", false],
        ["11", false],
        ["12", true],
      ],
      waiting: 0,
    });
    assert.deepEqual(await stopAfter(Number.POSITIVE_INFINITY), { minutes: [], waiting: 3 });
  });
});
