import { monitorEventLoopDelay } from "node:perf_hooks";
import type { EdgeLimits } from "../config/limits.ts";

/** easy: everything is served. busy: no new work is started. flooded: no new connections either. */
export type Load = "easy" | "busy" | "flooded";

export interface LoadWindow {
  readonly delayMs: number;
  readonly lengthMs: number;
}

const windowMs = 500;
const sustainedMs = 1_000;

/**
 * The load by the last windows. A single delay is no overload: it must last for a second, in
 * consecutive windows or by itself (a long delay may fall into either window).
 */
export function judgeLoad(
  windows: readonly LoadWindow[],
  limits: Pick<EdgeLimits, "shedDelayMs" | "refuseDelayMs">,
): Load {
  if (isSustained(windows, limits.refuseDelayMs)) return "flooded";
  return isSustained(windows, limits.shedDelayMs) ? "busy" : "easy";
}

function isSustained(windows: readonly LoadWindow[], limitMs: number): boolean {
  let lastedMs = 0;
  for (const { delayMs, lengthMs } of windows.toReversed()) {
    if (delayMs <= limitMs) break;
    lastedMs += Math.max(lengthMs, delayMs);
  }
  return lastedMs >= sustainedMs;
}

export interface LoadMonitor {
  current(): Load;
  stop(): void;
}

export function startLoadMonitor(
  limits: Pick<EdgeLimits, "shedDelayMs" | "refuseDelayMs">,
): LoadMonitor {
  const histogram = monitorEventLoopDelay({ resolution: 10 });
  histogram.enable();
  let load: Load = "easy";
  let windows: LoadWindow[] = [];
  let beganAt = performance.now();
  const timer = setInterval(() => {
    const now = performance.now();
    // Timers may fire early; two windows must still add up to a second.
    const lengthMs = Math.max(windowMs, now - beganAt);
    // The histogram measures from its second tick in a window, which a long delay may leave out.
    const delayMs = Math.max(histogram.percentile(99) / 1e6, lengthMs - windowMs);
    windows = [...windows.slice(-1), { delayMs, lengthMs }];
    load = judgeLoad(windows, limits);
    histogram.reset();
    beganAt = now;
  }, windowMs);
  timer.unref();
  return {
    current: () => load,
    stop() {
      clearInterval(timer);
      histogram.disable();
    },
  };
}
