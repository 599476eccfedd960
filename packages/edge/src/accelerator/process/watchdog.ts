import { setTimeout as delay } from "node:timers/promises";
import type { Log } from "../../config/settings.ts";
import { answers, type HaproxyProcess } from "./haproxy-process.ts";

const intervalMs = 1_000;
const longestSilenceMs = 10_000;
/** So that a pause of this process is not taken for one of HAProxy. */
const fewestFailures = 3;

/** Kills a HAProxy that runs and does not answer; visitors would wait for it without end. */
export async function killWhenSilent(haproxy: HaproxyProcess, log: Log): Promise<void> {
  let hasEnded = false;
  void haproxy.ended.then(() => {
    hasEnded = true;
  });
  let failures = 0;
  let answeredAt = performance.now();
  while (!hasEnded) {
    await delay(intervalMs, undefined, { ref: false });
    if (await answers(haproxy.api)) {
      failures = 0;
      answeredAt = performance.now();
      continue;
    }
    failures += 1;
    const silentMs = Math.round(performance.now() - answeredAt);
    if (hasEnded || failures < fewestFailures || silentMs < longestSilenceMs) continue;
    log.error({ pid: haproxy.pid, silentMs }, "accelerator does not answer and is killed");
    haproxy.kill("SIGKILL");
    return;
  }
}
