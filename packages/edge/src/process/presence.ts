import { randomUUID } from "node:crypto";
import { hostname } from "node:os";
import { type Clock, repeatEvery } from "@mooring/postgres";
import manifest from "../../package.json" with { type: "json" };
import type { EdgeParts } from "../config/settings.ts";
import type { PresenceFeed } from "../feed/feed.ts";

const everyMs = 30_000;

export interface Presence {
  /** The process ends: its row goes. */
  stop(): Promise<void>;
}

/**
 * Says every half minute that this process runs, where, in which version and for how many names.
 */
export function startPresence(parts: {
  readonly feed: PresenceFeed;
  readonly clock: Clock;
  readonly log: EdgeParts["log"];
  readonly port: number;
  readonly hosts: { readonly size: number };
  /** Of the process; a new one by default. */
  readonly id?: string;
}): Presence {
  const { feed, port, hosts } = parts;
  const { id = randomUUID() } = parts;
  const startedAt = parts.clock.now();
  const address = `${hostname()}:${port}`;
  const { version } = manifest;
  const tell = () => feed.tell({ id, address, version, certificates: hosts.size, startedAt });
  const onError = (error: unknown) => parts.log.warn({ err: error }, "presence not written");
  const telling = repeatEvery(everyMs, tell, { startNow: true, onError });
  return {
    async stop() {
      await telling.stop();
      await feed.leave(id).catch(onError);
    },
  };
}
