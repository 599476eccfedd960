import { monitorEventLoopDelay } from "node:perf_hooks";
import type { EdgeLimits } from "../config/limits.ts";

/** easy: all is served. busy: nothing new is begun. flooded: no new connection either. */
export type Load = "easy" | "busy" | "flooded";

export interface LoadWindow {
  readonly delayMs: number;
  readonly lengthMs: number;
}

const windowMs = 500;
const sustainedMs = 1_000;

/**
 * What the last windows say. A single late turn is no overload: the delay must last for a second, in
 * windows that follow each other or by itself (which window a long one falls into is chance).
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
    const delayMs = histogram.percentile(99) / 1e6;
    // Timers may fire a little early; two windows are a second all the same.
    const lengthMs = Math.max(windowMs, now - beganAt);
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
