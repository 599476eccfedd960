/** How far an import is. */
export interface Progress {
  readonly done: number;
  readonly total: number;
  /** By the pace so far; null before the first row. */
  readonly seconds_left: number | null;
}

/** People read it, and logs store it. */
const everyMs = 2_000;

/**
 * To be called with the number of rows that are done. Reports the first call, the last row, and
 * what is done every two seconds between them.
 */
export function createProgress(
  total: number,
  now: () => number,
  report: (progress: Progress) => void,
): (done: number) => void {
  const startedAt = now();
  let reportedAt: number | null = null;
  return (done) => {
    const at = now();
    const isDue = reportedAt === null || done === total || at - reportedAt >= everyMs;
    if (!isDue) return;
    reportedAt = at;
    const left = done === 0 ? null : ((at - startedAt) / done) * (total - done);
    report({ done, total, seconds_left: left === null ? null : Math.ceil(left / 1_000) });
  };
}

export function progressText({ done, total, seconds_left: left }: Progress): string {
  const rows = `${done} of ${total} rows`;
  return left === null || done === total ? rows : `${rows}, ${durationText(left)} left`;
}

function durationText(seconds: number): string {
  if (seconds < 60) return "less than a minute";
  const minutes = Math.round(seconds / 60);
  if (minutes < 90) return minutes === 1 ? "about a minute" : `about ${minutes} minutes`;
  return `about ${Math.round(minutes / 60)} hours`;
}
