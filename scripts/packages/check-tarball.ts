import { readFileSync } from "node:fs";
import { loadPackages } from "../../test/npm-packages/load-packages.ts";
import type { Tarball } from "./pack.ts";

/**
 * What publint and Are The Types Wrong find in a tarball, as sentences; none when it can be
 * published.
 */
export async function checkTarball(tarball: Tarball): Promise<readonly string[]> {
  const load = await loadPackages("package-linters");
  const { formatMessage } = load("publint/utils");
  const data = new Uint8Array(readFileSync(tarball.file));
  const { messages, pkg } = await load("publint").publint({
    pack: { tarball: data.slice().buffer },
    strict: true,
  });
  const lint: readonly string[] = messages.map(
    (message: { readonly code: string }) => formatMessage(message, pkg) ?? message.code,
  );
  return [...lint, ...(tarball.hasTypes ? await typeProblems(load, data) : [])];
}

/** Entry points that are no modules with types. */
const dataEntries = ["./package.json"];

/**
 * The packages are modules without a CommonJS twin: Node has required modules since 20.19, and
 * resolution that ignores `exports` is not supported.
 */
async function typeProblems(load: NodeJS.Require, data: Uint8Array): Promise<readonly string[]> {
  const { checkPackage, createPackageFromTarballData } = load("@arethetypeswrong/core");
  const result = await checkPackage(createPackageFromTarballData(data), {
    excludeEntrypoints: dataEntries,
  });
  if (result.types === false) return ["the package has no types"];
  const problems: readonly Problem[] = result.problems;
  return problems.filter(isOurs).map((problem) => JSON.stringify(problem));
}

interface Problem {
  readonly kind: string;
  readonly resolutionKind?: string;
}

function isOurs({ kind, resolutionKind }: Problem): boolean {
  return kind !== "CJSResolvesToESM" && resolutionKind !== "node10";
}
