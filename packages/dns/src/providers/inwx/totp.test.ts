import assert from "node:assert/strict";
import { it } from "node:test";
import { oneTimePassword } from "./totp.ts";

/** RFC 6238 appendix B, of which six digits are taken; the secret is "12345678901234567890". */
const secret = "gezd gnbv gy3t qojq gezd gnbv gy3t qojq";

it("gives the one-time passwords of RFC 6238", () => {
  const vectors = {
    59: "287082",
    1111111109: "081804",
    1234567890: "005924",
    20000000000: "353130",
  };
  for (const [second, password] of Object.entries(vectors)) {
    assert.equal(oneTimePassword(secret, new Date(Number(second) * 1_000)), password);
  }
});

it("refuses a secret that is not base32", () => {
  for (const wrong of ["", "not base 32!", "1890"]) {
    assert.throws(() => oneTimePassword(wrong, new Date()), /base32/);
  }
});
