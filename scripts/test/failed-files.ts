import path from "node:path";
import type { TestEvent } from "node:test/reporters";
import { inspect } from "node:util";

/** A test file that failed, and what it printed. */
export interface FailedFileReport {
  readonly file: string;
  readonly output: string;
}

const maxOutput = 200_000;

/**
 * A reporter that names each file with a failed test, with its output and its failures: a JSON
 * object a line. A shared process reports a member that it could not load by a suite of the
 * member's name, and its own end by its own file.
 */
export default async function* failedFiles(
  source: AsyncIterable<TestEvent>,
): AsyncGenerator<string> {
  const printed = new Map<string, string>();
  const failed = new Map<string, string>();
  for await (const event of source) {
    if (event.type === "test:fail") append(failed, failureKey(event.data), failureText(event.data));
    if (event.type === "test:stdout" || event.type === "test:stderr") {
      append(printed, event.data.file, event.data.message);
    }
  }
  for (const [file, failures] of failed) {
    const report: FailedFileReport = { file, output: `${printed.get(file) ?? ""}${failures}` };
    yield `${JSON.stringify(report)}\n`;
  }
}

type Failure = Extract<TestEvent, { readonly type: "test:fail" }>["data"];

function failureKey({ name, file, details }: Failure): string | undefined {
  const isMember = details.type === "suite" && /^\S+\.test\.tsx?$/.test(name);
  return isMember ? name : file;
}

function failureText({ name, details }: Failure): string {
  return `✖ ${name}\n${inspect(details.error.cause ?? details.error)}\n`;
}

function append(texts: Map<string, string>, file: string | undefined, text: string): void {
  if (file === undefined) return;
  // Output is reported by the path as given, a failure by the whole path.
  const key = path.resolve(file);
  texts.set(key, ((texts.get(key) ?? "") + text).slice(-maxOutput));
}
