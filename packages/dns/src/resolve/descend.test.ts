import assert from "node:assert/strict";
import { describe, test } from "node:test";
import {
  type Behaviour,
  type ScriptedDns,
  type ScriptedQuestion,
  SILENCE,
  startScriptedDns,
} from "@mooring/testing/dns/scripted-dns";
import { a, answerFrom, cname, ns } from "@mooring/testing/dns/scripted-zone";
import { freePort } from "@mooring/testing/processes/free-port";
import { createNetworkResolver } from "./network-resolver.ts";
import type { Resolver } from "./resolver.ts";

/**
 * A resolver that knows the delegation of the registered domain, its servers, and a child zone's.
 */
async function startWorld(
  context: { after(stop: () => Promise<void>): void },
  servers: Readonly<Record<string, (question: ScriptedQuestion) => Behaviour>>,
): Promise<{ resolver: Resolver; recursive: ScriptedDns }> {
  const port = await freePort();
  const delegation = answerFrom([
    ns("acme.example", "ns1.acme.example"),
    ns("acme.example", "ns2.acme.example"),
    a("ns1.acme.example", "127.0.0.41"),
    a("ns2.acme.example", "127.0.0.42"),
    a("ns.child.example", "127.0.0.43"),
  ]);
  const recursive = await startScriptedDns({ address: "127.0.0.40", port, behave: delegation });
  const others = await Promise.all(
    Object.entries(servers).map(([address, behave]) => startScriptedDns({ address, port, behave })),
  );
  context.after(async () => {
    await Promise.all([recursive, ...others].map((server) => server.stop()));
  });
  const limits = { attemptTimeoutMs: 8_000, udpAttempts: 1 };
  const resolver = createNetworkResolver({
    resolvers: [`127.0.0.40:${port}`],
    authoritativePort: port,
    limits,
  });
  return { resolver, recursive };
}

const acme = answerFrom([ns("acme.example", "ns1.acme.example"), a("acme.example", "192.0.2.1")], {
  soa: "acme.example",
});
const signal = new AbortController().signal;

describe("the search for a zone", () => {
  const hidden = ["_service-challenge.new.shop.acme.example", "new.acme.example"];
  for (const name of hidden) {
    test(`never asks a resolver for ${name}, which does not exist yet`, async (t) => {
      const world = await startWorld(t, { "127.0.0.41": acme, "127.0.0.42": acme });
      const found = await world.resolver.findZone(name, signal);
      assert.ok(found.outcome === "found" && found.zone === "acme.example");
      const asked = new Set(world.recursive.seen.map((question) => question.name));
      assert.deepEqual(asked, new Set(["acme.example", "ns1.acme.example", "ns2.acme.example"]));
    });
  }

  test("follows a referral to the servers of a zone below", async (t) => {
    const refer = (question: ScriptedQuestion): Behaviour =>
      `.${question.name}`.endsWith(".shop.acme.example")
        ? { authoritative: false, authorities: [ns("shop.acme.example", "ns.child.example")] }
        : acme(question);
    const child = answerFrom([ns("shop.acme.example", "ns.child.example")], {
      soa: "shop.acme.example",
    });
    const servers = { "127.0.0.41": refer, "127.0.0.42": refer, "127.0.0.43": child };
    const { resolver } = await startWorld(t, servers);
    assert.deepEqual(await resolver.findZone("www.shop.acme.example", signal), {
      outcome: "found",
      zone: "shop.acme.example",
      servers: [{ host: "ns.child.example", addresses: ["127.0.0.43"] }],
    });
  });

  test("finds a zone below on the same servers, also behind a CNAME", async (t) => {
    const child = answerFrom(
      [
        ns("shop.acme.example", "ns1.acme.example"),
        cname("www.shop.acme.example", "elsewhere.example"),
      ],
      { soa: "shop.acme.example" },
    );
    const both = (question: ScriptedQuestion): Behaviour =>
      `.${question.name}`.endsWith(".shop.acme.example") ? child(question) : acme(question);
    const { resolver } = await startWorld(t, { "127.0.0.41": both, "127.0.0.42": both });
    for (const name of ["new.shop.acme.example", "www.shop.acme.example", "shop.acme.example"]) {
      const found = await resolver.findZone(name, signal);
      assert.ok(found.outcome === "found" && found.zone === "shop.acme.example", name);
    }
  });

  test("does not wait for a silent server while another one answers", async (t) => {
    const { resolver } = await startWorld(t, { "127.0.0.41": () => SILENCE, "127.0.0.42": acme });
    const startedAt = performance.now();
    const found = await resolver.findZone("new.acme.example", signal);
    assert.ok(found.outcome === "found" && found.servers.length === 2);
    assert.ok(performance.now() - startedAt < 7_500, "the silent server was waited for");
  });
});
