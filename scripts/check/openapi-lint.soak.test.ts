import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, it } from "node:test";
import { createConfig, lint } from "@redocly/openapi-core";
import spectral, { type RulesetDefinition } from "@stoplight/spectral-core";
import rulesets from "@stoplight/spectral-rulesets";

const file = path.resolve(import.meta.dirname, "../../packages/sdk/openapi.json");

/** Two linters that others wrote, with the rules that they recommend themselves. */
describe("the OpenAPI document", { timeout: 300_000 }, () => {
  it("is clean to Redocly", async () => {
    const config = await createConfig({ extends: ["recommended"] });
    const problems = await lint({ ref: file, config });
    const found = problems.map(
      ({ ruleId, message, location }) => `${ruleId}: ${message} ${location[0]?.pointer}`,
    );
    assert.deepEqual(found, []);
  });

  it("is clean to Spectral", async () => {
    const linter = new spectral.Spectral();
    // The type of its own rule set lacks a field that is optional.
    const oas = rulesets.oas as unknown as RulesetDefinition;
    linter.setRuleset({ extends: [[oas, "recommended"]] });
    const problems = await linter.run(JSON.parse(readFileSync(file, "utf8")));
    const found = problems.map(
      ({ code, message, path: at }) => `${code}: ${message} ${at.join("/")}`,
    );
    assert.deepEqual(found, []);
  });
});
