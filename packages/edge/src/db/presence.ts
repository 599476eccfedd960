import { randomUUID } from "node:crypto";
import { hostname } from "node:os";
import { type Clock, repeatEvery } from "@mooring/postgres";
import type pg from "pg";
import manifest from "../../package.json" with { type: "json" };
import type { EdgeParts } from "../config/settings.ts";

const everyMs = 30_000;
/** Rows of processes that ended without a word. */
const forgottenAfterMs = 7 * 86_400_000;

export interface Presence {
  /** The process ends: its row goes. */
  stop(): Promise<void>;
}

/** Says every half minute that this process runs, where, in which version and for how many names. */
export function startPresence(parts: {
  readonly pool: pg.Pool;
  readonly clock: Clock;
  readonly log: EdgeParts["log"];
  readonly port: number;
  readonly hosts: { readonly size: number };
}): Presence {
  const { pool, clock } = parts;
  const id = randomUUID();
  const startedAt = clock.now();
  const tell = async (): Promise<void> => {
    const now = clock.now();
    await pool.query(
      `insert into edges (id, address, version, certificates, started_at, last_seen_at)
       values ($1, $2, $3, $4, $5, $6)
       on conflict (id) do update set certificates = excluded.certificates, last_seen_at = excluded.last_seen_at`,
      [id, `${hostname()}:${parts.port}`, manifest.version, parts.hosts.size, startedAt, now],
    );
    const before = new Date(now.getTime() - forgottenAfterMs);
    await pool.query("delete from edges where last_seen_at < $1", [before]);
  };
  const onError = (error: unknown) => parts.log.warn({ err: error }, "presence not written");
  const telling = repeatEvery(everyMs, tell, { startNow: true, onError });
  return {
    async stop() {
      await telling.stop();
      await pool.query("delete from edges where id = $1", [id]).catch(onError);
    },
  };
}
