import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { chooseEncoding } from "./assets.ts";

describe("chooseEncoding", () => {
  for (const [header, chosen] of [
    [undefined, null],
    ["", null],
    ["identity", null],
    ["gzip", "gzip"],
    ["gzip, deflate, br, zstd", "br"],
    ["br;q=0.5, gzip;q=0.9", "gzip"],
    ["GZIP;Q=1.0", "gzip"],
    ["br;q=0, gzip", "gzip"],
    ["*", "br"],
    ["*;q=0, gzip", "gzip"],
    ["gzip;q=0.5, identity", null],
    ["gzip;q=much", null],
  ] as const) {
    it(`takes ${chosen ?? "no encoding"} for ${header ?? "no header"}`, () => {
      assert.equal(chooseEncoding(header), chosen);
    });
  }
});
