import { appendFileSync } from "node:fs";
import path from "node:path";

/** What a test file has shown; the runner reads it. */
export interface Shown {
  readonly promoted: readonly string[];
  /** Requests that HAProxy has sent to origins itself. */
  readonly served: number;
}

/** For processes that a test file starts. */
export const fileVariable = "TEST_ACCELERATED_FILE";

/** The test file that this process runs or was started by, by its path from the root. */
export function testFile(): string | null {
  const file = process.env[fileVariable] ?? path.relative(process.cwd(), process.argv[1] ?? "");
  return /\.test\.tsx?$/.test(file) ? file : null;
}

export function reportShown(shown: Shown): void {
  const { TEST_ACCELERATED: report } = process.env;
  const file = testFile();
  if (report === undefined || file === null) return;
  appendFileSync(report, `${JSON.stringify({ file, ...shown })}\n`);
}
