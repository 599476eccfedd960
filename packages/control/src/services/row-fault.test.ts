import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { AppError } from "../domain/errors.ts";
import { isRowFault } from "./row-fault.ts";

const withCode = (code: string) => Object.assign(new Error("failed"), { code });

describe("isRowFault", () => {
  for (const [what, error] of [
    ["a value that the database refuses", withCode("22P05")],
    ["a broken constraint", withCode("23514")],
    ["a bug that the row's values lead to", new TypeError("x is undefined")],
    ["a value beyond its limit", new RangeError("a JSON column may not hold 300000 bytes")],
  ] as const) {
    it(`is true for ${what}`, () => assert.equal(isRowFault(error), true));
  }

  for (const [what, error] of [
    ["a database that is away", new AppError("unavailable", "away")],
    ["a lost session", withCode("57P01")],
    ["a full disk", withCode("53100")],
    ["a schema of another release", withCode("42703")],
    ["a reset connection", withCode("ECONNRESET")],
    ["too many open files", withCode("EMFILE")],
    ["a run that took too long", new DOMException("timeout", "TimeoutError")],
    ["a stop", new DOMException("stop", "AbortError")],
  ] as const) {
    it(`is false for ${what}`, () => assert.equal(isRowFault(error), false));
  }
});
