import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { describe, it } from "node:test";
import { isDrifted, isMagic, isUnderMagic, magicLabels } from "./sandbox.ts";

describe("magic names", () => {
  it("begin with their label and are under .test", () => {
    assert.ok(isMagic("certfail.acme.test", "certfail"));
    assert.ok(isMagic("stall.shop.acme.test", "stall"));
    assert.ok(!isMagic("certfail.acme.example", "certfail"));
    assert.ok(!isMagic("notstall.acme.test", "stall"));
    assert.ok(!isMagic("www.stall.acme.test", "stall"));
  });

  it("include the names below them", () => {
    assert.ok(isUnderMagic("_service-challenge.stall.acme.test", "stall"));
    assert.ok(isUnderMagic("*.stall.acme.test", "stall"));
    assert.ok(isUnderMagic("stall.acme.test", "stall"));
    assert.ok(!isUnderMagic("x.notstall.acme.test", "stall"));
    assert.ok(!isUnderMagic("x.stall.acme.example", "stall"));
  });

  it("are the table of the documentation, row by row", async () => {
    const page = await readFile(new URL("../../../../../docs/sandbox.md", import.meta.url), "utf8");
    const documented = page.split("\n").filter((line) => /^\| `\w+\.` \|/.test(line));
    assert.deepEqual(
      documented,
      magicLabels.map(
        ({ label, effect, sentence }) => `| \`${label}.\` | ${effect} | ${sentence} |`,
      ),
    );
  });
});

describe("isDrifted", () => {
  const at = (seconds: number) => new Date(1_000 * seconds);

  it("begins 10 s after live and ends with a write after that", () => {
    assert.ok(!isDrifted(null, at(0), at(1_000)));
    assert.ok(!isDrifted(at(100), at(0), at(109.999)));
    assert.ok(isDrifted(at(100), at(109.999), at(110)));
    assert.ok(!isDrifted(at(100), at(110), at(110)));
  });
});
