import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { readAuditSearch } from "./audit-search.ts";

describe("readAuditSearch", () => {
  it("reads every filter", () => {
    const search = {
      action: "api_key.create",
      object: "api_key",
      id: "k1",
      actor: "member",
      by: "m1",
      cursor: "c",
    };
    assert.deepEqual(readAuditSearch(search), search);
  });

  it("takes a kind and its id together or not at all", () => {
    assert.deepEqual(readAuditSearch({ object: "api_key", by: "m1" }), {});
    assert.deepEqual(readAuditSearch({ id: "k1", actor: "member" }), {});
  });

  it("ignores actors without an id of their own, and other parameters", () => {
    assert.deepEqual(readAuditSearch({ actor: "operator", by: "m1", q: "x" }), {});
  });
});
