import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { recursiveResolvers } from "./recursive-resolvers.ts";

describe("recursiveResolvers", () => {
  it("takes those configured, else the system's, else public ones", () => {
    assert.deepEqual(recursiveResolvers(["192.0.2.1:5353"], ["192.0.2.2"]), ["192.0.2.1:5353"]);
    assert.deepEqual(recursiveResolvers([], ["192.0.2.2"]), ["192.0.2.2"]);
    assert.deepEqual(recursiveResolvers([], []), ["1.1.1.1", "8.8.8.8", "9.9.9.9"]);
  });

  it("writes IPv6 addresses in brackets and passes over link-local ones", () => {
    const system = ["fe80::1%eth0", "2001:db8::53", "[2001:db8::54]:53"];
    assert.deepEqual(recursiveResolvers([], system), ["[2001:db8::53]", "[2001:db8::54]:53"]);
    assert.deepEqual(recursiveResolvers([], ["fe80::1%eth0"]).length, 3);
  });
});
