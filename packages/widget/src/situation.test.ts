import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Connection, Cutover } from "@mooring/sdk";
import { sampleConnection } from "@mooring/testing/widget/samples";
import { domainSituation, nextMove } from "./situation.ts";

function own(fields: Partial<Connection>, status: Cutover["status"] | null = null): Connection {
  const rest = { checks: [], ready_at: null, old_records: [], ttl: null, visitors_gone_at: null };
  return sampleConnection({ ...fields, cutover: status && { status, ...rest } });
}

describe("a domain of the customer's", () => {
  it("that is ready to switch is that, and offers the switch", () => {
    const domain = { main: own({ state: "propagating" }, "ready"), partner: null };
    assert.equal(domainSituation(domain), "ready");
    assert.equal(nextMove(domain), "switch");
    const back = { main: own({ state: "propagating" }, "reverted"), partner: null };
    assert.equal(domainSituation(back), "reverted");
    assert.equal(nextMove(back), "switch");
  });

  it("has the situation of the one of a pair that is less far", () => {
    const ready = own({ state: "propagating" }, "ready");
    const pair = { main: ready, partner: own({ state: "propagating" }, "preparing") };
    assert.equal(domainSituation(pair), "preparing");
    assert.equal(nextMove(pair), "continue");
    const live = { main: own({ state: "live" }), partner: own({ state: "drifted" }) };
    assert.equal(domainSituation(live), "drifted");
    assert.equal(nextMove(live), "fix");
  });

  it("needs the customer only for what does not pass by itself", () => {
    const waiting = own({ state: "pending_ownership", error_code: "txt_not_found" });
    assert.equal(nextMove({ main: waiting, partner: null }), "continue");
    const wrong = own({ state: "pending_ownership", error_code: "txt_mismatch" });
    assert.equal(nextMove({ main: wrong, partner: null }), "fix");
    assert.equal(nextMove({ main: own({ state: "live" }), partner: null }), "none");
  });
});
