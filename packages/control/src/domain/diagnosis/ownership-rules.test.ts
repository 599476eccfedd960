import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { token } from "@mooring/testing/control/diagnosis/facts";
import { describeAlteration } from "./ownership-rules.ts";

const bare = token.slice("service-verify=".length);

describe("an altered ownership value", () => {
  const table: readonly (readonly [string, string | null])[] = [
    [token, null],
    ["service-verify=of-somebody-else", null],
    ["v=spf1 -all", null],
    ["", null],
    ["service-verify=", null],
    [`"${token}"`, "it has quotation marks in it"],
    [`\u201c${token}\u201d`, "it has quotation marks in it"],
    [`\\"${token}\\"`, "it has quotation marks in it"],
    [` ${token}`, "it has spaces in it"],
    [token.replace("=", "= "), "it has spaces in it"],
    [token.toLowerCase(), "capital and small letters were changed"],
    [bare, 'its beginning "service-verify=" is missing'],
    [` "${token.toUpperCase()}"`, "quotation marks, spaces or letter case were changed"],
    [token.slice(0, -3), "its end is missing"],
    [`TXT ${token}`, "there is other text around it"],
    [`${token};`, "there is other text around it"],
  ];
  for (const [observed, expected] of table) {
    it(`${JSON.stringify(observed)} is reported as: ${expected ?? "something else"}`, () => {
      assert.equal(describeAlteration(token, observed), expected);
    });
  }
});
