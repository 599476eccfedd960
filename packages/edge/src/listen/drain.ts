import { once } from "node:events";
import type { Server } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import type { Closable } from "../http/exchange.ts";

/** Accepts nothing more, lets what is open end, and cuts it after the time to drain. */
export async function drain(
  servers: readonly Server[],
  open: Set<Closable>,
  drainMs: number,
): Promise<void> {
  const closed = servers
    .filter((server) => server.listening)
    .map((server) => {
      const done = once(server, "close");
      server.close();
      return done;
    });
  for (const one of open) one.drain();
  const cut = setTimeout(() => {
    for (const one of open) one.destroy();
  }, drainMs);
  await Promise.all(closed);
  clearTimeout(cut);
}

const calmMs = 500;
const calmPollMs = 50;

/** Closes them when nothing has come for a moment, or the time to drain has passed. */
export async function drainPrivately(
  servers: readonly Server[],
  open: ReadonlySet<Closable>,
  drainMs: number,
): Promise<void> {
  const end = performance.now() + drainMs;
  let calmSince = performance.now();
  while (servers.length > 0 && performance.now() < end) {
    if (open.size > 0) calmSince = performance.now();
    if (performance.now() - calmSince >= calmMs) break;
    await delay(calmPollMs);
  }
  await drain(servers, new Set(), 0);
}
