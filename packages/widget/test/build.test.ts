import assert from "node:assert/strict";
import { readFileSync, statSync } from "node:fs";
import path from "node:path";
import { describe, it } from "node:test";
import { budgetBytes, buildWidget } from "../../../scripts/build/widget.ts";

describe("the built widget", () => {
  it("stays within its budget and is not rebuilt without a change", async () => {
    const { outDir, gzipBytes } = await buildWidget();
    assert.ok(gzipBytes <= budgetBytes, `${gzipBytes} bytes`);
    const file = path.join(outDir, "widget.js");
    const { mtimeMs } = statSync(file);
    await buildWidget();
    assert.equal(statSync(file).mtimeMs, mtimeMs);
  });

  it("contains no code that a strict CSP would block", async () => {
    const { outDir } = await buildWidget();
    for (const name of ["widget.js", "screens.mjs", "widget.mjs", "element.mjs", "react.mjs"]) {
      const text = readFileSync(path.join(outDir, name), "utf8");
      for (const word of [
        "innerHTML",
        "outerHTML",
        "insertAdjacentHTML",
        "eval(",
        "new Function",
      ]) {
        assert.ok(!text.includes(word), `${name} has ${word}`);
      }
    }
  });

  it("has types that import published files only", async () => {
    const { outDir } = await buildWidget();
    for (const name of ["widget", "element", "react"]) {
      const text = readFileSync(path.join(outDir, `${name}.d.mts`), "utf8");
      for (const [, imported] of text.matchAll(/from "\.\/([\w.-]+)\.mjs"/g)) {
        assert.ok(statSync(path.join(outDir, `${imported}.d.mts`)).isFile());
      }
      assert.doesNotMatch(text, /@mooring|preact|\.ts"/);
    }
  });
});
