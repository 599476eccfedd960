import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { after, before, describe, it } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { startTestApp, type TestApp } from "@mooring/testing/control/app";
import { type Answer, call, textOf } from "@mooring/testing/control/http";
import { type Receiver, startReceiver } from "@mooring/testing/control/webhooks/webhook-receiver";
import { proofSize } from "@mooring/testing/processes/proof-size";
import { until } from "@mooring/testing/processes/until";
import {
  type FleetMember,
  noVisits,
  startWholeFleet,
  visit,
} from "@mooring/testing/processes/whole-fleet";
import { z } from "zod";

const rounds = proofSize(1, 10);
const liveFirst = proofSize(4, 40);
const clients = 4;
/** Connections that are created while processes are killed. */
const maxCreated = proofSize(24, 800);
/**
 * A tenant may have a hundred zones in the sandbox. A killed worker holds up the zone it was
 * writing.
 */
const zones = 90;
const events = z.object({
  data: z.array(z.object({ id: z.string(), type: z.string() })),
  next_cursor: z.string().nullable(),
});

describe("two of each process, one killed after the other under load", () => {
  let app: TestApp;
  let fleet: Awaited<ReturnType<typeof startWholeFleet>>;
  let receiver: Receiver;
  let origin: Server;
  let ca = "";
  let applicationId = "";
  let key = "";
  const of = (kind: FleetMember["kind"]) => fleet.members.filter((one) => one.kind === kind);

  before(async () => {
    origin = createServer((incoming, response) => response.end(`hello ${incoming.headers.host}`));
    await new Promise<void>((resolve) => origin.listen(0, "127.0.0.1", resolve));
    receiver = await startReceiver();
    // The test app only creates the tenant; all requests go to the fleet.
    const SECRET_KEY = `k1:${randomBytes(32).toString("base64")}`;
    app = await startTestApp({ SECRET_KEY });
    key = (await app.tenant("Acme")).keys.test;
    fleet = await startWholeFleet({
      DATABASE_URL: app.databaseUrl,
      SECRET_KEY,
      BASE_URL: "http://api.mooring.example",
      DNS_RESOLVERS: "127.0.0.1:9",
      WEBHOOK_ALLOW_PRIVATE: "true",
      ORIGIN_ALLOW_PRIVATE: "true",
      EDGE_WORKERS: "1",
      RATE_LIMITS: "general=100000:100000,check=100000:100000",
    });
    const { port } = origin.address() as AddressInfo;
    const application = { name: "Shop", origin_url: `http://127.0.0.1:${port}` };
    applicationId = textOf(await ask("/v1/applications", application), "id");
    const credential = { provider: "sandbox", name: "s", fields: { token: "sandbox" } };
    await ask(`/v1/applications/${applicationId}/credentials`, credential);
    await ask("/v1/webhook-endpoints", { application_id: applicationId, url: receiver.url });
  });
  after(async () => {
    await fleet.close();
    await receiver.close();
    await app.close();
    origin.closeAllConnections();
    origin.close();
  });

  /**
   * Asks like a client behind a load balancer: retries at the other API when one cannot be reached.
   */
  async function ask(
    path: string,
    body?: object,
    headers: Record<string, string> = {},
  ): Promise<Answer> {
    const init = { key, headers, ...(body ? { body } : {}) };
    for (let attempt = 0; attempt < 60; attempt += 1) {
      const { port } = of("api")[attempt % 2] ?? { port: 0 };
      const reply = await call(`http://127.0.0.1:${port}`, path, init).catch(() => null);
      if (reply !== null && reply.status < 500) return reply;
      await delay(50);
    }
    throw new Error(`no API answers ${path}`);
  }

  let made = 0;
  async function connect(): Promise<{ readonly id: string; readonly hostname: string }> {
    made += 1;
    // Few zones, since a tenant may have a hundred in the sandbox.
    const hostname = `shop-${made}.fleet-${process.pid}-${made % zones}.test`;
    const body = { application_id: applicationId, hostname };
    // A create whose answer was lost is repeated with the same idempotency key.
    const reply = await ask("/v1/connections", body, { "idempotency-key": hostname });
    assert.equal(reply.status, 201, reply.text);
    return { id: textOf(reply, "id"), hostname };
  }
  const isLive = async ({ id }: { readonly id: string }): Promise<boolean> =>
    (await ask(`/v1/connections/${id}`)).json()["state"] === "live";

  it("serve every visit except those in flight, finish every connection and lose no event", async (t) => {
    const live = await Promise.all(Array.from({ length: liveFirst }, connect));
    for (const one of live) await until(() => isLive(one), "live");
    ca = (await ask("/sandbox/ca.pem")).text;
    const visits = noVisits();
    const fresh: { readonly id: string; readonly hostname: string }[] = [];
    let hasEnded = false;
    const visiting = Array.from({ length: clients }, async (_, client) => {
      for (let round = client; !hasEnded; round += 1) {
        const hostname = live[round % live.length]?.hostname ?? "";
        await visit({ edges: of("edge"), ca, hostname, firstEdge: round }, visits);
      }
    });
    const connecting = (async () => {
      while (!hasEnded && fresh.length < maxCreated) {
        fresh.push(await connect());
        await delay(100);
      }
    })();
    try {
      for (let round = 0; round < rounds; round += 1) {
        for (const member of fleet.members) {
          const before = visits.served;
          await member.killAndRestart();
          await until(async () => visits.served > before + 20, "visits continue");
        }
      }
    } finally {
      hasEnded = true;
      await Promise.all([...visiting, connecting]);
    }
    for (const one of fresh) {
      await until(() => isLive(one), `${one.hostname} live`).catch(async (error: unknown) => {
        // Its timeline shows what it waits for.
        const { text } = await ask(`/v1/connections/${one.id}/events`);
        throw new Error(text, { cause: error });
      });
    }
    assert.deepEqual(visits.failed, []);
    assert.ok(visits.cut <= rounds * 2 * clients, `${visits.cut} cut`);
    const emitted = await allEvents();
    const completed = emitted.filter(({ type }) => type === "domain.flow.completed");
    assert.equal(completed.length, live.length + fresh.length);
    const got = () => new Set(receiver.received.map(({ headers }) => headers["x-svc-event-id"]));
    await until(async () => {
      const ids = got();
      return emitted.every(({ id }) => ids.has(id));
    }, "every event delivered");
    t.diagnostic(
      `${rounds * fleet.members.length} kills: ${visits.served} pages served, ${visits.cut} cut with their edge, ${visits.shed} sent on by a busy one, 0 failed; ${live.length + fresh.length} connections live; ${emitted.length} events, ${receiver.received.length} deliveries`,
    );
  });

  async function allEvents(): Promise<readonly { readonly id: string; readonly type: string }[]> {
    const found = [];
    for (let cursor: string | null = ""; cursor !== null; ) {
      const query = new URLSearchParams({ limit: "100", application_id: applicationId });
      if (cursor) query.set("cursor", cursor);
      const page = events.parse((await ask(`/v1/events?${query}`)).json());
      found.push(...page.data);
      cursor = page.next_cursor;
    }
    return found;
  }
});
