import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { after, before, describe, it } from "node:test";
import type { TLSSocket } from "node:tls";
import { connectTo, parseStatus, readAll, readUntil, request } from "@mooring/testing/edge/client";
import { startOrigin, type TestOrigin } from "@mooring/testing/edge/origin";
import { startTestEdge, type TestEdge } from "@mooring/testing/edge/test-edge";

const versions = ["TLSv1.2", "TLSv1.3"] as const;

describe("a resumed session", () => {
  let edge: TestEdge;
  let origin: TestOrigin;
  before(async () => {
    edge = await startTestEdge();
    edge.certificates.ticketSecrets = [{ id: "only", secret: randomBytes(32) }];
    edge.certificates.hasCached = true;
    origin = await startOrigin();
    for (const name of ["a.example", "b.example", "removed.example"]) {
      edge.hosts.set(name, { originUrl: origin.url });
    }
  });
  after(async () => {
    await edge.close();
    await origin.close();
  });

  /** The newest that came with an answer. */
  async function readSession(socket: TLSSocket, hostname: string): Promise<Buffer> {
    const sessions: Buffer[] = [];
    socket.on("session", (session: Buffer) => sessions.push(session));
    socket.write(`GET / HTTP/1.1\r\nhost: ${hostname}\r\n\r\n`);
    await readUntil(socket, (text) => text.endsWith("origin"));
    const session = sessions.at(-1) ?? socket.getSession();
    socket.destroy();
    assert.ok(session);
    return session;
  }

  for (const version of versions) {
    const only = { minVersion: version, maxVersion: version };

    it(`serves its own name on ${version}, again and again`, async () => {
      let session = await readSession(await connectTo(edge, "a.example", only), "a.example");
      for (const name of ["a.example", "a.example", "a.example"]) {
        const again = await connectTo(edge, name, { ...only, session });
        assert.equal(again.isSessionReused(), true);
        assert.equal(again.getProtocol(), version);
        session = await readSession(again, name);
      }
    });

    it(`chooses the application protocol again on ${version}`, async () => {
      const first = await connectTo(edge, "a.example", only);
      const session = await readSession(first, "a.example");
      for (const protocol of ["h2", "http/1.1"]) {
        const again = await connectTo(edge, "a.example", {
          ...only,
          session,
          ALPNProtocols: [protocol],
        });
        assert.deepEqual([again.isSessionReused(), again.alpnProtocol], [true, protocol]);
        again.destroy();
      }
      await assert.rejects(
        connectTo(edge, "a.example", { ...only, session, ALPNProtocols: ["spdy/3"] }),
        /no application protocol/,
      );
    });

    it(`never serves another name on ${version}`, async () => {
      const session = await readSession(await connectTo(edge, "a.example", only), "a.example");
      const other = await connectTo(edge, "b.example", { ...only, session });
      assert.equal(other.isSessionReused(), false);
      assert.equal(other.getPeerCertificate().subjectaltname, "DNS:b.example");
      other.destroy();
      await assert.rejects(connectTo(edge, "unknown.example", { ...only, session }), {
        code: "ERR_SSL_TLSV1_UNRECOGNIZED_NAME",
      });
    });

    it(`is refused for a name that is gone on ${version}`, async () => {
      edge.hosts.set("removed.example", { originUrl: origin.url });
      const first = await connectTo(edge, "removed.example", only);
      const session = await readSession(first, "removed.example");
      edge.hosts.delete("removed.example");
      await assert.rejects(connectTo(edge, "removed.example", { ...only, session }), {
        code: "ERR_SSL_TLSV1_UNRECOGNIZED_NAME",
      });
    });
  }

  it("is as good for a request as a new one", async () => {
    const session = await readSession(await connectTo(edge, "a.example"), "a.example");
    const again = await connectTo(edge, "a.example", { session });
    assert.equal(again.isSessionReused(), true);
    const answer = readAll(again);
    // Of a connection to a.example, whatever the session is.
    again.write(request("b.example"));
    assert.equal(parseStatus(await answer), 421);
  });
});
