import assert from "node:assert/strict";
import { once } from "node:events";
import { after, before, describe, it } from "node:test";
import { connect } from "node:tls";
import {
  type AcmeWorld,
  startAcmeWorld,
  untilTried,
  type WorldEdge,
} from "@mooring/testing/acme/world";
import { visit } from "@mooring/testing/clients/visit";
import { until } from "@mooring/testing/processes/until";

/** Pebble uses the system clock, so the test makes the renewal due instead of moving the clock. */
describe("a renewal at two edges, with Pebble as the CA", () => {
  let world: AcmeWorld;
  let root = "";
  before(async () => {
    world = await startAcmeWorld({ certificateSeconds: 30 * 86_400 });
    root = await world.pebble.root();
  });
  after(() => world.close());

  async function serialAt(edge: WorldEdge, hostname: string): Promise<string> {
    const at = { host: "127.0.0.1", port: edge.httpsPort, servername: hostname, ca: root };
    const socket = connect(at);
    await once(socket, "secureConnect");
    const { serialNumber } = socket.getPeerCertificate();
    socket.destroy();
    return serialNumber;
  }

  async function comesDue(hostname: string): Promise<void> {
    await world.life.session.query("update certificates set due_at = $2 where hostname = $1", [
      hostname,
      world.life.app.clock.now(),
    ]);
  }

  async function renewalFlags(id: string): Promise<unknown[]> {
    const { rows } = await world.life.session.query<{ body: string }>(
      "select body from events where connection_id = $1 and type = 'ssl.issued' order by sequence",
      [id],
    );
    return rows.map(({ body }) => {
      const event = JSON.parse(String(body)) as { data: { renewal: boolean } };
      return event.data.renewal;
    });
  }

  it("is a second order, without a gap, and is reported as a renewal", async () => {
    const { id, hostname } = await world.goLive("renewed.acme.example");
    const before = await Promise.all(world.edges.map((edge) => serialAt(edge, hostname)));
    assert.equal(new Set(before).size, 1);
    const [first] = before;
    await until(async () => (await renewalFlags(id)).length === 1);
    await comesDue(hostname);
    for (const edge of world.edges) {
      await until(async () => {
        assert.equal((await visit(edge.httpsPort, hostname, root)).status, 200);
        return (await serialAt(edge, hostname)) !== first;
      });
    }
    const serials = await Promise.all(world.edges.map((edge) => serialAt(edge, hostname)));
    assert.equal(new Set(serials).size, 1, "every edge serves the new one");
    assert.equal(await world.countOrders(hostname), 2);
    await until(async () => {
      await world.life.checkAll();
      return (await renewalFlags(id)).length === 2;
    });
    assert.deepEqual(await renewalFlags(id), [false, true]);
  });

  it("serves the old certificate while the CA is unavailable, and renews it afterwards", async () => {
    const { hostname } = await world.goLive("outage.acme.example");
    const [edge] = world.edges;
    assert.ok(edge);
    const first = await serialAt(edge, hostname);
    await world.pebble.stop();
    const status = async (): Promise<Record<string, unknown>> => {
      const { rows } = await world.life.session.query<Record<string, unknown>>(
        "select status, failures, error_code from certificates where hostname = $1",
        [hostname],
      );
      return rows[0] ?? {};
    };
    await comesDue(hostname);
    await until(async () => (await status())["error_code"] === "ca_unavailable");
    assert.deepEqual([(await status())["status"], (await status())["failures"]], ["issued", 0]);
    assert.equal(await serialAt(edge, hostname), first);
    const oldRoot = root;
    await world.pebble.restart();
    root = `${oldRoot}\n${await world.pebble.root()}`;
    await untilTried(world, hostname, async () => (await serialAt(edge, hostname)) !== first);
    assert.equal((await visit(edge.httpsPort, hostname, root)).status, 200);
  });
});
