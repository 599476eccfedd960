import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { applicationRules, connectionRules, readRules } from "./rule-values.ts";

const edge = {
  rate_limit: { requests: 5, per_s: 10, by: "host" as const },
  allow: "off" as const,
  deny: ["192.0.2.0/24", "2001:db8::/32"],
  maintenance: { until: "2026-12-01T06:00:00.000Z", page: "Back soon" },
  basic_auth: { username: "preview" },
};
const before = Date.parse("2026-11-18T00:00:00Z");

describe("the rules in the form", () => {
  it("are saved as they were read, without the password that nobody has", () => {
    const { basic_auth: _stored, ...shown } = edge;
    assert.deepEqual(connectionRules(readRules(edge, "inherit", before)), shown);
    assert.deepEqual(connectionRules(readRules(null, "inherit")), {
      rate_limit: null,
      allow: null,
      deny: null,
      maintenance: null,
      basic_auth: null,
    });
  });

  it("are off where an application has none, and set where they are filled in", () => {
    const values = readRules({ ...edge, allow: null, basic_auth: null }, "off", before);
    assert.deepEqual([values.allow, values.basic_auth], ["off", "off"]);
    const filled = {
      ...values,
      basic_auth: "own" as const,
      username: "a",
      password: "long enough",
      denied: " 192.0.2.1 \n\n2001:db8::1,",
    };
    assert.deepEqual(applicationRules(filled), {
      ...edge,
      allow: null,
      deny: ["192.0.2.1", "2001:db8::1"],
      basic_auth: { username: "a", password: "long enough" },
    });
  });

  it("show no maintenance that has ended, which could not be saved again", () => {
    const after = Date.parse("2026-12-01T06:00:00Z");
    const { maintenance, until } = readRules(edge, "inherit", after);
    assert.deepEqual([maintenance, until], ["inherit", ""]);
  });
});
