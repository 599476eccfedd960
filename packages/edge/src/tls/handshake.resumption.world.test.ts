import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, before, describe, it } from "node:test";
import { request } from "@mooring/testing/edge/client";
import { opensslClient } from "@mooring/testing/edge/openssl-client";
import { startOrigin, type TestOrigin } from "@mooring/testing/edge/origin";
import { startTestEdge, type TestEdge } from "@mooring/testing/edge/test-edge";

const versions = [
  ["TLSv1.2", "-tls1_2"],
  ["TLSv1.3", "-tls1_3"],
] as const;

describe("a resumed session, in the eyes of OpenSSL's client", () => {
  const directory = mkdtempSync(path.join(tmpdir(), "mooring-tickets-"));
  const file = (name: string): string => path.join(directory, name);
  let edge: TestEdge;
  let origin: TestOrigin;
  before(async () => {
    edge = await startTestEdge();
    edge.certificates.ticketSecrets = [{ id: "only", secret: randomBytes(32) }];
    edge.certificates.hasCached = true;
    origin = await startOrigin();
    for (const name of ["a.example", "b.example"]) {
      edge.hosts.set(name, { originUrl: origin.url });
    }
    writeFileSync(file("ca.pem"), edge.authority.certificatePem);
  });
  after(async () => {
    await edge.close();
    await origin.close();
    rmSync(directory, { recursive: true });
  });

  const openssl = (name: string, ...options: readonly string[]): Promise<string> =>
    opensslClient(edge.httpsPort, name, ["-CAfile", file("ca.pem"), ...options]);

  for (const [version, option] of versions) {
    it(`never serves another name on ${version}`, async () => {
      const saved = file(`session-${version}`);
      const first = await openssl("a.example", option, "-sess_out", saved);
      assert.match(first, /\nNew, TLSv1\.[23]/);
      const own = await openssl("a.example", option, "-sess_in", saved);
      assert.match(own, /\nReused, TLSv1\.[23]/);
      assert.match(own, /HTTP\/1\.1 200/);
      const other = await openssl("b.example", option, "-sess_in", saved, "-msg");
      assert.match(other, /\nNew, TLSv1\.[23]/);
      // The ticket was offered, and the certificate is the one of the requested name.
      assert.match(other, /Verify return code: 0|Verification: OK/);
      assert.match(other, />>> .*ClientHello/);
      assert.match(other, /<<< .*Certificate\n/);
      assert.match(other, /HTTP\/1\.1 200/);
      const unknown = await openssl("unknown.example", option, "-sess_in", saved);
      assert.match(unknown, /unrecognized name/);
    });
  }

  it("is not found by a session id", async () => {
    const saved = file("session-by-id");
    await openssl("a.example", "-tls1_2", "-no_ticket", "-sess_out", saved);
    const again = await openssl("a.example", "-tls1_2", "-no_ticket", "-sess_in", saved);
    assert.match(again, /\nNew, TLSv1\.2/);
  });

  it("carries no early data", async () => {
    const saved = file("session-early");
    await openssl("a.example", "-tls1_3", "-sess_out", saved);
    writeFileSync(file("early"), request("a.example"));
    const early = ["-sess_in", saved, "-early_data", file("early")];
    const again = await openssl("a.example", "-tls1_3", ...early);
    assert.match(again, /\nReused, TLSv1\.3/);
    assert.match(again, /Early data was not sent/);
  });
});
