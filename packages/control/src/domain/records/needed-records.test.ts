import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { testConnection } from "@mooring/testing/control/connection";
import { decidesSwitch } from "../certificates/validation.ts";
import type { Connection } from "../connections/connection.ts";
import { type Cutover, type CutoverStatus, newCutover } from "../connections/cutover.ts";
import { type ProofMethod, proofMethods } from "../ownership/proof-methods.ts";
import { neededRecords } from "./needed-records.ts";

const zones = { edgeCname: "edge.example", validationZone: "v.example" };
const record = (host: string, value: string) => ({
  ...{ host, type: "CNAME", value, ttl: 300, priority: null },
});
const visitors = record("shop.acme.example", "t.edge.example");
const validation = record("_acme-challenge.shop.acme.example", "l.v.example");

const moving = (status: CutoverStatus, allowed = proofMethods as readonly "txt"[]) =>
  neededRecords(
    testConnection({
      targetLabel: "t",
      pointsToTarget: true,
      validationLabel: "l",
      desiredRecords: [visitors, validation],
      cutover: { ...newCutover(null), status },
    }),
    allowed,
    zones,
  );

describe("the records of a cut-over", () => {
  it("lead no visitor anywhere while it is prepared, and one of them proves", () => {
    const { now, proof, ownership } = moving("preparing");
    assert.deepEqual(now, [validation]);
    assert.deepEqual([proof, ownership.need], ["delegation", "none"]);
    assert.deepEqual(moving("ready").now, [visitors, validation]);
  });

  it("need no CNAME for validation to be switched by hand, save those of a wildcard", () => {
    const decides = (hostname: string, cutover: Cutover | null) => {
      const connection = testConnection({ hostname, state: "propagating", cutover });
      const name = "_acme-challenge.shop.acme.example";
      return decidesSwitch(connection, { name, type: "CNAME" });
    };
    const prepared = newCutover(null);
    assert.equal(decides("shop.acme.example", prepared), false);
    assert.equal(decides("*.shop.acme.example", prepared), true);
    assert.equal(decides("shop.acme.example", null), true);
  });

  it("are proven by TXT where the application does not take the CNAME for validation", () => {
    const { proof, ownership } = moving("preparing", ["txt"]);
    assert.deepEqual([proof, ownership.need], ["txt", "required"]);
  });
});

describe("the TXT record of a name with a target", () => {
  const need = (changes: Partial<Connection>, allowed: readonly ProofMethod[] = proofMethods) =>
    neededRecords(
      testConnection({
        targetLabel: "t",
        pointsToTarget: true,
        desiredRecords: [visitors],
        ...changes,
      }),
      allowed,
      { ...zones, validationZone: null },
    ).ownership.need;
  const waiting = { state: "pending_ownership", errorCode: "record_missing" } as const;

  it("is not asked for while the name has no record, and offered where it has another", () => {
    assert.equal(need(waiting), "none");
    assert.equal(need({ ...waiting, errorCode: "record_mismatch" }), "optional");
    assert.equal(need({ state: "propagating", errorCode: "record_mismatch" }), "none");
  });

  it("is not offered where the application does not take it", () => {
    assert.equal(need({ ...waiting, errorCode: "record_mismatch" }, ["cname"]), "none");
  });
});

describe("the TXT record of a name that is in use", () => {
  it("is offered where it proves, and not where the application does not take it", () => {
    const seen = { ...record("shop.acme.example", "old.example"), propagated: false };
    const used = testConnection({
      hostname: "shop.acme.example",
      targetLabel: "t",
      pointsToTarget: true,
      desiredRecords: [visitors],
      observedRecords: [{ ...seen, observed_at: new Date(0).toISOString() }],
    });
    const need = (allowed: readonly ProofMethod[]) =>
      neededRecords(used, allowed, zones).ownership.need;
    assert.equal(need(["txt", "cname"]), "optional");
    assert.equal(need(["cname"]), "none");
  });
});
