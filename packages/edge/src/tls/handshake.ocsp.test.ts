import assert from "node:assert/strict";
import { once } from "node:events";
import { after, afterEach, before, describe, it } from "node:test";
import { connect, type SecureContext, type SecureVersion } from "node:tls";
import type { EgressResponse } from "@mooring/egress";
import { silent } from "@mooring/testing/edge/edge-database";
import { startTestEdge, type TestEdge } from "@mooring/testing/edge/test-edge";
import { until } from "@mooring/testing/processes/until";
import { createOcspStats } from "../metrics/ocsp.ts";
import recorded from "./ocsp/fixtures/responses.json" with { type: "json" };
import { createOcspStaples, type OcspStaplesParts } from "./ocsp/staples.ts";

const good = Buffer.from(recorded.responses.byIssuer, "base64");

describe("the staple of a handshake", () => {
  let edge: TestEdge;
  let context: SecureContext;
  const stops: (() => void)[] = [];
  before(async () => {
    edge = await startTestEdge();
    edge.hosts.set("shop.example");
    context = await edge.certificates.makeContext("shop.example");
  });
  afterEach(() => {
    for (const stop of stops.splice(0)) stop();
  });
  after(() => edge.close());

  /** The edge serves as with a certificate of this chain. */
  function serve(chain: string, request: OcspStaplesParts["guard"]["request"]) {
    const stats = createOcspStats();
    const staples = createOcspStaples({
      guard: { request },
      clock: { now: () => new Date(recorded.recordedAt) },
      log: silent,
      stats,
      random: () => 0,
    });
    stops.push(staples.stop);
    staples.attach(context, chain);
    edge.certificates.staples = staples;
    return stats;
  }

  /** What a client gets that asks for a staple; null for nothing. */
  async function visit(version: SecureVersion = "TLSv1.3"): Promise<Buffer | null> {
    let staple: Buffer | null = null;
    const socket = connect({
      host: "127.0.0.1",
      port: edge.httpsPort,
      servername: "shop.example",
      ca: edge.authority.certificatePem,
      requestOCSP: true,
      minVersion: version,
      maxVersion: version,
    });
    socket.on("OCSPResponse", (response: Buffer | null) => {
      staple = response;
    });
    await once(socket, "secureConnect");
    socket.destroy();
    return staple;
  }

  it("is the responder's answer as it came, over both versions of TLS", async () => {
    const answer = { status: 200, truncated: false, body: good } as EgressResponse;
    const stats = serve(recorded.chains.good, async () => answer);
    await until(() => stats.good === 1, "the first answer");
    for (const version of ["TLSv1.2", "TLSv1.3"] as const) {
      assert.deepEqual(await visit(version), good, version);
    }
  });

  it("is none when the certificate is revoked", async () => {
    const body = Buffer.from(recorded.responses.revoked, "base64");
    const answer = { status: 200, truncated: false, body } as EgressResponse;
    const stats = serve(recorded.chains.revoked, async () => answer);
    await until(() => stats.revoked === 1, "the revocation");
    assert.equal(await visit(), null);
  });

  it("is not waited for while the responder is silent", async () => {
    let asked = 0;
    serve(recorded.chains.good, () => {
      asked += 1;
      return new Promise(() => undefined);
    });
    assert.equal(await visit(), null);
    assert.equal(await visit(), null);
    assert.equal(asked, 1);
  });

  it("is asked of nobody for a certificate without a responder", async () => {
    const stats = serve(edge.authority.certificatePem, () => assert.fail("a responder was asked"));
    assert.equal(await visit(), null);
    assert.deepEqual(stats, createOcspStats());
  });
});
