import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { readDeliverySearch } from "./delivery-search.ts";

describe("readDeliverySearch", () => {
  it("reads every filter", () => {
    const search = {
      status: "exhausted",
      endpoint: "e1",
      connection: "c1",
      type: "domain.drift",
      cursor: "c",
    };
    assert.deepEqual(readDeliverySearch(search), search);
  });

  it("ignores a status that does not exist, empty texts and other parameters", () => {
    assert.deepEqual(readDeliverySearch({ status: "lost", endpoint: "", q: "x" }), {});
  });
});
