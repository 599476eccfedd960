import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Resolver } from "@mooring/dns";
import { memoryResolver, records } from "../../../../test/support/memory-resolver.ts";
import type { Host } from "../hosts/host.ts";
import { IssueError, type Issuer } from "./issuer.ts";
import { createPreflight } from "./preflight.ts";

const host: Host = {
  hostname: "shop.acme.example",
  epoch: 1,
  environment: "live",
  connectionId: "c",
  applicationId: "a",
  tenantId: "t",
  registrableDomain: "acme.example",
  originUrl: null,
  originHostHeader: "preserve",
};
const issuer: Issuer = {
  name: "https://ca.example/directory",
  isLimited: true,
  obtain: () => Promise.reject(new Error("nothing is ordered here")),
};
const edge = "edge.example 60 A 192.0.2.9";

function resolverOf(...lines: readonly string[]): Resolver {
  return memoryResolver({ zone: "example", servers: {}, recursive: records(...lines, edge) });
}

/** `ok`, or the error code of the refused order. */
async function verdict(resolver: Resolver, by = issuer): Promise<string> {
  const preflight = createPreflight({
    resolver,
    edgeAddresses: ["192.0.2.1", "2001:db8::1"],
    edgeCname: "edge.example",
    caaNames: () => ["ca.example"],
  });
  try {
    await preflight.check(host, by, new AbortController().signal);
    return "ok";
  } catch (error) {
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
    ["stops a name without an address", [], "certificate_failed"],
    ["stops an address elsewhere", ["shop.acme.example 60 A 192.0.2.7"], "certificate_failed"],
    [
      "stops ours with another beside it, where the CA may go",
      [ours, "shop.acme.example 60 AAAA 2001:db8::7"],
      "certificate_failed",
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

  it("stops when the addresses or CAA cannot be looked up", async () => {
    const works = resolverOf(ours);
    for (const failing of ["A", "AAAA", "CAA"]) {
      const resolver: Resolver = {
        ...works,
        resolve: async (name, type, signal) =>
          type === failing && name === host.hostname
            ? { outcome: "failed", reason: "unreachable" }
            : works.resolve(name, type, signal),
      };
      assert.equal(await verdict(resolver), "certificate_failed", failing);
    }
  });

  it("checks nothing for the local issuer", async () => {
    assert.equal(await verdict(resolverOf(), { ...issuer, isLimited: false }), "ok");
  });
});
