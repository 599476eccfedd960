import assert from "node:assert/strict";
import { after, afterEach, before, describe, it } from "node:test";
import type { SecureContext } from "node:tls";
import { createGuard } from "@mooring/egress";
import { createMovableClock } from "@mooring/testing/edge/edge-database";
import {
  createOcspAuthority,
  type OcspAuthority,
  type OcspPair,
} from "@mooring/testing/edge/ocsp-authority";
import { opensslClient } from "@mooring/testing/edge/openssl-client";
import { startTestEdge, type TestEdge } from "@mooring/testing/edge/test-edge";
import { freePort } from "@mooring/testing/processes/free-port";
import { until } from "@mooring/testing/processes/until";
import { createOcspStats } from "../metrics/ocsp.ts";
import { createOcspStaples, type OcspStaples, type OcspStaplesParts } from "./ocsp/staples.ts";
import { createServerContext } from "./secure-context.ts";

const dayMs = 86_400_000;
const good = /OCSP Response Status: successful.*Cert Status: good/s;
const none = /OCSP response: no response sent/;

describe("OCSP stapling", () => {
  let authority: OcspAuthority;
  let edge: TestEdge;
  let port = 0;
  let leaf: OcspPair;
  let demanding: OcspPair;
  const logged: string[] = [];
  const note = (_fields: object, message: string): number => logged.push(message);
  const log = { debug: note, info: note, warn: note, error: note };
  const stops: (() => unknown)[] = [];

  before(async () => {
    authority = await createOcspAuthority("Stapling CA");
    port = await freePort();
    const named = [
      "subjectAltName=DNS:shop.example",
      `authorityInfoAccess=OCSP;URI:http://127.0.0.1:${port}/`,
    ];
    leaf = await authority.issue("shop", 4097, named);
    demanding = await authority.issue("must", 4098, [...named, "tlsfeature=status_request"]);
    edge = await startTestEdge();
    edge.hosts.set("shop.example");
  });
  afterEach(async () => {
    for (const stop of stops.splice(0)) await stop();
    logged.length = 0;
  });
  after(async () => {
    await edge.close();
    await authority.remove();
  });

  function openStaples(
    guard: OcspStaplesParts["guard"] = createGuard({ allowPrivate: "loopback" }),
  ) {
    const clock = createMovableClock();
    const stats = createOcspStats();
    const staples = createOcspStaples({ guard, clock, log, stats, random: () => 0 });
    stops.push(staples.stop);
    return { staples, clock, stats };
  }

  /** Serves the certificate from now on. */
  function attach(staples: OcspStaples, { cert, key }: OcspPair): SecureContext {
    const chain = cert + authority.cert;
    const context = createServerContext({ cert: chain, key });
    staples.attach(context, chain);
    edge.certificates.answer = async () => context;
    edge.certificates.staples = staples;
    return context;
  }

  const visit = (...options: readonly string[]): Promise<string> =>
    opensslClient(edge.httpsPort, "shop.example", ["-CAfile", authority.certFile, ...options]);

  it("gives clients that ask the answer of a real responder, until it is revoked", async () => {
    await authority.setStatus({ 4097: "V" });
    const stop = await authority.serve(port);
    const { staples, clock, stats } = openStaples();
    attach(staples, leaf);
    await until(() => stats.good === 1, "the first answer");
    for (const version of ["-tls1_2", "-tls1_3"]) {
      const printed = await visit("-status", version);
      assert.match(printed, good, version);
      assert.match(printed, /Verify return code: 0/);
    }
    assert.doesNotMatch(await visit(), /OCSP/, "a client that does not ask gets none");
    staples.refresh();
    assert.equal(stats.good, 1, "nothing is asked before half of the validity");

    await stop();
    await authority.setStatus({ 4097: "R" });
    stops.push(await authority.serve(port));
    clock.advance(3.6 * dayMs);
    staples.refresh();
    await until(() => stats.revoked === 1, "the revocation");
    assert.match(await visit("-status"), none);
    assert.ok(logged.includes("certificate is revoked"));
  });

  it("keeps an answer through failures, whose pauses grow, but not beyond its end", async () => {
    await authority.setStatus({ 4097: "V" });
    const stop = await authority.serve(port);
    const { staples, clock, stats } = openStaples();
    const context = attach(staples, leaf);
    await until(() => stats.good === 1, "the first answer");
    await stop();
    clock.advance(3.6 * dayMs);
    for (const [failures, pauseMs] of [60_000, 120_000, 240_000].entries()) {
      assert.notEqual(staples.current(context), null);
      await until(() => stats.unreachable === failures + 1, "a failure");
      clock.advance(pauseMs - 10_000);
      staples.current(context);
      staples.refresh();
      assert.equal(stats.unreachable, failures + 1, "it is not asked during the pause");
      clock.advance(11_000);
    }
    clock.advance(3.5 * dayMs);
    assert.equal(staples.current(context), null);
    await until(() => stats.unreachable === 4, "a failure");
    stops.push(await authority.serve(port));
    clock.advance(3_600_000);
    assert.equal(staples.current(context), null);
    await until(() => stats.invalid === 1, "an answer of a responder whose clock is a week behind");
  });

  it("asks nobody at a private address", async () => {
    const guarded = openStaples(createGuard());
    attach(guarded.staples, leaf);
    await until(() => guarded.stats.unreachable === 1, "the refusal");
    assert.match(await visit("-status"), none);
  });

  it("is ready before a certificate that demands it is served, or warns", async () => {
    await authority.setStatus({ 4098: "V" });
    const stop = await authority.serve(port);
    const chain = demanding.cert + authority.cert;
    const { staples } = openStaples();
    await staples.prepare(chain, "shop.example");
    attach(staples, demanding);
    assert.match(await visit("-status"), good);
    assert.equal(logged.length, 0);
    await stop();
    await openStaples().staples.prepare(chain, "shop.example");
    assert.ok(logged.includes("certificate demands an OCSP staple, none is known"));
  });
});
