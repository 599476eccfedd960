import assert from "node:assert/strict";
import { type AddressInfo, connect, createServer, Socket } from "node:net";
import { after, before, describe, it } from "node:test";
import { createGuard, EgressError, type Guard } from "@mooring/egress";
import { startWebhookApp, type WebhookApp } from "@mooring/testing/control/webhooks/webhook-app";
import { freePort } from "@mooring/testing/processes/free-port";
import { proofSize } from "@mooring/testing/processes/proof-size";
import { until } from "@mooring/testing/processes/until";
import { startWorker } from "../../process/start-worker.ts";

const deliveries = proofSize(100, 1_000);
/** Below the ten after which a receiver that always fails is capped. */
const perEndpoint = 5;
/** What all mean this machine, or point to it inside of another address. */
const spellings = [
  "127.0.0.1",
  "127.0.0.1.",
  "2130706433",
  "0177.0.0.01",
  "0x7f.0x0.0x0.0x1",
  "0x7f000001",
  "127.1",
  "%31%32%37.0.0.1",
  "localhost",
  "[::1]",
  "[::ffff:127.0.0.1]",
  "[0:0:0:0:0:FFFF:7f00:1]",
  "[::127.0.0.1]",
  "[64:ff9b::127.0.0.1]",
  "[2002:7f00:1::1]",
  "[2001:0:808:808::80ff:fffe]",
];

describe("deliveries to private addresses", () => {
  let shop: WebhookApp;
  let port: number;
  let connects = 0;
  const inner = createServer((socket) => {
    connects += 1;
    socket.destroy();
  });
  before(async () => {
    await new Promise<void>((resolve) => inner.listen(0, "127.0.0.1", resolve));
    ({ port } = inner.address() as AddressInfo);
    shop = await startWebhookApp(false, { WEBHOOK_ALLOW_PRIVATE: "false" });
  });
  after(async () => {
    await shop.close();
    inner.close();
  });

  /** Endpoints at these URLs, stored as they are; the errors of all attempts, at least one each. */
  async function attempt(
    urls: readonly string[],
    events: number,
    webhookEgress?: Guard,
  ): Promise<string[]> {
    await shop.session.query("delete from webhook_endpoints");
    for (const url of urls) {
      const { id } = await shop.endpoint("https://hooks.example.com/", ["domain.added"]);
      await shop.session.query("update webhook_endpoints set url = $2 where id = $1", [id, url]);
    }
    for (let event = 0; event < events; event += 1) await shop.emitEvent();
    const standIn = webhookEgress ? { webhookEgress } : {};
    const { config, clock, operator } = shop.app;
    const worker = await startWorker(config, { clock, log: operator.log, ...standIn });
    const untried = "select 1 from deliveries where attempts = '[]'";
    await until(async () => {
      return (await shop.session.query(untried)).rowCount === 0;
    }, "every first attempt").finally(() => worker.close());
    const { rows } = await shop.session.query<{ error: string }>(
      "select a ->> 'error' as error from deliveries, jsonb_array_elements(attempts) a",
    );
    return rows.map(({ error }) => error);
  }

  it("do not connect to a private address in a stored URL, and log why", async () => {
    const urls = spellings.map((host) => `http://${host}:${port}/`);
    const errors = await attempt(urls, 1);
    assert.equal(connects, 0);
    assert.ok(errors.length >= urls.length);
    for (const error of errors) assert.match(error, /^(unreachable|url_refused)$/);
  });

  it(`do not connect to a private address in ${deliveries} attempts at a name that changes its addresses`, async () => {
    let lookups = 0;
    const dialled = new Set<string>();
    const guard = createGuard({
      lookup: async () => {
        lookups += 1;
        return lookups % 2 === 0 ? ["127.0.0.1"] : ["8.8.8.8"];
      },
      // Loopback is really dialled; a public address fails without a packet.
      connect: ({ addresses }) => {
        const address = addresses[0]?.address ?? "";
        dialled.add(address);
        if (address.startsWith("127.")) return connect({ host: address, port });
        return new Socket().destroy(new Error("not reachable from a test"));
      },
    });
    // As they are made: on a busy machine an outcome may be written late or not at all, and is
    // tried again.
    const kinds: string[] = [];
    const webhookEgress: Guard = {
      ...guard,
      async request(...asked) {
        try {
          return await guard.request(...asked);
        } catch (error) {
          kinds.push(error instanceof EgressError ? error.kind : String(error));
          throw error;
        }
      },
    };
    const urls = Array.from({ length: deliveries / perEndpoint }, () => `http://re.bind:${port}/`);
    const errors = await attempt(urls, perEndpoint, webhookEgress);
    assert.equal(connects, 0);
    assert.deepEqual([...dialled], ["8.8.8.8"]);
    assert.ok(errors.length >= deliveries);
    assert.equal(lookups, kinds.length, "one lookup for each attempt");
    const refused = kinds.filter((kind) => kind === "refused_address");
    assert.equal(refused.length, Math.floor(lookups / 2));
    assert.ok(errors.includes("unreachable"));
  });

  it("report the same whether a name is unknown, refused, closed, silent or speaks something else", async () => {
    const silent = createServer(() => undefined);
    await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve));
    const silentPort = (silent.address() as AddressInfo).port;
    const closedPort = await freePort();
    const addresses: Readonly<Record<string, readonly string[]>> = {
      "unknown.internal": [],
      "refused.internal": ["10.0.0.7"],
      "metadata.internal": ["169.254.169.254"],
      "closed.internal": ["127.0.0.1"],
    };
    const lookup = async (host: string) => addresses[host] ?? ["127.0.0.1"];
    const guarded = createGuard({ lookup });
    // An operator may allow private targets: what is there stays unknown to tenants.
    const open = createGuard({ lookup, allowPrivate: true });
    const hidden = ["unknown", "refused", "metadata"].map(
      (name) => `http://${name}.internal:8080/`,
    );
    const seen = await attempts(hidden, guarded);
    const inside = [`http://closed.internal:${closedPort}/`, `https://tls.internal:${port}/`];
    seen.push(...(await attempts([...inside, `https://silent.internal:${silentPort}/`], open)));
    assert.equal(seen.length, 6);
    for (const one of seen) assert.deepEqual(one, { error: "unreachable", latency_ms: 0 });
    silent.close();
  });

  async function attempts(urls: readonly string[], webhookEgress: Guard) {
    await attempt(urls, 1, webhookEgress);
    const { rows } = await shop.session.query<{ error: string; latency_ms: number }>(
      `select distinct on (d.id) a ->> 'error' as error, (a -> 'latency_ms')::int as latency_ms
       from deliveries d, jsonb_array_elements(d.attempts) a`,
    );
    return rows;
  }
});
