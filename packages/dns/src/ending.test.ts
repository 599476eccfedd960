import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { nearestEnding } from "./ending.ts";

describe("an ending that does not exist", () => {
  it("is one slip away from the one that was meant", () => {
    const cases = [
      ["acme.con", "acme.com"],
      ["shop.acme.cmo", "shop.acme.com"],
      ["acme.ocm", "acme.com"],
      ["acme.comm", "acme.com"],
      ["acme.ccom", "acme.com"],
      ["acme.nett", "acme.net"],
      ["acme.ogr", "acme.org"],
      ["acme.shp", "acme.shop"],
    ] as const;
    for (const [typed, meant] of cases) assert.equal(nearestEnding(typed), meant, typed);
  });

  it("is not every ending that is like another: those that exist are left alone", () => {
    const real = ["acme.com", "acme.co", "acme.cm", "acme.om", "acme.ne", "acme.cam", "acme.bet"];
    for (const name of [...real, "acme.test", "acme.example", "me.github.io", "acme.xyzzy"]) {
      assert.equal(nearestEnding(name), null, name);
    }
  });
});
