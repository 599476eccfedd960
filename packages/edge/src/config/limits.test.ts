import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { byVariable, readConfig } from "../../../control/src/config/config.ts";
import { boundDefaults, edgeLimitVariables } from "../../../control/src/config/edge-limits.ts";
import { defaultLimits, limitsFrom, limitVariables } from "./limits.ts";

/** Set by variables of their own, beside the limits. */
const others = new Set(["drainMs", "drainIdleMs"]);

describe("the limits of the edge", () => {
  it("are all settings, and unset they are the defaults", () => {
    const limits = Object.keys(defaultLimits).filter((name) => !others.has(name));
    assert.deepEqual(Object.keys(limitVariables).sort(), limits.sort());
    assert.deepEqual(limitsFrom(byVariable(readConfig({}))), {});
  });

  it("have the defaults that the control plane has for the bounds of applications", () => {
    for (const [field, value] of Object.entries(boundDefaults)) {
      const variable = Object.entries(edgeLimitVariables).find(
        ([, one]) => one.field === field,
      )?.[0];
      const limit = Object.entries(limitVariables).find(([, one]) => one === variable)?.[0];
      assert.equal(defaultLimits[limit as keyof typeof limitVariables], value, field);
    }
  });

  it("take each variable of the environment, within its bounds", () => {
    for (const [limit, variable] of Object.entries(limitVariables)) {
      const value = defaultLimits[limit as keyof typeof limitVariables];
      const text = limit.endsWith("Ms") ? `${value}ms` : String(value);
      assert.deepEqual(
        limitsFrom(byVariable(readConfig({ [variable]: text }))),
        { [limit]: value },
        variable,
      );
      assert.throws(() => readConfig({ [variable]: "-1" }), new RegExp(`${variable}: expected`));
      assert.throws(
        () => readConfig({ [variable]: limit.endsWith("Ms") ? "9999d" : "9999999999999" }),
        new RegExp(`${variable}: expected`),
      );
    }
  });
});
