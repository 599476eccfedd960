import { setTimeout as delay } from "node:timers/promises";
import type { Log } from "../../config/settings.ts";
import type { AcceleratorPaths } from "../paths.ts";
import type { HaproxyProcess } from "./haproxy-process.ts";

/** A HAProxy that completes what it has begun. */
export interface Leaving {
  /** Resolves when it accepts nothing any more. */
  readonly closed: Promise<void>;
  readonly ended: Promise<void>;
  /** What is left after so long is cut. */
  endWithin(ms: number): void;
}

/** A connection that the door has passed on is accepted by then. */
const passedOnMs = 100;
const pollMs = 250;

/**
 * Has a HAProxy leave the public port to others that have it open as well:
 *
 * 1. Without a lease it leads nobody to promoted names, and passes requests on to the Node edge.
 * 2. It accepts nothing any more.
 * 3. HTTP/1 connections end with their next response, HTTP/2 ones after those under way (GOAWAY).
 * 4. It ends when no connection is left.
 *
 * Its runtime API answers all the time, so that what must not be served any more can be cut. A
 * HAProxy that does not answer is killed.
 */
export function leave(haproxy: HaproxyProcess, paths: AcceleratorPaths, log: Log): Leaving {
  let hasEnded = false;
  let cut: NodeJS.Timeout | undefined;
  const ended = haproxy.ended.then(() => {
    hasEnded = true;
    clearTimeout(cut);
  });

  async function close(): Promise<void> {
    await haproxy.api.run(`clear map ${paths.lease}`);
    await haproxy.api.run("shutdown frontend door");
    await delay(passedOnMs);
    await haproxy.api.run("shutdown frontend web");
  }

  async function drain(): Promise<void> {
    while (!hasEnded && (await countConnections(haproxy)) > 0) await delay(pollMs);
    haproxy.kill("SIGUSR1");
  }

  const closed = close().catch((error: unknown) => {
    if (hasEnded) return;
    log.error({ err: error, pid: haproxy.pid }, "accelerator does not answer and is killed");
    haproxy.kill("SIGKILL");
  });
  // One that stops answering later is killed when its time has passed.
  closed.then(drain).catch(() => undefined);
  return {
    closed,
    ended,
    endWithin(ms) {
      clearTimeout(cut);
      if (!hasEnded) cut = setTimeout(() => haproxy.kill("SIGKILL"), ms);
    },
  };
}

async function countConnections({ api }: HaproxyProcess): Promise<number> {
  const count = /^CurrConns: (\d+)$/m.exec(await api.run("show info"))?.[1];
  return Number(count ?? 0);
}
