import { readFileSync } from "node:fs";

/** The kernel counts in ticks of this length, on every Linux that we run on. */
const ticksPerSecond = 100;

export interface ProcessorSeconds {
  readonly own: number;
  /** Of children that have ended and were waited for, with theirs. Known on Linux only, else 0. */
  readonly children: number;
}

/** The processor time of this process until now. */
export function processorSeconds(): ProcessorSeconds {
  const { user, system } = process.cpuUsage();
  return { own: (user + system) / 1e6, children: readStat("self").children };
}

/** The processor time of a running process and of its ended children; 0 when it is unknown. */
export function secondsOfProcess(pid: number): number {
  const { own, children } = readStat(String(pid));
  return own + children;
}

function readStat(pid: string): ProcessorSeconds {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "utf8");
    // proc(5): after the name in parentheses, utime, stime, cutime and cstime are fields 14 to 17.
    const ticks = text.slice(text.lastIndexOf(")") + 2).split(" ");
    const [user = 0, system = 0, childUser = 0, childSystem = 0] = ticks.slice(11, 15).map(Number);
    return {
      own: (user + system) / ticksPerSecond,
      children: (childUser + childSystem) / ticksPerSecond,
    };
  } catch {
    return { own: 0, children: 0 };
  }
}
