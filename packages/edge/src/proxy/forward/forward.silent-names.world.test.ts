import assert from "node:assert/strict";
import { createSocket, type Socket as UdpSocket } from "node:dgram";
import { once } from "node:events";
import { after, before, describe, it } from "node:test";
import { createGuard } from "@mooring/egress";
import { startBindRecursive } from "@mooring/testing/dns/bind-recursive";
import { type DnsServer, startKnot } from "@mooring/testing/dns/dns-servers";
import { parseStatus, request, roundTrip } from "@mooring/testing/edge/client";
import { startOrigin, type TestOrigin } from "@mooring/testing/edge/origin";
import { startTestEdge, type TestEdge } from "@mooring/testing/edge/test-edge";
import { freePort } from "@mooring/testing/processes/free-port";
import { until } from "@mooring/testing/processes/until";

const silentNames = 200;
const healthyNames = 20;

/** A recursive BIND, which gets answers for one zone and none for another. */
describe("origins whose name servers are silent", () => {
  let knot: DnsServer;
  let bind: { stop(): Promise<void> };
  let silent: UdpSocket;
  let origin: TestOrigin;
  let edge: TestEdge;
  let questions = 0;
  before(async () => {
    const authoritativePort = await freePort();
    const port = await freePort();
    silent = createSocket("udp4").bind(authoritativePort, "127.0.0.72");
    silent.on("message", () => {
      questions += 1;
    });
    await once(silent, "listening");
    knot = await startKnot({
      address: "127.0.0.71",
      port: authoritativePort,
      zones: { "alive.example": "@ NS ns.alive.example.\nns A 127.0.0.71\n* A 127.0.0.1" },
    });
    bind = await startBindRecursive({
      address: "127.0.0.73",
      port,
      zones: { "alive.example": ["127.0.0.71"], "silent.example": ["127.0.0.72"] },
      authoritativePort,
    });
    origin = await startOrigin();
    edge = await startTestEdge({
      originGuard: createGuard({ allowPrivate: true, nameServers: [`127.0.0.73:${port}`] }),
    });
    for (let index = 0; index < silentNames; index += 1) {
      edge.hosts.set(`s${index}.example`, {
        tenantId: "silent",
        originUrl: `http://n${index}.silent.example:${origin.port}`,
      });
    }
    for (let index = 0; index < healthyNames; index += 1) {
      edge.hosts.set(`h${index}.example`, {
        tenantId: "healthy",
        originUrl: `http://n${index}.alive.example:${origin.port}`,
      });
    }
  });
  after(async () => {
    await edge.close();
    await Promise.all([origin.close(), bind.stop(), knot.stop()]);
    silent.close();
  });

  it("delay no other tenant's, by name and for the first time", async () => {
    let answered = 0;
    const waiting = Array.from({ length: silentNames }, async (_, index) => {
      const status = parseStatus(
        await roundTrip(edge, `s${index}.example`, request(`s${index}.example`)),
      );
      answered += 1;
      return status;
    });
    await until(() => questions > 0, "a question to the silent server");
    const healthy = await Promise.all(
      Array.from({ length: healthyNames }, (_, index) =>
        roundTrip(edge, `h${index}.example`, request(`h${index}.example`)),
      ),
    );
    const answeredBefore = answered;
    assert.deepEqual(healthy.map(parseStatus), Array(healthyNames).fill(200));
    // Silent ones were still under way: the healthy ones did not wait for their end.
    assert.ok(answeredBefore < silentNames, `${answeredBefore} were over`);
    const statuses = new Set(await Promise.all(waiting));
    assert.ok(
      [...statuses].every((status) => status === 504 || status === 502),
      [...statuses].join(),
    );
  });
});
