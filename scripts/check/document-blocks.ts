import { existsSync, globSync, readFileSync } from "node:fs";
import path from "node:path";
import { parseDocBlocks } from "../../packages/testing/src/processes/doc-blocks.ts";

/**
 * Fails when a document has a block to paste, and does not say which test runs it or why none does.
 * A block without a language is a drawing or output, unless it shows a prompt.
 */
const documents = globSync([
  "*.md",
  "docs/*.md",
  "docs/switch/*.md",
  "bench/*.md",
  "packages/*/README.md",
  "examples/**/README.md",
]).filter((document) => !document.includes("node_modules") && document !== "CHANGELOG.md");

function faults(document: string): readonly string[] {
  return parseDocBlocks(readFileSync(document, "utf8"))
    .filter(({ language, text }) => language !== "" || /^\$ /m.test(text))
    .flatMap(({ line, mark }) => {
      const where = `${document}:${line}:`;
      if (mark === null)
        return [`${where} say "run by FILE" or "not run: REASON" before the block`];
      if ("notRun" in mark) return [];
      if (!existsSync(mark.runBy)) return [`${where} ${mark.runBy} does not exist`];
      const isRead =
        mark.runBy === ".ci/run" ||
        readFileSync(mark.runBy, "utf8").includes(path.basename(document));
      return isRead ? [] : [`${where} ${mark.runBy} does not name ${path.basename(document)}`];
    });
}

const found = documents.flatMap(faults);
for (const line of found) console.error(line);
process.exitCode = found.length === 0 ? 0 : 1;
