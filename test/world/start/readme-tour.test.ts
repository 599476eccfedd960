import assert from "node:assert/strict";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, before, describe, it } from "node:test";
import {
  findProcesses,
  type LocalProduct,
  makeDataDir,
  productPorts,
  removeDataDir,
  startProduct,
} from "@mooring/testing/local/local-product";
import { runShell, type ShellResult } from "@mooring/testing/processes/run-shell";
import { until } from "@mooring/testing/processes/until";

const root = path.resolve(import.meta.dirname, "../../..");

/** The shell blocks between the two marks, in their order. */
async function tourBlocks(): Promise<readonly string[]> {
  const text = await readFile(path.join(root, "README.md"), "utf8");
  const tour = /<!-- tour:[^>]*-->\n([\s\S]*?)<!-- \/tour -->/.exec(text)?.[1] ?? "";
  return [...tour.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, block]) => block ?? "");
}

describe("the tour of README.md", () => {
  let dataDir = "";
  let folder = "";
  let product: LocalProduct;
  let blocks: readonly string[] = [];
  let result: ShellResult = { code: null, stdout: "", stderr: "" };

  before(async () => {
    dataDir = await makeDataDir();
    folder = await mkdtemp(path.join(tmpdir(), "mooring-tour-"));
    product = startProduct({ dataDir, env: await productPorts() });
    const [exports] = await product.waitFor(/^ {2}export .*$/m);
    blocks = await tourBlocks();
    result = await runShell(["set -e", exports, ...blocks].join("\n"), { cwd: folder });
  });
  after(async () => {
    product.child.kill("SIGTERM");
    await product.ended;
    await until(async () => (await findProcesses(dataDir)).length === 0);
    await removeDataDir(dataDir);
    await rm(folder, { recursive: true, force: true });
  });

  it("runs to its end, word for word", () => {
    assert.ok(blocks.length >= 6, `${blocks.length} blocks`);
    assert.equal(result.code, 0, result.stderr + result.stdout);
    assert.equal(result.stderr, "");
    assert.doesNotMatch(result.stdout, /"error":\{/);
  });

  it("brings a name live by hand and another by itself, and opens both through the edge", () => {
    assert.match(result.stdout, /"hostname":"shop\.acme\.test"[^\n]*"state":"live"/);
    for (const name of ["shop.acme.test", "www.auto.test"]) {
      assert.ok(result.stdout.includes(`<h1>Welcome to ${name}</h1>`), name);
    }
  });

  it("says what is wrong after the name was pointed elsewhere, and shares it", async () => {
    assert.match(result.stdout, /"summary":"[^"]*shop\.acme\.test/);
    assert.match(result.stdout, /domain\.drift|drifted/);
    const url = /"url":"(http:[^"]*\/share\/[\w-]{43})"/.exec(result.stdout)?.[1];
    assert.ok(url);
    const page = await fetch(url);
    assert.equal(page.status, 200);
    assert.match(await page.text(), /shop\.acme\.test leads somewhere else/);
  });
});
