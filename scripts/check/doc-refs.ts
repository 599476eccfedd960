import { existsSync, globSync, readFileSync } from "node:fs";
import path from "node:path";

/** Fails when a document names a path of the repository that does not exist. */
const documents = globSync(["*.md", "docs/**/*.md", "bench/*.md"]);
// A path in backticks that starts with one of our folders, or a relative link.
const inCode = /`((?:packages|scripts|test|docs|deploy|bench|examples|\.ci)\/[^`\s*<>{}…]*)`/g;
const inLink = /\]\((?!https?:|#|mailto:)([^)#\s]+)/g;

const missing = documents.flatMap((document) => {
  const text = readFileSync(document, "utf8");
  const named = [...text.matchAll(inCode)].map((match) => match[1] ?? "");
  const linked = [...text.matchAll(inLink)].map((match) =>
    path.join(path.dirname(document), match[1] ?? ""),
  );
  return [...named, ...linked]
    .filter((target) => !existsSync(target.replace(/:\d+$/, "")))
    .map((target) => `${document}: ${target} does not exist`);
});
for (const line of missing) console.error(line);
process.exitCode = missing.length === 0 ? 0 : 1;
