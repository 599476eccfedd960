import assert from "node:assert/strict";
import { readdirSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import { describe, it } from "node:test";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import { budgetBytes, buildWidget } from "../../../scripts/build/widget.ts";

/** What a page of somebody else's bundle loads for the package before the widget is opened. */
const packageBudgetBytes = 30 * 1_024;

describe("the built widget", () => {
  it("stays within its budget and is not rebuilt without a change", async () => {
    const { outDir, gzipBytes } = await buildWidget();
    assert.ok(gzipBytes <= budgetBytes, `${gzipBytes} bytes`);
    const file = path.join(outDir, "widget.js");
    const { mtimeMs } = statSync(file);
    await buildWidget();
    assert.equal(statSync(file).mtimeMs, mtimeMs);
  });

  for (const name of ["widget", "element"]) {
    it(`adds little to a bundle that imports ${name}, and loads the rest when it opens`, async (t) => {
      const { packageDir } = await buildWidget();
      const { outputs, texts } = await bundleOf(path.join(packageDir, `${name}.mjs`));
      const first = reachedAtOnce(outputs, "entry.js");
      const firstBytes = sum(
        first.map((file) => gzipSync(texts.get(file) ?? "", { level: 9 }).length),
      );
      const later = Object.keys(outputs).filter((file) => !first.includes(file));
      t.diagnostic(`${firstBytes} bytes gzipped in ${first.length} files, ${later.length} later`);
      assert.ok(firstBytes <= packageBudgetBytes, `${firstBytes} bytes`);
      assert.ok(later.length > 0, "nothing is loaded later");
      assertStated(/your bundle: (\d+) KB gzipped at first/, firstBytes);
    });
  }

  it("has the size that its README states", async () => {
    const { outDir, gzipBytes } = await buildWidget();
    assertStated(/\((\d+) KB now\)/, gzipBytes);
    const screens = readFileSync(path.join(outDir, "screens.mjs"));
    assertStated(/`screens\.mjs`, (\d+) KB gzipped/, gzipSync(screens, { level: 9 }).length);
  });

  it("contains no code that a strict CSP would block", async () => {
    const { outDir, packageDir } = await buildWidget();
    const served = ["widget.js", "screens.mjs", "widget.mjs", "element.mjs", "react.mjs"];
    const packaged = readdirSync(packageDir).filter((name) => name.endsWith(".mjs"));
    const files = [
      ...served.map((name) => path.join(outDir, name)),
      ...packaged.map((name) => path.join(packageDir, name)),
    ];
    for (const name of files) {
      const text = readFileSync(name, "utf8");
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

/** A difference of less than a kilobyte is none. */
function assertStated(pattern: RegExp, bytes: number): void {
  const readme = readFileSync(path.join(import.meta.dirname, "../README.md"), "utf8");
  const stated = Number(pattern.exec(readme)?.[1]);
  assert.ok(Math.abs(stated - bytes / 1_024) < 1, `README: ${stated} KB, built: ${bytes} bytes`);
}

/** As a bundler of somebody else does it, which follows imports into files of their own. */
async function bundleOf(file: string) {
  const { metafile, outputFiles } = await build({
    stdin: { contents: `export * from ${JSON.stringify(file)};`, resolveDir: "." },
    outdir: "/out",
    entryNames: "entry",
    absWorkingDir: "/",
    bundle: true,
    splitting: true,
    minify: true,
    format: "esm",
    metafile: true,
    write: false,
  });
  const texts = new Map(outputFiles.map((one) => [path.basename(one.path), one.text]));
  const outputs = Object.fromEntries(
    Object.entries(metafile.outputs).map(([name, { imports }]) => [
      path.basename(name),
      imports
        .filter(({ kind }) => kind === "import-statement")
        .map((one) => path.basename(one.path)),
    ]),
  );
  return { texts, outputs };
}

/** The file and what it imports by statements. */
function reachedAtOnce(
  outputs: Readonly<Record<string, readonly string[]>>,
  file: string,
): string[] {
  const reached = new Set([file]);
  for (const one of reached) for (const next of outputs[one] ?? []) reached.add(next);
  return [...reached];
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0);
}
