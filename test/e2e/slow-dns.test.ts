import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { call } from "../../packages/control/test/support/http.ts";
import type { NameServer, Resolver } from "../../packages/dns/src/index.ts";
import { type Caller, connect, eventually, verify } from "../support/connecting.ts";
import { type LifecycleApp, startLifecycle } from "../support/lifecycle-app.ts";
import { proofSize } from "../support/proof-size.ts";

const slowOnes = proofSize(300, 1_000);
const delayMs = proofSize(4_000, 10_000);
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
  readonly mostUnderWay: () => number;
  /** From now on names with "slow" in them are answered long after the question. */
  readonly slowDown: () => void;
}

function delayedDns(): DelayedDns {
  let [underWay, most] = [0, 0];
  let isSlow = false;
  const answer = async <T>(name: string, reply: T, signal: AbortSignal): Promise<T> => {
    underWay += 1;
    most = Math.max(most, underWay);
    try {
      if (isSlow && name.includes("slow")) await delay(delayMs, undefined, { signal });
      return reply;
    } finally {
      underWay -= 1;
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
  return { resolver, mostUnderWay: () => most, slowDown };
}

describe("DNS that answers after a long time", { timeout: 300_000 }, () => {
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

  it(`for ${slowOnes} domains keeps nobody else waiting, and shows in the figures`, async (t) => {
    const slow = [];
    for (let index = 0; index < slowOnes; index += 1) {
      slow.push(connect(caller, `shop.slow${index}.example`));
      if (slow.length % 20 === 0) await Promise.all(slow);
    }
    await Promise.all(slow);
    const quick = await connect(caller, "shop.quick.example");
    dns.slowDown();
    // All slow ones are before the quick one in the queue.
    const now = life.app.clock.now();
    const { session } = life;
    await session.query(
      `update connections set leased_until = null, last_checked_at = null,
         due_at = $1::timestamptz - case when hostname like '%slow%' then interval '30 s' else interval '1 s' end`,
      [now],
    );
    const startedAt = performance.now();
    await session.query("select pg_notify('mooring_due', 'connections')");
    const seenIn = async (): Promise<boolean> => {
      const { rowCount } = await session.query(
        "select 1 from connections where id = $1 and last_checked_at is not null",
        [quick.id],
      );
      return rowCount === 1;
    };
    await eventually("the figures show it", 20_000, async () => (await oldestSeconds()) >= 30);
    await eventually("a look at the quick one", 120_000, seenIn);
    const tookMs = performance.now() - startedAt;
    // One after the other in places that are all taken, the slow ones would keep it this long.
    const heldUpMs = (slowOnes / 64) * delayMs;
    assert.ok(tookMs < heldUpMs / 2, `${tookMs} ms`);
    assert.ok(dns.mostUnderWay() <= 513 * servers.length, "workers hold no more than they may");
    const asked = await verify(caller, quick.id);
    assert.equal(asked.status, 409, "whoever asks at once is answered meanwhile");
    t.diagnostic(
      `${slowOnes} domains answer after ${delayMs} ms; the quick one, last in the queue, was looked at after ${Math.round(tookMs)} ms; ${dns.mostUnderWay()} questions under way at most`,
    );
  });
});
