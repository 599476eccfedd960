import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { memoryResolver, records } from "@mooring/testing/dns/memory-resolver";
import { askAuthority, withoutCaches } from "./at-authority.ts";
import type { Resolver } from "./resolver.ts";

const signal = new AbortController().signal;
const old = records("shop.acme.example 3600 A 192.0.2.7", "edge.host.example 60 A 192.0.2.9");

const question = {
  types: ["A", "AAAA"],
  servers: "every",
  isResolvedAsUsual: (name: string) => name === "edge.host.example",
  signal,
} as const;

async function valuesAt(resolver: Resolver): Promise<readonly (readonly string[])[] | string> {
  const asked = await askAuthority(resolver, "shop.acme.example", question);
  if (asked.outcome === "failed") return asked.reason;
  return asked.answers.map((answer) => answer.records.map(({ value }) => value));
}

describe("asking the servers that own a name", () => {
  const zone = "acme.example";

  test("gives what every server has, whatever a cache still holds", async () => {
    const right = records("shop.acme.example 60 A 192.0.2.1");
    const resolver = memoryResolver({ zone, servers: { ns1: right, ns2: [] }, recursive: old });
    assert.deepEqual(await valuesAt(resolver), [["192.0.2.1"], []]);
    const asked = await askAuthority(resolver, "shop.acme.example", question);
    assert.ok(asked.outcome === "answered");
    assert.deepEqual(
      asked.answers.map(({ server, cacheSeconds }) => [server, cacheSeconds]),
      [
        ["ns1", 60],
        ["ns2", 30],
      ],
    );
  });

  test("follows a CNAME out of the zone, and never believes this zone's servers about its target", async () => {
    const stored = records(
      "shop.acme.example 60 CNAME edge.host.example",
      "edge.host.example 60 A 192.0.2.66",
    );
    const resolver = memoryResolver({ zone, servers: { ns1: stored }, recursive: old });
    assert.deepEqual(await valuesAt(resolver), [["192.0.2.9"]]);
  });

  test("counts servers that name another CNAME target as without an answer, and follows one", async () => {
    const servers = {
      ns1: records("shop.acme.example 60 CNAME edge.host.example"),
      ns2: records("shop.acme.example 60 CNAME old.other.example"),
    };
    const resolver = memoryResolver({ zone, servers, recursive: old });
    assert.deepEqual(await valuesAt(resolver), [["192.0.2.9"], []]);
  });

  test("leaves out a server that does not answer, and fails when none does", async () => {
    const right = records("shop.acme.example 60 A 192.0.2.1");
    const half = memoryResolver({ zone, servers: { ns1: "timeout", ns2: right } });
    assert.deepEqual(await valuesAt(half), [["192.0.2.1"]]);
    const none = memoryResolver({ zone, servers: { ns1: "timeout", ns2: "timeout" } });
    assert.equal(await valuesAt(none), "timeout");
  });

  test("never asks a resolver for a name below the registry, and for a registry's name only one", async () => {
    const asked: string[] = [];
    const inner = memoryResolver({ zone, servers: { ns1: [] } });
    const resolver: Resolver = {
      ...inner,
      resolve: (name, type, inside) => {
        asked.push(`${type} ${name}`);
        return inner.resolve(name, type, inside);
      },
    };
    const careful = withoutCaches(resolver);
    for (const name of ["shop.acme.example", "acme.example", "example"]) {
      assert.equal((await careful.resolve(name, "CAA", signal)).outcome, "absent");
    }
    assert.deepEqual(asked, ["CAA example"]);
  });

  test("ends at a loop of CNAMEs", async () => {
    const inner = memoryResolver({ zone, servers: {} });
    const resolver: Resolver = {
      ...inner,
      findZone: async (name) => ({
        outcome: "found",
        zone: name,
        servers: [{ host: "ns", addresses: [] }],
      }),
      askServer: async (_server, name) => ({
        outcome: "absent",
        rcode: "NOERROR",
        chain: [name === "a.acme.example" ? "b.acme.example" : "a.acme.example"],
        negativeTtlSeconds: null,
        authoritative: true,
      }),
    };
    const asked = await askAuthority(resolver, "a.acme.example", question);
    assert.deepEqual(asked, { outcome: "failed", reason: "cname_loop" });
  });
});
