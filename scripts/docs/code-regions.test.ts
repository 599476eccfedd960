import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, describe, it } from "node:test";
import { withCode } from "./code-regions.ts";

describe("code in a page", () => {
  const root = mkdtempSync(path.join(tmpdir(), "mooring-regions-"));
  after(() => rmSync(root, { recursive: true }));
  writeFileSync(
    path.join(root, "app.py"),
    "import os\n\n  # region token\n  def f():\n      return 1\n  # end region\n\n# region open\n",
  );

  it("is the region of the file, without its indentation, in the file's language", () => {
    const page = withCode(root, "docs/page.md", "a\n<!-- code ../app.py#token as Next.js -->\nb");
    assert.equal(page, "a\n```python tab=Next.js\ndef f():\n    return 1\n```\nb");
  });

  it("fails for a file that is missing, and for a region that is missing or has no end", () => {
    for (const location of ["../none.py#token", "../app.py#none", "../app.py#open"]) {
      assert.throws(
        () => withCode(root, "docs/page.md", `<!-- code ${location} -->`),
        /there is no|has no/,
      );
    }
  });
});
