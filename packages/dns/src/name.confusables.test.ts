import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { confusables, normalizeName } from "./name.ts";

describe("confusables", () => {
  const flag = (input: string) => confusables(normalizeName(input) ?? "").map(({ kind }) => kind);

  test("flags scripts mixed inside a label", () => {
    for (const input of ["pаypal.com", "gооgle.com", "αmazon.com", "micrоsoft.co.uk"]) {
      assert.deepEqual(flag(input), ["mixed_script"], input);
    }
  });

  test("flags a label of another script that reads as Latin", () => {
    for (const input of ["аррӏе.com", "соса.com", "ѕсоре.com"]) {
      assert.deepEqual(flag(input), ["latin_lookalike"], input);
    }
  });

  test("leaves ordinary writing alone", () => {
    for (const input of [
      "paypal.com",
      "bücher.de",
      "москва.рф",
      "日本語テスト.jp",
      "한국어abc.kr",
      "café-1.fr",
    ]) {
      assert.deepEqual(flag(input), [], input);
    }
  });
});
