/** Calls again and again, never while the call before is under way. */
export function everyTick(ms: number, work: () => Promise<void>): NodeJS.Timeout {
  let isRunning = false;
  return setInterval(() => {
    if (isRunning) return;
    isRunning = true;
    void work().finally(() => {
      isRunning = false;
    });
  }, ms);
}
