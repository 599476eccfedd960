import { readFileSync } from "node:fs";
import path from "node:path";
import { gzipSync } from "node:zlib";
import { type Bundle, buildBundle } from "../../packages/console/bundle.ts";

/**
 * Builds the console, which the API serves under `/console/`.
 *
 *     node scripts/build/console.ts
 */
/**
 * The limit of what the first page loads, compressed: the entry script and style, without screens.
 */
export const consoleBudgetBytes = 200 * 1_024;

export interface BuiltConsole {
  readonly outDir: string;
  /** Script and style of the first load. */
  readonly gzipBytes: number;
}

export async function buildConsole(): Promise<BuiltConsole> {
  const bundle = await buildBundle();
  const gzipBytes = firstLoadBytes(bundle);
  if (gzipBytes > consoleBudgetBytes) {
    throw new Error(
      `the console's first load has ${gzipBytes} bytes gzipped; the budget is ${consoleBudgetBytes}`,
    );
  }
  return { outDir: bundle.outDir, gzipBytes };
}

/** The entry, everything that it imports before it runs, the styles, and the first screen. */
function firstLoadBytes({ outDir, entry, styles, chunkOf }: Bundle): number {
  const screen = chunkOf("src/overview/overview-page.tsx");
  const files = new Set([entry.file, ...entry.imports, screen.file, ...screen.imports, styles]);
  const sizes = [...files].map(
    (file) => gzipSync(readFileSync(path.join(outDir, file)), { level: 9 }).length,
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}

if (import.meta.main) {
  const { gzipBytes } = await buildConsole();
  console.log(`the console's first load: ${gzipBytes} of ${consoleBudgetBytes} bytes gzipped`);
}
