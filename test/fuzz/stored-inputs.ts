import { readFileSync } from "node:fs";
import path from "node:path";

/** The inputs of a target that once did harm, or nearly; each run tries them first. */
export function storedInputs(name: string): readonly unknown[] {
  const file = path.join(import.meta.dirname, "seeds", `${name}.json`);
  const stored = JSON.parse(readFileSync(file, "utf8")) as unknown;
  if (!Array.isArray(stored)) throw new Error(`${file} is no list`);
  return stored;
}
