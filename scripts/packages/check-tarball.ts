import { readFileSync } from "node:fs";
import { checkPackage, createPackageFromTarballData, type Problem } from "@arethetypeswrong/core";
import { publint } from "publint";
import { formatMessage } from "publint/utils";
import type { Tarball } from "./pack.ts";

/** What publint and Are The Types Wrong find in a tarball, as sentences; none when it can be published. */
export async function checkTarball(tarball: Tarball): Promise<readonly string[]> {
  const data = new Uint8Array(readFileSync(tarball.file));
  const { messages, pkg } = await publint({ pack: { tarball: data.slice().buffer }, strict: true });
  const lint = messages.map((message) => formatMessage(message, pkg) ?? message.code);
  return [...lint, ...(tarball.hasTypes ? await typeProblems(data) : [])];
}

/** Entry points that are no modules with types. */
const dataEntries = ["./openapi.json", "./package.json"];

/**
 * The packages are modules without a CommonJS twin: Node has required modules since 20.19, and resolution that
 * ignores `exports` is not supported.
 */
async function typeProblems(data: Uint8Array): Promise<readonly string[]> {
  const result = await checkPackage(createPackageFromTarballData(data), {
    excludeEntrypoints: dataEntries,
  });
  if (result.types === false) return ["the package has no types"];
  return result.problems.filter(isOurs).map((problem) => JSON.stringify(problem));
}

function isOurs(problem: Problem): boolean {
  if (problem.kind === "CJSResolvesToESM") return false;
  return !("resolutionKind" in problem) || problem.resolutionKind !== "node10";
}
