import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { type SystemProgram, soakPrograms, worldPrograms } from "./system-packages.ts";
import { fileTier } from "./tiers.ts";

/** Product code starts none of these programs; its tests and what supports them do. */
const productCode = /^packages\/(?!testing\/)[^/]+\/src\/(?!.*\.test\.tsx?$)/;
const imports = /(?:\bfrom|\bimport|\bimport\()\s*"((?:\.{1,2}\/|@mooring\/)[^"]+)"/g;

const allPrograms = [...worldPrograms, ...soakPrograms];

export interface LeftOut {
  readonly file: string;
  readonly needs: readonly string[];
}

/**
 * The programs that a test file needs: those that it or a module of its imports names in a string,
 * by path or as `"name"`. A module that starts several programs makes its importers need all of
 * them.
 */
export function neededPrograms(file: string): readonly SystemProgram[] {
  const texts = [...collectModules(file)]
    .filter((source) => !productCode.test(source) && !source.startsWith("scripts/test/"))
    .map((source) => readFileSync(source, "utf8"));
  const programs = fileTier(file) === "soak" ? allPrograms : worldPrograms;
  return programs.filter((program) => {
    const names = [program.file, `"${path.basename(program.file)}"`, ...(program.namedBy ?? [])];
    return texts.some((text) => names.some((name) => text.includes(name)));
  });
}

/** Divides files into those that can run and those that need a program that is missing. */
export function leaveOut(
  files: readonly string[],
  programs: readonly SystemProgram[],
): { readonly runnable: readonly string[]; readonly leftOut: readonly LeftOut[] } {
  const missing = new Set(programs);
  const leftOut = files.flatMap((file): readonly LeftOut[] => {
    const needs = neededPrograms(file).filter((program) => missing.has(program));
    return needs.length === 0 ? [] : [{ file, needs: needs.map(programName) }];
  });
  const names = new Set(leftOut.map(({ file }) => file));
  return { runnable: files.filter((file) => !names.has(file)), leftOut };
}

/** A file of a package that has no program is named by the package. */
export function programName({ file, package: name }: SystemProgram): string {
  return /\/s?bin\//.test(file) ? path.basename(file) : name;
}

/** The file and all modules of this repository that it imports. */
function collectModules(file: string): ReadonlySet<string> {
  const found = new Set([file]);
  for (const source of found) {
    for (const [, specifier = ""] of readFileSync(source, "utf8").matchAll(imports)) {
      const target = resolveImport(source, specifier);
      if (target !== null && /\.tsx?$/.test(target) && existsSync(target)) found.add(target);
    }
  }
  return found;
}

function resolveImport(source: string, specifier: string): string | null {
  if (specifier.startsWith(".")) return path.join(path.dirname(source), specifier);
  const [, name = "", inner = "."] = /^@mooring\/([^/]+)(?:\/(.+))?$/.exec(specifier) ?? [];
  const manifest = `packages/${name}/package.json`;
  if (!existsSync(manifest)) return null;
  const { exports } = JSON.parse(readFileSync(manifest, "utf8")) as { readonly exports?: unknown };
  const entry = findEntry(exports, inner === "." ? "." : `./${inner}`);
  return entry === null ? null : path.join(`packages/${name}`, entry);
}

/** The target of an `exports` map: the exact key, or a key that ends with `*`. */
function findEntry(exports: unknown, key: string): string | null {
  if (typeof exports === "string") return key === "." ? exports : null;
  const entries = Object.entries((exports ?? {}) as Readonly<Record<string, unknown>>);
  for (const [pattern, target] of entries) {
    if (typeof target !== "string") continue;
    if (pattern === key) return target;
    const [before = "", after] = pattern.split("*");
    if (after === undefined || !key.startsWith(before) || !key.endsWith(after)) continue;
    return target.replace("*", key.slice(before.length, key.length - after.length));
  }
  return null;
}
