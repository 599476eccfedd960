import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { Resolver } from "@mooring/dns";
import { connect, issueCertificates, verify } from "@mooring/testing/clients/connecting";
import { memoryResolver, records } from "@mooring/testing/dns/memory-resolver";
import { type LifecycleApp, startLifecycle } from "@mooring/testing/processes/lifecycle-app";
import { until } from "@mooring/testing/processes/until";

const zone = "acme.example";
const hostname = `shop.${zone}`;
const edge = "edge.mooring.example";

describe("an origin that answers again", () => {
  let life: LifecycleApp;
  let lines: readonly string[] = [];
  let isSilent = false;
  let unanswered = 0;
  const memory = () => {
    const holding = records(...lines);
    return memoryResolver({
      zone,
      servers: { "ns1.acme.example": holding, "ns2.acme.example": holding },
      recursive: holding,
    });
  };
  /** No answer until the caller has stopped waiting. */
  const answered = <T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> => {
    if (!isSilent) return work();
    const ended = Promise.withResolvers<T>();
    signal.addEventListener("abort", () => {
      unanswered += 1;
      ended.reject(signal.reason);
    });
    return ended.promise;
  };
  const resolver: Resolver = {
    findZone: (name, signal) => answered(signal, () => memory().findZone(name, signal)),
    resolve: (name, type, signal) => answered(signal, () => memory().resolve(name, type, signal)),
    askServer: (server, name, type, options) =>
      answered(options.signal, () => memory().askServer(server, name, type, options)),
  };
  before(async () => {
    life = await startLifecycle({ resolver, env: { EDGE_CNAME: edge, EDGE_IPV4: "192.0.2.7" } });
  });
  after(() => life.close());

  const report = (id: string, failures: readonly Date[], success: Date | null) =>
    life.session.query("select report_origins($1)", [JSON.stringify([{ id, failures, success }])]);
  const recheck = (id: string) =>
    life.session.query("select recheck_connection($1, $2)", [id, life.app.clock.now()]);
  const events = async (id: string): Promise<readonly string[]> => {
    const { rows } = await life.session.query<{ type: string }>(
      "select type from events where connection_id = $1 and type like 'origin.%' order by sequence",
      [id],
    );
    return rows.map(({ type }) => type);
  };

  it("is reported before DNS has answered", async () => {
    const caller = await life.caller("Acme", "live");
    const made = await connect(caller, hostname);
    const proof = `_service-challenge.${hostname} 60 TXT ${made.challenge}`;
    lines = [proof, `${hostname} 60 CNAME ${edge}`, `${edge} 60 A 192.0.2.7`];
    assert.equal((await verify(caller, made.id)).status, 200);
    await life.reach(made.id, "issuing_cert");
    await issueCertificates(life.session);
    await life.reach(made.id, "live");
    const { clock } = life.app;
    const failures = [1, 2, 3, 4, 5].map((ago) => new Date(clock.now().getTime() - ago));
    await report(made.id, failures, null);
    await recheck(made.id);
    await until(async () => (await events(made.id)).length === 1, "origin.unreachable");
    await report(made.id, [], clock.now());
    clock.advance(6_000);
    isSilent = true;
    await recheck(made.id);
    await until(async () => (await events(made.id)).length === 2, "origin.recovered");
    assert.deepEqual(await events(made.id), ["origin.unreachable", "origin.recovered"]);
    assert.equal(unanswered, 0, "nothing that DNS was asked had to be given up first");
    isSilent = false;
  });
});
