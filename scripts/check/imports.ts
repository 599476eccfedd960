import path from "node:path";
import { type Import, readImports } from "./import-graph.ts";
import { excluded, type Forbidden, law, type Required } from "./import-law.ts";

/** Checks the import law. Too few modules are an error: then something was not found. */
const minModules = 1_000;

const root = path.resolve(import.meta.dirname, "../..");
const graph = readImports(root, ["packages/**/*.{ts,tsx}"], (file) => excluded.test(file));
const cycles = findCycles();
const problems: string[] = [];
for (const rule of law.forbidden) checkForbidden(rule);
for (const rule of law.required) checkRequired(rule);
if (graph.size < minModules) problems.push(`found only ${graph.size} modules`);
for (const problem of problems) console.error(problem);
process.exitCode = problems.length === 0 ? 0 : 1;

function checkForbidden({ name, comment, from, to }: Forbidden): void {
  for (const [module, imports] of graph) {
    const group = matches(module, from);
    if (group === null) continue;
    for (const one of to.isReached === true ? loadedBy(module) : imports) {
      const isExempt = to.isTypeAllowed === true && one.isTypeOnly;
      const isMeant = to.isCircular !== true || isCircular(module, one);
      if (isExempt || !isMeant || matches(one.to, to, group) === null) continue;
      problems.push(`${module} → ${one.to}\n  ${name}: ${comment}`);
    }
  }
}

function checkRequired({ name, comment, module, to }: Required): void {
  for (const [file, imports] of graph) {
    if (matches(file, module) === null) continue;
    const isMet = imports.some((one) => matches(one.to, to) !== null);
    if (!isMet) problems.push(`${file}\n  ${name}: ${comment}`);
  }
}

/** The first group of `path`, or an empty text; null when the module is not meant. */
function matches(
  module: string,
  { path: pattern = "", pathNot = [] }: Forbidden["from"],
  group = "",
): string | null {
  const withGroup = (text: string): RegExp => new RegExp(text.replaceAll("$1", group));
  const found = withGroup(pattern).exec(module);
  const isExempt = [pathNot].flat().some((text) => withGroup(text).test(module));
  return found === null || isExempt ? null : (found[1] ?? "");
}

/** What a module loads, directly and through others. */
function loadedBy(module: string): readonly Import[] {
  const loaded = new Map<string, Import>();
  const waiting = [module];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    for (const one of graph.get(next) ?? []) {
      if (one.isTypeOnly || loaded.has(one.to)) continue;
      loaded.set(one.to, one);
      waiting.push(one.to);
    }
  }
  return [...loaded.values()];
}

function isCircular(module: string, { to }: Import): boolean {
  return module === to || (graph.has(to) && cycles.get(module) === cycles.get(to));
}

/** The strongly connected component of each module (Tarjan), named by its first module. */
function findCycles(): ReadonlyMap<string, string> {
  const order = new Map<string, number>();
  const lowest = new Map<string, number>();
  const open: string[] = [];
  const component = new Map<string, string>();
  const visit = (module: string): void => {
    const at = order.size;
    order.set(module, at);
    lowest.set(module, at);
    open.push(module);
    const inside = (graph.get(module) ?? []).map(({ to }) => to).filter((to) => graph.has(to));
    for (const to of inside) {
      if (!order.has(to)) visit(to);
      const reached = component.has(to) ? at : (lowest.get(to) ?? at);
      lowest.set(module, Math.min(lowest.get(module) ?? at, reached));
    }
    if (lowest.get(module) !== at) return;
    for (const member of open.splice(open.indexOf(module))) component.set(member, module);
  };
  for (const module of graph.keys()) if (!order.has(module)) visit(module);
  return component;
}
