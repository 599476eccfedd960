import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Host } from "./host.ts";
import { hostLine, hostLines, readApplicationId, readEpoch, readHostLine } from "./host-line.ts";

const host: Host = {
  hostname: "shop.acme.example",
  epoch: 12,
  environment: "live",
  own: null,
  connectionId: "connection",
  applicationId: "application",
  tenantId: "tenant",
  registrableDomain: "acme.example",
};

describe("the line of a host", () => {
  const own = { redirectTo: null, originUrl: "http://origin.example/\t\n", originHostHeader: null };
  const customerRef = 'Müller\t& "Söhne"\n';
  const rules = { deny: ["192.0.2.0/24"], maintenance: { page: "a\tb\nc" } };
  const ruled = { ...own, originUrl: null, rules };
  for (const one of [
    host,
    { ...host, own },
    { ...host, own, customerRef },
    { ...host, own: ruled },
  ]) {
    const what = `with ${Object.keys(one.own ?? {}).length} own settings and ${"customerRef" in one ? "a" : "no"} customer`;
    it(`is read as it was written, ${what}`, () => {
      const line = hostLine(one);
      assert.deepEqual(readHostLine({ hostname: one.hostname, line }), one);
      assert.equal(readEpoch(line), 12);
      assert.equal(readApplicationId(line), "application");
      const again = hostLines(`${one.hostname}\t${line}\n*.other.example\t${line}`);
      assert.deepEqual(again, [
        { hostname: one.hostname, line },
        { hostname: "*.other.example", line },
      ]);
    });
  }

  it("has no own settings where all of them are left to the application", () => {
    const line = hostLine({ ...host, own: { ...own, originUrl: null } });
    assert.equal(readHostLine({ hostname: host.hostname, line }).own, null);
  });
});
