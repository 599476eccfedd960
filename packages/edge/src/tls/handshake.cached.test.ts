import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { TLSSocket } from "node:tls";
import {
  connectTo,
  parseStatus,
  readUntil,
  request,
  roundTrip,
} from "@mooring/testing/edge/client";
import { startOrigin, type TestOrigin } from "@mooring/testing/edge/origin";
import { startTestEdge, type TestEdge } from "@mooring/testing/edge/test-edge";

describe("a cached certificate", () => {
  let edge: TestEdge;
  let origin: TestOrigin;
  before(async () => {
    edge = await startTestEdge();
    edge.certificates.hasCached = true;
    origin = await startOrigin();
    for (const name of ["a.example", "b.example", "removed.example"]) {
      edge.hosts.set(name, { originUrl: origin.url });
      // The first handshake creates it.
      (await connectTo(edge, name)).destroy();
    }
  });
  after(async () => {
    await edge.close();
    await origin.close();
  });

  it("serves without a lookup", async () => {
    const asked = edge.certificates.asked.length;
    assert.equal(parseStatus(await roundTrip(edge, "a.example", request("a.example"))), 200);
    assert.equal(edge.certificates.asked.length, asked);
  });

  it("is the one of the requested name, also when names alternate", async () => {
    for (const name of ["a.example", "b.example", "A.Example", "b.example"]) {
      const socket = await connectTo(edge, name);
      assert.equal(socket.getPeerCertificate().subjectaltname, `DNS:${name.toLowerCase()}`);
      socket.destroy();
    }
  });

  it("is not served for a released name", async () => {
    edge.hosts.delete("removed.example");
    await assert.rejects(connectTo(edge, "removed.example"), {
      code: "ERR_SSL_TLSV1_UNRECOGNIZED_NAME",
    });
  });

  for (const version of ["TLSv1.2", "TLSv1.3"] as const) {
    it(`without tickets resumes no session on ${version}`, async () => {
      const session = await sessionOf(await connectTo(edge, "a.example", { maxVersion: version }));
      for (const name of ["a.example", "b.example"]) {
        const again = await connectTo(edge, name, { maxVersion: version, session });
        assert.equal(again.isSessionReused(), false);
        assert.equal(again.getPeerCertificate().subjectaltname, `DNS:${name}`);
        again.destroy();
      }
    });
  }
});

/** After an answer, when whatever there is to resume by has come. */
async function sessionOf(socket: TLSSocket): Promise<Buffer | undefined> {
  const sessions: Buffer[] = [];
  socket.on("session", (session: Buffer) => sessions.push(session));
  socket.write("GET / HTTP/1.1\r\nhost: a.example\r\n\r\n");
  await readUntil(socket, (text) => text.endsWith("origin"));
  const session = sessions.at(-1) ?? socket.getSession();
  socket.destroy();
  return session;
}
