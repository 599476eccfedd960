import { appendFileSync, readFileSync } from "node:fs";
import path from "node:path";
import type { TestEvent } from "node:test/reporters";
import { formatTime } from "../../packages/testing/src/processes/soak.ts";
import { type EndedFile, readEnded, recordsFile } from "./soak-progress.ts";

/** A reporter that records each file that has ended, and says how many are left and how long. */
export default async function* soakProgress(
  source: AsyncIterable<TestEvent>,
): AsyncGenerator<string> {
  const directory = process.env["SOAK_DIR"] ?? "";
  const total = Number(readFileSync(path.join(directory, "total"), "utf8"));
  const before = readEnded(directory).filter(({ isPassed }) => isPassed).length;
  const startedAt = performance.now();
  let count = 0;
  for await (const event of source) {
    if (event.type !== "test:summary" || event.data.file === undefined) continue;
    const file = path.relative(".", event.data.file);
    const { success: isPassed, duration_ms: ms } = event.data;
    const ended: EndedFile = { file, isPassed, ms };
    appendFileSync(recordsFile(directory), `${JSON.stringify(ended)}\n`);
    count += 1;
    const left = total - before - count;
    const estimate = formatTime(((performance.now() - startedAt) / count) * left);
    const state = `${isPassed ? "passed" : "FAILED"} after ${formatTime(ms)}`;
    yield `soak: ${file} ${state}; ${before + count} of ${total}, about ${estimate} left\n`;
  }
}
