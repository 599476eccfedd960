import assert from "node:assert/strict";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, before, describe, it } from "node:test";
import { type BuildPart, buildPart } from "./part.ts";

describe("buildPart", () => {
  let root = "";
  let builds = 0;
  let canBuild = true;
  const part: BuildPart = {
    name: "sample",
    inputs: ["src/**/*"],
    output: "dist",
    build: async () => {
      if (!canBuild) throw new Error("broken");
      builds += 1;
    },
  };
  before(() => {
    root = mkdtempSync(path.join(tmpdir(), "mooring-build-"));
    mkdirSync(path.join(root, "src/deep"), { recursive: true });
    writeFileSync(path.join(root, "src/deep/one.ts"), "1");
  });
  after(() => rmSync(root, { recursive: true, force: true }));

  it("builds once, and not again while nothing has changed", async () => {
    assert.equal(await buildPart(root, part), "built");
    assert.equal(await buildPart(root, part), "unchanged");
    assert.equal(builds, 1);
  });

  it("builds again when a file was changed, added or removed", async () => {
    writeFileSync(path.join(root, "src/deep/one.ts"), "12");
    assert.equal(await buildPart(root, part), "built");
    writeFileSync(path.join(root, "src/two.ts"), "2");
    assert.equal(await buildPart(root, part), "built");
    rmSync(path.join(root, "src/two.ts"));
    assert.equal(await buildPart(root, part), "built");
    assert.equal(await buildPart(root, part), "unchanged");
  });

  it("builds again when the output was removed", async () => {
    rmSync(path.join(root, "dist"), { recursive: true });
    assert.equal(await buildPart(root, part), "built");
  });

  it("says beside the output that it builds, or why that failed", async () => {
    const state = path.join(root, "dist/.build");
    writeFileSync(path.join(root, "src/deep/one.ts"), "123");
    let during = "";
    const build = async (): Promise<void> => {
      during = readFileSync(state, "utf8");
    };
    await buildPart(root, { ...part, build });
    assert.deepEqual(JSON.parse(during), { pid: process.pid });
    assert.equal(existsSync(state), false);
    writeFileSync(path.join(root, "src/deep/one.ts"), "1234");
    const broken = { ...part, build: () => Promise.reject(new Error("broken")) };
    await assert.rejects(buildPart(root, broken), /broken/);
    const { error } = JSON.parse(readFileSync(state, "utf8"));
    assert.equal(error, "the build of sample failed: broken");
    assert.equal(await buildPart(root, part), "built");
    assert.equal(existsSync(state), false);
  });

  it("builds again after a failed build", async () => {
    rmSync(path.join(root, "dist"), { recursive: true });
    canBuild = false;
    await assert.rejects(buildPart(root, part), /broken/);
    canBuild = true;
    assert.equal(await buildPart(root, part), "built");
  });
});
