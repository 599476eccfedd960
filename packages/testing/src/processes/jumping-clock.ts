import { globSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

/** The local clock of a process, which jumps while it runs; its monotonic clock does not. */
export interface JumpingClock {
  /** For the environment of the process; its children have the same clock. */
  readonly env: Readonly<Record<string, string>>;
  /** From now on the clock is ahead by so many seconds; behind when negative. */
  setAhead(seconds: number): void;
  remove(): void;
}

/** By libfaketime, which answers the system calls that ask for the time. */
export function createJumpingClock(): JumpingClock {
  const [library] = globSync("/usr/lib/*/faketime/libfaketimeMT.so.1");
  if (library === undefined) throw new Error("libfaketime is not installed");
  const directory = mkdtempSync(path.join(tmpdir(), "mooring-clock-"));
  const file = path.join(directory, "offset");
  const setAhead = (seconds: number) =>
    writeFileSync(file, `${seconds < 0 ? "-" : "+"}${Math.abs(seconds)}\n`);
  setAhead(0);
  return {
    env: {
      LD_PRELOAD: library,
      FAKETIME_TIMESTAMP_FILE: file,
      FAKETIME_NO_CACHE: "1",
      FAKETIME_DONT_FAKE_MONOTONIC: "1",
    },
    setAhead,
    remove: () => rmSync(directory, { recursive: true, force: true }),
  };
}
