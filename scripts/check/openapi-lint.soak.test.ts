import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, it } from "node:test";
import { loadPackages } from "../../test/npm-packages/load-packages.ts";

const file = path.resolve(import.meta.dirname, "../../packages/sdk/openapi.json");

interface RedoclyProblem {
  readonly ruleId: string;
  readonly message: string;
  readonly location: readonly { readonly pointer?: string }[];
}

interface SpectralProblem {
  readonly code: string | number;
  readonly message: string;
  readonly path: readonly (string | number)[];
}

/** Two linters that others wrote, with the rules that they recommend themselves. */
describe("the OpenAPI document", () => {
  it("is clean to Redocly", async () => {
    const { createConfig, lint } = (await loadPackages("openapi-linters"))("@redocly/openapi-core");
    const config = await createConfig({ extends: ["recommended"] });
    const problems: readonly RedoclyProblem[] = await lint({ ref: file, config });
    const found = problems.map(
      ({ ruleId, message, location }) => `${ruleId}: ${message} ${location[0]?.pointer}`,
    );
    assert.deepEqual(found, []);
  });

  it("is clean to Spectral", async () => {
    const load = await loadPackages("openapi-linters");
    const linter = new (load("@stoplight/spectral-core").Spectral)();
    const { oas } = load("@stoplight/spectral-rulesets");
    linter.setRuleset({ extends: [[oas, "recommended"]] });
    const problems: readonly SpectralProblem[] = await linter.run(
      JSON.parse(readFileSync(file, "utf8")),
    );
    const found = problems.map(
      ({ code, message, path: at }) => `${code}: ${message} ${at.join("/")}`,
    );
    assert.deepEqual(found, []);
  });
});
