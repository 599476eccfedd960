import type { TestEvent } from "node:test/reporters";

/** A reporter that names each file with a failed test, one a line. */
export default async function* failedFiles(
  source: AsyncIterable<TestEvent>,
): AsyncGenerator<string> {
  const named = new Set<string>();
  for await (const event of source) {
    if (event.type !== "test:fail") continue;
    const { file } = event.data;
    if (file === undefined || named.has(file)) continue;
    named.add(file);
    yield `${file}\n`;
  }
}
