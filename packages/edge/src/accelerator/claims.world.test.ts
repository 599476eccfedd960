import assert from "node:assert/strict";
import { once } from "node:events";
import { connect } from "node:net";
import { duplexPair } from "node:stream";
import { after, before, describe, it } from "node:test";
import { connect as connectTls } from "node:tls";
import { type OpenVisit, openVisit, openVisitH2, visit } from "@mooring/testing/clients/visit";
import {
  type AcceleratedEdge,
  startAcceleratedEdge,
} from "@mooring/testing/edge/accelerator/accelerated-edge";
import { parseStatus, readUntil } from "@mooring/testing/edge/client";
import { startOrigin, type TestOrigin } from "@mooring/testing/edge/origin";
import { until } from "@mooring/testing/processes/until";

const claims = {
  before: { connectionId: "0198c0de-0000-7000-8000-000000000001", epoch: 1 },
  after: { connectionId: "0198c0de-0000-7000-8000-000000000002", epoch: 2 },
};

describe("a connection to a promoted name that is claimed by somebody else", () => {
  let edge: AcceleratedEdge;
  let firstOrigin: TestOrigin;
  let secondOrigin: TestOrigin;
  before(async () => {
    [firstOrigin, secondOrigin] = [await startOrigin(), await startOrigin()];
    edge = await startAcceleratedEdge({ times: { retireMs: 50 } });
  });
  after(async () => {
    await edge?.close();
    await Promise.all([firstOrigin.close(), secondOrigin.close()]);
  });
  const ca = (): string => edge.authority.certificatePem;

  async function claim(hostname: string): Promise<void> {
    edge.hosts.set(hostname, { originUrl: firstOrigin.url, ...claims.before });
    await edge.promote(hostname);
  }

  /** Somebody else has the name now, and HAProxy serves it under that claim. */
  async function claimAgain(hostname: string): Promise<void> {
    edge.hosts.delete(hostname);
    edge.promotion.removed(hostname);
    await until(() => !edge.promotion.isPromoted(hostname), "the release", 5_000);
    edge.leaves.delete(hostname);
    edge.hosts.set(hostname, { originUrl: secondOrigin.url, ...claims.after });
    await edge.promote(hostname);
    const served = await edge.served();
    assert.equal((await visit(edge.httpsPort, hostname, ca())).status, 200);
    assert.equal(await edge.served(), served + 1);
  }

  it("has none of its requests served, the first one neither", async () => {
    const hostname = "moved.example";
    await claim(hostname);
    const open: readonly OpenVisit[] = [
      await openVisit(edge.httpsPort, hostname, ca()),
      await openVisitH2(edge.httpsPort, hostname, ca()),
      await openVisit(edge.httpsPort, hostname, ca()),
      await openVisitH2(edge.httpsPort, hostname, ca()),
    ];
    // The first two have no request before the change.
    for (const used of open.slice(2)) assert.equal(await used.get(), 200);
    await claimAgain(hostname);
    const [served, received] = [await edge.served(), secondOrigin.received.length];
    for (const one of open) assertNotServed(await one.get());
    assert.equal(await edge.served(), served);
    assert.equal(secondOrigin.received.length, received);
    for (const one of open) one.close();
  });

  it("has none when its handshake began before the change and ended after it", async () => {
    const requests = {
      "fast.example": "GET / HTTP/1.1\r\n",
      "decrypted.example": "POST / HTTP/1.1\r\nContent-Length: 0\r\n",
    };
    for (const [hostname, request] of Object.entries(requests)) {
      await claim(hostname);
      const wire = connect(edge.httpsPort, "127.0.0.1");
      const [near, far] = duplexPair();
      far.pipe(wire);
      const socket = connectTls({ socket: near, servername: hostname, ca: ca() });
      // The certificate is chosen, and the visitor has not read it.
      await once(wire, "readable");
      await claimAgain(hostname);
      const [served, received] = [await edge.served(), secondOrigin.received.length];
      wire.pipe(far);
      await once(socket, "secureConnect");
      const answer = readUntil(socket, (text) => text.includes("\r\n\r\n"));
      socket.write(`${request}Host: ${hostname}\r\n\r\n`);
      assertNotServed(await answer.then(parseStatus, () => null));
      assert.equal(await edge.served(), served);
      assert.equal(secondOrigin.received.length, received);
      socket.destroy();
      wire.destroy();
    }
  });
});

/** Refused by the Node edge, or cut by the accelerator before. */
function assertNotServed(status: number | null): void {
  assert.ok(status === 421 || status === null, String(status));
}
