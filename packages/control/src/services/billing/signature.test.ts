import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { describe, it } from "node:test";
import { isSignedByStripe } from "./signature.ts";

const secret = "whsec_test";
const now = new Date("2026-11-15T12:00:00.400Z");
const second = Math.floor(now.getTime() / 1_000);
// Not UTF-8: a signature covers bytes, not text.
const body = Buffer.from([0x7b, 0xff, 0xfe, 0x7d]);

function mac(time: number, key = secret): string {
  return createHmac("sha256", key).update(`${time}.`).update(body).digest("hex");
}

function accepts(header: string, bytes = body): boolean {
  return isSignedByStripe(header, bytes, secret, now);
}

describe("Stripe's signature", () => {
  it("is accepted over the exact bytes, with one fitting value among several", () => {
    assert.ok(accepts(`t=${second},v1=${mac(second)}`));
    assert.ok(accepts(`t=${second}, v1=${mac(second, "old")}, v1=${mac(second)}, v0=00`));
  });

  it("is refused when the body, the time or the secret is another", () => {
    assert.ok(!accepts(`t=${second},v1=${mac(second)}`, Buffer.concat([body, Buffer.of(0x20)])));
    assert.ok(!accepts(`t=${second - 1},v1=${mac(second)}`));
    assert.ok(!accepts(`t=${second},v1=${mac(second, "other")}`));
  });

  it("holds for 300 seconds either way and no longer", () => {
    for (const [offset, expected] of [
      [-299, true],
      [-301, false],
      [300, true],
      [301, false],
    ] as const) {
      const time = second + offset;
      assert.equal(accepts(`t=${time},v1=${mac(time)}`), expected, String(offset));
    }
  });

  it("is refused in any other form", () => {
    const good = mac(second);
    for (const header of [
      "",
      "t=",
      `v1=${good}`,
      `t=${second}`,
      `t=${second},v0=${good}`,
      `t=${second},v1=${good.slice(2)}`,
      `t=${second},v1=${good}00`,
      `t=${second},v1=`,
      `t=${second},t=${second},v1=${good}`,
      `t=x,v1=${good}`,
      `t=-1,v1=${good}`,
    ]) {
      assert.ok(!accepts(header), header);
    }
  });
});
