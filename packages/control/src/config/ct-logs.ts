import { readFileSync } from "node:fs";
import { z } from "zod";
import { parseLogList, type TransparencyLog } from "../domain/transparency/log-list.ts";

/** The logs in the file that the variable names; none when it names none. */
export function ctLogs() {
  return z
    .string()
    .optional()
    .transform((file, context): readonly TransparencyLog[] => {
      if (file === undefined) return [];
      const text = readText(file);
      const { logs, problems } =
        text === null ? { logs: [], problems: ["cannot be read"] } : parseLogList(text);
      for (const problem of problems) {
        context.addIssue({ code: "custom", message: `${file}: ${problem}` });
      }
      return logs;
    });
}

function readText(file: string): string | null {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return null;
  }
}
