import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { SERVFAIL } from "@mooring/testing/dns/scripted-dns";
import { type ScriptedResolver, scriptedResolver } from "@mooring/testing/dns/scripted-resolver";
import { a, aaaa, answerFrom, cname, ns } from "@mooring/testing/dns/scripted-zone";

describe("findZone", () => {
  const records = [
    ns("acme.example", "ns2.acme.example"),
    ns("acme.example", "ns1.acme.example"),
    ns("sub.acme.example", "ns.sub.acme.example"),
    a("ns1.acme.example", "127.0.0.1"),
    aaaa("ns1.acme.example", "::1"),
    a("ns2.acme.example", "127.0.0.2"),
    a("ns.sub.acme.example", "127.0.0.3"),
    cname("alias.acme.example", "other.example"),
    ns("other.example", "ns.other.example"),
    a("www.bare.example", "192.0.2.1"),
  ];
  const find = ({ resolver }: ScriptedResolver, name: string) =>
    resolver.findZone(name, new AbortController().signal);

  test("gives the deepest zone with every server and all of their addresses", async (t) => {
    const setup = await scriptedResolver(t, answerFrom(records));
    assert.deepEqual(await find(setup, "_service-challenge.shop.acme.example"), {
      outcome: "found",
      zone: "acme.example",
      servers: [
        { host: "ns1.acme.example", addresses: ["127.0.0.1", "::1"] },
        { host: "ns2.acme.example", addresses: ["127.0.0.2"] },
      ],
    });
    const deeper = await find(setup, "a.b.sub.acme.example");
    assert.ok(deeper.outcome === "found" && deeper.zone === "sub.acme.example");
  });

  test("is not led into another zone by a CNAME", async (t) => {
    const setup = await scriptedResolver(t, answerFrom(records));
    const found = await find(setup, "alias.acme.example");
    assert.ok(found.outcome === "found" && found.zone === "acme.example");
  });

  test("finds the zone of a name whose alias leads in a circle, whatever resolvers call it", async (t) => {
    const circle = [
      cname("a.acme.example", "b.acme.example"),
      cname("b.acme.example", "a.acme.example"),
    ];
    const answer = answerFrom([...records, ...circle]);
    const plain = await scriptedResolver(t, answer);
    const failing = await scriptedResolver(t, (query) =>
      query.name === "a.acme.example" ? SERVFAIL : answer(query),
    );
    for (const setup of [plain, failing]) {
      const found = await find(setup, "_service-challenge.a.acme.example");
      assert.ok(found.outcome === "found" && found.zone === "acme.example");
    }
  });

  test("distinguishes unregistered from a name without servers, and never queries above the registered domain", async (t) => {
    const setup = await scriptedResolver(t, answerFrom(records));
    assert.deepEqual(await find(setup, "www.unregistered.example"), { outcome: "unregistered" });
    assert.deepEqual(await find(setup, "www.bare.example"), { outcome: "failed", reason: "lame" });
    assert.ok(setup.server.seen.every(({ name }) => name !== "example"));
  });

  test("returns a server whose host does not resolve, and uses glue for it when given", async (t) => {
    const setup = await scriptedResolver(t, ({ name, type }) => {
      if (type !== "NS") return SERVFAIL;
      if (name !== "acme.example") return { rcode: 3 };
      return {
        answers: [ns(name, "ns1.acme.example"), ns(name, "ns.far.example")],
        additionals: [a("ns1.acme.example", "127.0.0.4"), a("ns.far.example", "127.0.0.5")],
      };
    });
    const found = await find(setup, "acme.example");
    assert.ok(found.outcome === "found");
    assert.deepEqual(found.servers, [
      { host: "ns.far.example", addresses: [] },
      { host: "ns1.acme.example", addresses: ["127.0.0.4"] },
    ]);
  });

  test("fails with the reason when the resolvers fail", async (t) => {
    const setup = await scriptedResolver(t, () => SERVFAIL);
    assert.deepEqual(await find(setup, "_service-challenge.shop.acme.example"), {
      outcome: "failed",
      reason: "servfail",
    });
  });
});
