import path from "node:path";
import { recordTimes } from "./times.ts";

/** Preloaded by `--times`: records what the process of a test file took in all, when it ends. */
const [, file = ""] = process.argv;
if (/\.test\.tsx?$/.test(file)) {
  const start = { own: 0, children: 0, wall: performance.now() / 1_000 - process.uptime() };
  process.on("exit", () => {
    const isOutside = path.relative(process.cwd(), file).startsWith("..");
    recordTimes(isOutside ? file : path.relative(process.cwd(), file), start);
  });
}
