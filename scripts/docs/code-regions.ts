import { existsSync, readFileSync } from "node:fs";
import path from "node:path";

/**
 * `<!-- code ../examples/hono/server.ts#token as Hono -->` on its own line is replaced by that
 * region of the file, so that a page shows code that tests run. In the file the region begins with
 * the comment `region token` and ends with `end region`. Neighbouring blocks with an `as` become
 * tabs.
 */
const directive = /^<!-- code ([^\s#]+)#([\w-]+)(?: as ([\w.]+))? -->$/gm;
const begins = /^\s*(?:\/\/|#|<!--|\/\*|\{\/\*) region ([\w-]+)(?: -->| \*\/\}?)?$/;
const ends = /^\s*(?:\/\/|#|<!--|\/\*|\{\/\*) end region(?: -->| \*\/\}?)?$/;

const languages: Readonly<Record<string, string>> = {
  ".go": "go",
  ".html": "html",
  ".php": "php",
  ".py": "python",
  ".rb": "ruby",
  ".ts": "ts",
  ".tsx": "tsx",
};

export function withCode(root: string, source: string, text: string): string {
  return text.replace(directive, (_line, file: string, region: string, tab?: string) => {
    const from = path.posix.join(path.posix.dirname(source), file);
    const location = path.join(root, from);
    if (!existsSync(location)) throw new Error(`there is no ${from}`);
    const code = findRegion(readFileSync(location, "utf8"), region);
    if (code === null) throw new Error(`${from} has no complete region ${region}`);
    const language = languages[path.extname(from)] ?? "text";
    return ["```", language, tab === undefined ? "" : ` tab=${tab}`, "\n", code, "\n```"].join("");
  });
}

/**
 * The lines of the region without their common indentation; null when it is missing or has no end.
 */
export function findRegion(file: string, region: string): string | null {
  const lines = file.split("\n");
  const start = lines.findIndex((line) => begins.exec(line)?.[1] === region);
  const end = lines.findIndex((line, at) => at > start && ends.test(line));
  if (start === -1 || end === -1) return null;
  const inside = lines.slice(start + 1, end);
  const depths = inside.filter((line) => line.trim() !== "").map((line) => line.search(/\S/));
  const depth = Math.min(...depths);
  return inside
    .map((line) => line.slice(depth))
    .join("\n")
    .trim();
}
