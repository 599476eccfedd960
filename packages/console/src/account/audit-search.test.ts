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
      who: "all",
      from: "2026-11-01",
      to: "2026-11-18",
      cursor: "c",
    };
    assert.deepEqual(readAuditSearch(search), search);
  });

  it("takes a kind and its id together or not at all", () => {
    assert.deepEqual(readAuditSearch({ object: "api_key", by: "m1" }), {});
    assert.deepEqual(readAuditSearch({ id: "k1", actor: "member" }), {});
  });

  it("ignores days that are none", () => {
    assert.deepEqual(readAuditSearch({ from: "yesterday", to: "2026-13-01", who: "me" }), {});
  });

  it("ignores actors without an id of their own, and other parameters", () => {
    assert.deepEqual(readAuditSearch({ actor: "operator", by: "m1", q: "x" }), {});
  });
});
