import path from "node:path";
import type { EdgeLimits } from "../config/limits.ts";
import type { Log } from "../config/settings.ts";
import { everyTick } from "./every-tick.ts";
import type { AcceleratorPaths } from "./paths.ts";
import { adminSockets } from "./runtime/admin-sockets.ts";
import { createRuntimeApi, type RuntimeApi } from "./runtime/runtime-api.ts";
import {
  cutStream,
  listStreams,
  readUploads,
  type Stream,
  type Upload,
} from "./runtime/uploads.ts";

type PaceLimits = Pick<EdgeLimits, "stallMs" | "bodyBytesPerSecond">;

/** A request at the last check. */
interface Known {
  readonly checkedAt: number;
  /** Null for a request that is complete. */
  readonly counted: Counted | null;
}

/** What an upload had sent then. */
interface Counted {
  readonly since: number;
  readonly bytes: number;
}

/** So much later than the Node edge, at most, is a slow upload ended. */
const checksPerStall = 6;

export interface UploadPaceParts {
  readonly paths: AcceleratorPaths;
  readonly limits: PaceLimits;
  readonly log: Pick<Log, "info" | "warn">;
}

/**
 * Ends uploads of every HAProxy that stall, or arrive below the least rate, as `http/body-pace.ts`
 * does in the Node edge: HAProxy has no limit for either.
 */
export function watchUploads({ paths, limits, log }: UploadPaceParts): { stop(): void } {
  const paces = new Map<string, UploadPace>();

  async function check(socket: string): Promise<void> {
    const api = createRuntimeApi(path.join(paths.directory, socket));
    const pace = paces.get(socket) ?? createUploadPace(limits);
    paces.set(socket, pace);
    const ended = await pace.check(api, performance.now());
    if (ended > 0) log.info({ uploads: ended }, "slow uploads ended in the accelerator");
  }

  async function tick(): Promise<void> {
    const sockets = adminSockets(paths.directory);
    for (const name of paces.keys()) if (!sockets.includes(name)) paces.delete(name);
    // One that has ended meanwhile does not answer, and has none.
    const results = await Promise.allSettled(sockets.map(check));
    for (const one of results) {
      if (one.status === "rejected") log.warn({ err: one.reason }, "uploads not measured");
    }
  }

  const timer = everyTick(limits.stallMs / checksPerStall, tick);
  return { stop: () => clearInterval(timer) };
}

export interface UploadPace {
  /** Returns how many it has ended. */
  check(api: RuntimeApi, now: number): Promise<number>;
}

/** For one HAProxy. */
export function createUploadPace({ stallMs, bodyBytesPerSecond }: PaceLimits): UploadPace {
  let known = new Map<string, Known>();

  /** What is known of this stream; an earlier one may have had its id. */
  function recall({ id, ageMs }: Stream, now: number): Known | null {
    const found = known.get(id);
    return found !== undefined && ageMs >= now - found.checkedAt ? found : null;
  }

  function count(upload: Upload, before: Known | null, now: number): Counted | "slow" {
    const { bytes, isHeldUp } = upload;
    const counted = before?.counted ?? null;
    if (counted === null || isHeldUp) return { since: now, bytes };
    const elapsedMs = now - counted.since;
    if (elapsedMs < stallMs) return counted;
    const isSlow = bytes - counted.bytes < Math.max(1, (elapsedMs / 1_000) * bodyBytesPerSecond);
    return isSlow ? "slow" : { since: now, bytes };
  }

  return {
    async check(api, now) {
      const streams = (await listStreams(api)).map((one) => ({ ...one, was: recall(one, now) }));
      const open = streams.filter(({ was }) => was === null || was.counted !== null);
      const ids = open.map(({ id }) => id);
      const uploads = new Map((await readUploads(api, ids)).map((one) => [one.id, one]));
      const next = new Map<string, Known>();
      let ended = 0;
      for (const { id, was } of streams) {
        const upload = uploads.get(id);
        const counted = upload === undefined ? null : count(upload, was, now);
        if (counted !== "slow") {
          next.set(id, { checkedAt: now, counted });
          continue;
        }
        await cutStream(api, id);
        ended += 1;
      }
      known = next;
      return ended;
    },
  };
}
