import assert from "node:assert/strict";
import { existsSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, before, describe, it } from "node:test";
import { buildDocs } from "./docs.ts";

describe("buildDocs", () => {
  const outDir = mkdtempSync(path.join(tmpdir(), "mooring-docs-"));
  const page = path.join(outDir, "webhooks.html");
  before(() => buildDocs(outDir));
  after(() => rmSync(outDir, { recursive: true }));

  it("writes pages, search index, script and style, and leaves no draft", () => {
    const names = readdirSync(outDir);
    for (const name of ["index.html", "webhooks.html", "search.json", "guide.css", "guide.js"]) {
      assert.ok(names.includes(name), name);
    }
    assert.ok(!names.some((name) => name.endsWith(".draft")));
  });

  it("does nothing when no input has changed", async () => {
    const before = statSync(page).mtimeMs;
    const stray = path.join(outDir, "stray.html");
    writeFileSync(stray, "");
    await buildDocs(outDir);
    assert.equal(statSync(page).mtimeMs, before);
    assert.ok(existsSync(stray));
  });

  it("builds again when the inputs differ, and removes files that are no longer part of it", async () => {
    writeFileSync(path.join(outDir, ".sha256"), "another");
    writeFileSync(path.join(outDir, "removed.html"), "");
    await buildDocs(outDir);
    assert.ok(!existsSync(path.join(outDir, "removed.html")));
    assert.ok(existsSync(page));
  });
});
