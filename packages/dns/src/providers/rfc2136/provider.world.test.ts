import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import {
  keys,
  makePlan,
  reachBackend,
  rec,
  remove,
  suiteZone,
} from "../../../conformance/cases/case-context.ts";
import {
  type DynamicServer,
  startDynamicServer,
} from "../../../conformance/servers/dynamic-server.ts";
import { runConformance } from "../../../conformance/suite.ts";
import { ProviderError } from "../adapter/errors.ts";
import { rfc2136 } from "./provider.ts";

const oneZone = "a credential names its only zone";
const noLimits = "the protocol cannot ask for fewer requests";

for (const program of ["bind", "knot"] as const) {
  describe(`against a real ${program}`, () => {
    let server: DynamicServer | null = null;
    before(async () => {
      server = await startDynamicServer(program);
    });
    after(() => server?.stop());

    runConformance(rfc2136, {
      simulator: () =>
        server === null ? Promise.reject(new Error("not started")) : server.backend(),
      skippedSince: "2026-11-15",
      skip: [
        { test: "finds the zone of a name by the longest match", reason: oneZone },
        { test: "lists every zone over all pages", reason: oneZone },
        { test: "waits as long as the provider asks, then retries", reason: noLimits },
        { test: "hands a long wait to the caller instead of waiting", reason: noLimits },
        { test: "gives up on persistent throttling as rate_limited", reason: noLimits },
      ],
    });

    it("deletes a text however it is divided into strings", async () => {
      assert.ok(server !== null);
      const backend = await server.backend();
      const text = rec("divided", "TXT", "abcd");
      await backend.seed(suiteZone, []);
      await server.update([`update add ${text.name}. 300 TXT "ab" "cd"`]);
      const provider = rfc2136.open(backend.credentials, reachBackend(backend));
      const zone = { id: suiteZone, name: suiteZone, nameservers: [] };
      await provider.apply(zone, makePlan(suiteZone, [remove(text)]), new AbortController().signal);
      assert.deepEqual(keys(await backend.records(suiteZone)), []);
    });
  });
}

describe("credentials", () => {
  const good = {
    server: "ns1.example.net",
    key_name: "k",
    key_secret: "AAECAwQFBgcICQoL",
    zone: "example.net",
  };
  const dial = () => Promise.reject(new Error("connection refused"));
  const bad = [
    { server: "ns1.example.net:0" },
    { server: "http://ns1.example.net" },
    { key_name: "not a name" },
    { key_algorithm: "hmac-md5.sig-alg.reg.int" },
    { key_secret: "%%%" },
    { zone: "x".repeat(80) },
  ];
  for (const part of bad) {
    it(`refuses ${JSON.stringify(part)}`, () => {
      const opening = () => rfc2136.open({ ...good, ...part }, { fetch, dial });
      assert.throws(opening, (error) => error instanceof ProviderError && error.kind === "auth");
    });
  }

  it("takes an IPv6 address with a port", async () => {
    const observed: unknown[] = [];
    const recording = (host: string, port: number) => {
      observed.push([host, port]);
      return dial();
    };
    const environment = { fetch, wait: async () => undefined, dial: recording };
    const provider = rfc2136.open({ ...good, server: "[2001:db8::1]:5353" }, environment);
    await assert.rejects(provider.listZones(new AbortController().signal));
    assert.deepEqual(observed[0], ["2001:db8::1", 5_353]);
  });

  it("says so when no connection can be opened", () => {
    const opening = () => rfc2136.open(good, { fetch });
    assert.throws(
      opening,
      (error) => error instanceof ProviderError && error.kind === "unsupported",
    );
  });
});
