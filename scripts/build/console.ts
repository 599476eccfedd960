import { readFileSync } from "node:fs";
import path from "node:path";
import { gzipSync } from "node:zlib";
import { buildBundle } from "../../packages/console/vite.config.ts";

/**
 * Builds the console, which the API serves under `/console/`.
 *
 *     node scripts/build/console.ts
 */
const outDir = path.resolve(import.meta.dirname, "../../packages/console/dist");

/** The limit of what the first page loads, compressed: the entry script and style, without screens. */
export const consoleBudgetBytes = 200 * 1_024;

export interface BuiltConsole {
  readonly outDir: string;
  /** Script and style of the first load. */
  readonly gzipBytes: number;
}

export async function buildConsole(): Promise<BuiltConsole> {
  await buildBundle();
  const gzipBytes = firstLoadBytes();
  if (gzipBytes > consoleBudgetBytes) {
    throw new Error(
      `the console's first load has ${gzipBytes} bytes gzipped; the budget is ${consoleBudgetBytes}`,
    );
  }
  return { outDir, gzipBytes };
}

interface Chunk {
  readonly file: string;
  readonly isEntry?: boolean;
  readonly imports?: readonly string[];
  readonly css?: readonly string[];
}

/** The entry, everything that it imports before it runs, their styles, and the first screen. */
export function firstLoadBytes(): number {
  const manifest: Readonly<Record<string, Chunk>> = JSON.parse(
    readFileSync(path.join(outDir, "manifest.json"), "utf8"),
  );
  const files = new Set<string>();
  const add = (name: string): void => {
    const chunk = manifest[name];
    if (chunk === undefined || files.has(chunk.file)) return;
    for (const file of [chunk.file, ...(chunk.css ?? [])]) files.add(file);
    for (const imported of chunk.imports ?? []) add(imported);
  };
  for (const [name, { isEntry }] of Object.entries(manifest)) if (isEntry === true) add(name);
  add("src/overview/overview-page.tsx");
  const sizes = [...files].map(
    (file) => gzipSync(readFileSync(path.join(outDir, file)), { level: 9 }).length,
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}

if (import.meta.main) {
  const { gzipBytes } = await buildConsole();
  console.log(`the console's first load: ${gzipBytes} of ${consoleBudgetBytes} bytes gzipped`);
}
