import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { type Caller, connect, verify } from "@mooring/testing/clients/connecting";
import { call } from "@mooring/testing/control/http";
import { type LifecycleApp, startLifecycle } from "@mooring/testing/processes/lifecycle-app";
import { proofSize } from "@mooring/testing/processes/proof-size";
import { until } from "@mooring/testing/processes/until";
import type { NameServer, Resolver } from "../../../packages/dns/src/index.ts";

const slowCount = proofSize(300, 1_000);
/** Ten times as long as a check has its slot: what is asserted does not depend on the machine. */
const delayMs = 10_000;
const servers: readonly NameServer[] = [
  { host: "ns1.example", addresses: ["192.0.2.53"] },
  { host: "ns2.example", addresses: ["198.51.100.53"] },
];
const absent = {
  outcome: "absent",
  rcode: "NXDOMAIN",
  chain: [],
  negativeTtlSeconds: 60,
  authoritative: true,
} as const;

interface DelayedDns {
  readonly resolver: Resolver;
  readonly maxInFlight: () => number;
  /** From now on questions for names with "slow" in them are answered late. */
  readonly slowDown: () => void;
}

function delayedDns(): DelayedDns {
  let [inFlight, most] = [0, 0];
  let isSlow = false;
  const answer = async <T>(name: string, reply: T, signal: AbortSignal): Promise<T> => {
    inFlight += 1;
    most = Math.max(most, inFlight);
    try {
      if (isSlow && name.includes("slow")) await delay(delayMs, undefined, { signal });
      return reply;
    } finally {
      inFlight -= 1;
    }
  };
  const resolver: Resolver = {
    findZone: async (name) => {
      const zone = name.split(".").slice(-2).join(".");
      return { outcome: "found", zone, servers };
    },
    askServer: (_server, name, _type, { signal }) => answer(name, absent, signal),
    resolve: (name, _type, signal) => answer(name, { ...absent, authoritative: false }, signal),
  };
  const slowDown = () => {
    isSlow = true;
  };
  return { resolver, maxInFlight: () => most, slowDown };
}

describe("DNS that answers after a long time", () => {
  const dns = delayedDns();
  let life: LifecycleApp;
  let caller: Caller;
  before(async () => {
    life = await startLifecycle({ resolver: dns.resolver });
    caller = await life.caller("Acme", "live");
  });
  after(() => life.close());

  async function oldestSeconds(): Promise<number> {
    const { text } = await call(caller.base, "/metrics");
    const line = /^mooring_due_oldest_seconds\{work="connections"\} (\S+)$/m.exec(text);
    return Number(line?.[1]);
  }

  it(`for ${slowCount} domains does not delay other domains, and shows in the metrics`, async (t) => {
    const slow = [];
    for (let index = 0; index < slowCount; index += 1) {
      slow.push(connect(caller, `shop.slow${index}.example`));
      if (slow.length % 20 === 0) await Promise.all(slow);
    }
    await Promise.all(slow);
    const quick = await connect(caller, "shop.quick.example");
    dns.slowDown();
    // The slow domains come before the quick one in the queue.
    const now = life.app.clock.now();
    const { session } = life;
    await session.query(
      `update connection_checks k set leased_until = null, last_checked_at = null,
         due_at = $1::timestamptz - case when hostname like '%slow%' then interval '30 s' else interval '1 s' end
       from connections c where c.id = k.connection_id`,
      [now],
    );
    const startedAt = performance.now();
    await session.query("select pg_notify('mooring_due', 'connections')");
    const isChecked = async (): Promise<boolean> => {
      const { rowCount } = await session.query(
        "select 1 from connection_checks where connection_id = $1 and last_checked_at is not null",
        [quick.id],
      );
      return rowCount === 1;
    };
    await until(async () => (await oldestSeconds()) >= 30, "the metric to show it");
    await until(isChecked, "a check of the quick domain");
    const tookMs = performance.now() - startedAt;
    // With 64 slots, the slow domains would delay it this long.
    const delayedMs = (slowCount / 64) * delayMs;
    assert.ok(tookMs < delayedMs / 2, `${tookMs} ms`);
    assert.ok(
      dns.maxInFlight() <= 513 * servers.length,
      "workers respect their limit of questions in flight",
    );
    const asked = await verify(caller, quick.id);
    assert.equal(asked.status, 409, "verify is answered meanwhile");
    t.diagnostic(
      `${slowCount} domains answer after ${delayMs} ms; the quick one, last in the queue, was checked after ${Math.round(tookMs)} ms; ${dns.maxInFlight()} questions in flight at most`,
    );
  });
});
