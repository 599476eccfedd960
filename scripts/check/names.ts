import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { filesWithNames, releaseNames } from "../release/names.ts";

/**
 * Fails where a document, a manifest or a program names a package, an image or a chart otherwise
 * than scripts/release/names.ts: a reader would install what somebody else has published.
 */
const packages: readonly string[] = Object.values(releaseNames.npm);
const { image, helmRepository } = releaseNames;

/** Commands that download a package and run or install it. */
const installs =
  /\b(?:npx|bunx|pnpm dlx|npm (?:i|install|add|exec)|(?:pnpm|yarn|bun|deno) add)((?: +[^\s`"'|&;)]+)+)/g;

function* wrongPackages(line: string): Generator<string> {
  for (const [command, words = ""] of line.matchAll(installs)) {
    const runs = /^(?:npx|bunx|pnpm dlx|npm exec)\b/.test(command);
    const given = words.split(/\s+/).filter((word) => word !== "" && !word.startsWith("-"));
    for (const word of runs ? given.slice(0, 1) : given) {
      const name = word.replace(/^npm:/, "").replace(/(?<=.)@[\w.^~-]+$/, "");
      if (!/mooring/.test(name) || /^\.{0,2}\/|\.tgz$/.test(name)) continue;
      if (!packages.includes(name))
        yield `${name} is no package of ours; use ${packages.join(", ")}`;
    }
  }
}

/** An image at a registry, or a chart. */
const published =
  /(?<![@/\w.-])(?:oci:\/\/)?\b(?:[\w-]+\.)+[a-z]{2,}\/(?:[\w.-]+\/)*mooring(?:-one)?\b/g;

function* wrongImages(file: string, line: string): Generator<string> {
  for (const [found] of line.matchAll(published)) {
    if (/(?:github|example)\.(?:com|org|net)\//.test(found)) continue;
    const isOurs = [image, `${image}-one`, `${helmRepository}/mooring`].includes(found);
    if (!isOurs) yield `${found} is no image or chart of ours`;
    else if (!filesWithNames.includes(file)) yield `${found} is spelled outside names.ts`;
  }
}

/** What makes a release takes the names from their file. */
function* spelledInScripts(file: string, line: string): Generator<string> {
  if (!/^scripts\/(packages|release)\//.test(file) || /^\s*(import\b|\*|\/)|from "/.test(line))
    return;
  const found = packages.find((name) => line.includes(`"${name}"`));
  if (found !== undefined) yield `"${found}" is spelled outside names.ts`;
}

const excluded =
  /^CHANGELOG\.md$|package-lock\.json$|^scripts\/(check|release)\/names\.ts$|\.test\.ts$|^(docs\/decisions|test)\//;
const included = /\.(ts|tsx|js|mjs|md|yaml|yml|html|json|tpl|txt)$|Dockerfile/;
const files = execFileSync("git", ["ls-files"], { encoding: "utf8" })
  .split("\n")
  .filter((file) => included.test(file) && !excluded.test(file));

const problems = files.flatMap((file) =>
  readFileSync(file, "utf8")
    .split("\n")
    .flatMap((line, index) =>
      [...wrongPackages(line), ...wrongImages(file, line), ...spelledInScripts(file, line)].map(
        (problem) => `${file}:${index + 1}: ${problem}`,
      ),
    ),
);
for (const problem of problems) console.error(problem);
process.exitCode = problems.length === 0 ? 0 : 1;
