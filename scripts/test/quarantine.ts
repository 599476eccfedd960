import { existsSync, readFileSync } from "node:fs";
import { z } from "zod";

/**
 * Test files that are known to be flaky, each with the day it was listed and the reason. A flaky
 * file fails the run unless it is listed here; the list is short and every entry expires, so a
 * flake is fixed and not hidden.
 */
const listFile = "test/quarantine.json";
const maxEntries = 5;
const maxAgeDays = 14;

const Entry = z.strictObject({
  file: z.string(),
  since: z.iso.date(),
  reason: z.string().min(20),
});

export type QuarantineEntry = z.infer<typeof Entry>;

export function readQuarantine(): readonly QuarantineEntry[] {
  return z.array(Entry).parse(JSON.parse(readFileSync(listFile, "utf8")));
}

/** The problems of the list; empty when there are none. */
export function quarantineProblems(
  entries: readonly QuarantineEntry[],
  today: Date,
  exists: (file: string) => boolean = existsSync,
): readonly string[] {
  const problems = entries.flatMap(({ file, since }) => {
    const ageDays = Math.floor((today.getTime() - Date.parse(since)) / 86_400_000);
    return [
      ...(exists(file) ? [] : [`${file} does not exist`]),
      ...(ageDays > maxAgeDays ? [`${file} has been listed for ${ageDays} days`] : []),
      ...(ageDays < 0 ? [`${file} is listed with a date in the future`] : []),
    ];
  });
  const count = entries.length > maxEntries ? [`${entries.length} entries are listed`] : [];
  return [...count, ...problems].map(
    (problem) => `${listFile}: ${problem} (at most ${maxEntries}, for ${maxAgeDays} days)`,
  );
}
