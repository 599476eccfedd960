import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { memoryResolver, records } from "@mooring/testing/dns/memory-resolver";
import type { Host } from "../../hosts/host.ts";
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
  own: null,
};
const account = "https://ca.example/acct/1";

function check(value: string, accountUri: Issuer["accountUri"] = async () => account) {
  const issuer: Issuer = {
    name: "https://ca.example/directory",
    isLimited: true,
    obtain: () => Promise.reject(new Error("nothing is ordered here")),
    accountUri,
  };
  const lines = ["shop.acme.example 60 A 192.0.2.1", `acme.example 60 CAA 0 issue "${value}"`];
  const held = records(...lines);
  const preflight = createPreflight({
    resolver: memoryResolver({ zone: "acme.example", servers: { ns1: held }, recursive: [] }),
    edgeAddresses: ["192.0.2.1"],
    edgeCname: "edge.example",
    caaNames: () => ["ca.example"],
    delegation: null,
    front: null,
  });
  return preflight.check(host, issuer, new AbortController().signal);
}

const isForbidden = (text: RegExp) => (error: unknown) =>
  error instanceof IssueError && error.code === "caa_forbidden" && text.test(error.message);

describe("CAA before an order", () => {
  it("leaves the methods that a record names, and all without one", async () => {
    assert.deepEqual(await check("ca.example; validationmethods=dns-01,http-01"), ["http-01"]);
    assert.equal(await check("ca.example"), undefined);
  });

  it("stops an order of another account than the named one, and names the parameter", async () => {
    await check(`ca.example; accounturi=${account}`);
    await assert.rejects(
      check("ca.example; accounturi=https://ca.example/acct/2"),
      isForbidden(/accounturi=https:\/\/ca\.example\/acct\/2 is not our account/),
    );
    await assert.rejects(
      check("ca.example; validationmethods=dns-01"),
      isForbidden(/validationmethods=dns-01/),
    );
  });

  it("waits for a CA that does not tell its account, and does not ask for it in vain", async () => {
    const away = async () => {
      throw new IssueError("ca_unavailable", "no answer");
    };
    await assert.rejects(check(`ca.example; accounturi=${account}`, away), {
      code: "ca_unavailable",
    });
    await check("ca.example", away);
  });
});
