import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";

/** Fails on a comment that is longer than a line of code may be; Biome formats code only. */
const maxColumns = 100;

/** An address cannot be wrapped, and Biome reads its own comments as one line. */
const comment = /^\s*(\/\/|\/?\*)/;
const unwrappable = /https?:\/\/\S+$|biome-ignore/;

const files = execFileSync("git", ["ls-files", "*.ts", "*.tsx", "*.js", "*.mjs"], {
  encoding: "utf8",
})
  .split("\n")
  .filter((file) => file !== "" && !file.endsWith(".gen.ts"));

const problems = files.flatMap((file) =>
  readFileSync(file, "utf8")
    .split("\n")
    .flatMap((line, index) => {
      const isLong = line.length > maxColumns && comment.test(line) && !unwrappable.test(line);
      return isLong
        ? [`${file}:${index + 1}: the comment is longer than ${maxColumns} columns`]
        : [];
    }),
);
for (const problem of problems) console.error(problem);
process.exitCode = problems.length === 0 ? 0 : 1;
