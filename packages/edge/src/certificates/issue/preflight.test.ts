import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Resolver } from "@mooring/dns";
import { memoryResolver, records } from "@mooring/testing/dns/memory-resolver";
import type { Host } from "../../hosts/host.ts";
import { IssueError, type Issuer } from "./issuer.ts";
import { NotReady } from "./not-ready.ts";
import { createPreflight, type FrontProbe, type Preflight } from "./preflight.ts";

const host: Host = {
  hostname: "shop.acme.example",
  epoch: 1,
  environment: "live",
  connectionId: "c",
  applicationId: "a",
  tenantId: "t",
  registrableDomain: "acme.example",
  own: null,
};
const issuer: Issuer = {
  name: "https://ca.example/directory",
  isLimited: true,
  obtain: () => Promise.reject(new Error("nothing is ordered here")),
};
const edge = "edge.example 60 A 192.0.2.9";

/** What a caching resolver still has: the name as it was an hour ago. */
const cached = records("shop.acme.example 3600 A 192.0.2.7", edge, `*.${edge}`);

/** The zone at two servers, behind a resolver with an old answer. */
function resolverOf(...lines: readonly string[]): Resolver {
  const held = records(...lines);
  return memoryResolver({
    zone: "acme.example",
    servers: { ns1: held, ns2: held },
    recursive: cached,
  });
}

function preflightOn(resolver: Resolver, front: FrontProbe | null = null): Preflight {
  return createPreflight({
    resolver,
    edgeAddresses: ["192.0.2.1", "2001:DB8:0::1"],
    edgeCname: "edge.example",
    caaNames: () => ["ca.example"],
    delegation: null,
    front,
  });
}

/** `ok`, `waits`, or the error code of the refused order. */
async function verdict(resolver: Resolver, by = issuer): Promise<string> {
  try {
    await preflightOn(resolver).check(host, by, new AbortController().signal);
    return "ok";
  } catch (error) {
    if (error instanceof NotReady) return "waits";
    assert.ok(error instanceof IssueError);
    return error.code;
  }
}

describe("the preflight", () => {
  const ours = "shop.acme.example 60 A 192.0.2.1";
  const table: readonly (readonly [string, readonly string[], string])[] = [
    ["passes an address of ours", [ours], "ok"],
    ["passes both of ours", [ours, "shop.acme.example 60 AAAA 2001:db8::1"], "ok"],
    ["passes the edge's name", ["shop.acme.example 60 CNAME edge.example"], "ok"],
    ["passes a target below it", ["shop.acme.example 60 CNAME abc.edge.example"], "ok"],
    ["waits for a name without an address", [], "waits"],
    ["waits while it resolves elsewhere", ["shop.acme.example 60 A 192.0.2.7"], "waits"],
    [
      "waits while another address is beside ours, where the CA may go",
      [ours, "shop.acme.example 60 AAAA 2001:db8::7"],
      "waits",
    ],
    ["passes CAA that names the CA", [ours, 'acme.example 60 CAA 0 issue "ca.example"'], "ok"],
    [
      "stops CAA that names another",
      [ours, 'acme.example 60 CAA 0 issue "other.example"'],
      "caa_forbidden",
    ],
    [
      "stops CAA that wants another way of validation",
      [ours, 'acme.example 60 CAA 0 issue "ca.example; validationmethods=dns-01"'],
      "caa_forbidden",
    ],
  ];
  for (const [title, lines, expected] of table) {
    it(title, async () => assert.equal(await verdict(resolverOf(...lines)), expected));
  }

  it("waits while one of the servers has another answer, and says how long that may be remembered", async () => {
    const stale = records("shop.acme.example 1800 A 192.0.2.7");
    for (const [behind, seconds] of [
      [[], 30],
      [stale, 1_800],
    ] as const) {
      const servers = { ns1: records(ours), ns2: behind };
      const resolver = memoryResolver({ zone: "acme.example", servers, recursive: cached });
      await assert.rejects(
        preflightOn(resolver).check(host, issuer, new AbortController().signal),
        (error) => error instanceof NotReady && error.cacheSeconds === seconds,
      );
    }
  });

  it("waits when the addresses or CAA cannot be looked up", async () => {
    const works = resolverOf(ours);
    for (const failing of ["A", "AAAA", "CAA"]) {
      const resolver: Resolver = {
        ...works,
        askServer: async (server, name, type, options) =>
          type === failing && name === host.hostname
            ? { outcome: "failed", reason: "unreachable" }
            : works.askServer(server, name, type, options),
      };
      assert.equal(await verdict(resolver), "waits", failing);
    }
  });

  it("lets HTTP-01 alone through a proxy that passes it on, where CAA allows it", async () => {
    const elsewhere = "shop.acme.example 60 A 192.0.2.7";
    const { signal } = new AbortController();
    const check = (lines: readonly string[], isPassedOn: boolean) =>
      preflightOn(resolverOf(...lines), async () => isPassedOn).check(host, issuer, signal);
    assert.deepEqual(await check([elsewhere], true), ["http-01"]);
    await assert.rejects(check([elsewhere], false), NotReady);
    const byDns = 'acme.example 60 CAA 0 issue "ca.example; validationmethods=dns-01"';
    await assert.rejects(check([elsewhere, byDns], true), { code: "caa_forbidden" });
    assert.equal(await check([ours], false), undefined);
    const front = preflightOn(resolverOf(elsewhere), async () => true);
    assert.equal(await front.resolvesToUs(host, signal), false);
  });

  it("tells whether a name resolves to us", async () => {
    const { signal } = new AbortController();
    assert.equal(await preflightOn(resolverOf(ours)).resolvesToUs(host, signal), true);
    assert.equal(await preflightOn(resolverOf()).resolvesToUs(host, signal), false);
  });

  it("checks nothing for the local issuer", async () => {
    assert.equal(await verdict(resolverOf(), { ...issuer, isLimited: false }), "ok");
  });
});
