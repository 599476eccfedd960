import { appendFileSync, existsSync, readFileSync, rmSync } from "node:fs";
import { createServer, type Server, type Socket } from "node:net";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { AcceleratorPaths } from "../../../../edge/src/accelerator/paths.ts";
import { findObstacle, needsStaple } from "../../../../edge/src/accelerator/promotable.ts";
import {
  type PromotionParts,
  type RunningPromotion,
  startPromotion,
} from "../../../../edge/src/accelerator/start-promotion.ts";
import type { PromoterTimes } from "../../../../edge/src/accelerator/times.ts";
import { claimText } from "../../../../edge/src/hosts/host.ts";
import { reportShown } from "./report.ts";

/** Every name at once, and again soon after it could not be. */
export const promptTimes: Partial<PromoterTimes> = {
  tickMs: 20,
  rankMs: 20,
  failedMs: 50,
  retireMs: 1_000,
};

/** Where a test names what it is about to visit; the answer comes when it can be visited. */
export function gatePath({ directory }: Pick<AcceleratorPaths, "directory">): string {
  return path.join(directory, "gate.sock");
}

/** Where a name that was visited is remembered for the processes that come after this one. */
function wantedPath({ directory }: Pick<AcceleratorPaths, "directory">): string {
  return path.join(directory, "wanted");
}

/**
 * Promotes, instead of the busiest names, all that a test is about to visit or has visited. The
 * gate answers `promoted`, or `left` where the name is the Node edge's: nobody holds it, its
 * settings are against it, or there is no certificate yet.
 */
export async function startForcedPromotion(parts: PromotionParts): Promise<RunningPromotion> {
  const { hosts, paths } = parts;
  const wanted = new Set(readWanted(paths));
  /** Names that HAProxy was not given, although nothing of their settings was against it. */
  const refused = new Set<string>();
  let served = 0;
  const promotion = await startPromotion({
    ...parts,
    times: promptTimes,
    rates: {
      rank(elapsedMs) {
        for (const { hostname } of parts.rates.rank(elapsedMs)) wanted.add(hostname);
        return [...wanted].map((hostname) => ({ hostname, perSecond: 100 }));
      },
    },
    accessLog(line) {
      served += 1;
      parts.accessLog?.(line);
    },
    log: {
      debug: (fields, message) => parts.log.debug(fields, message),
      info: (fields, message) => parts.log.info(fields, message),
      error: (fields, message) => parts.log.error(fields, message),
      warn(fields, message) {
        if (message === "name not promoted" && "host" in fields) refused.add(String(fields.host));
        parts.log.warn(fields, message);
      },
    },
  });

  /** Null while it is going to be promoted. */
  async function verdictOn(hostname: string): Promise<"promoted" | "left" | null> {
    const host = hosts.find(hostname);
    const application = host === null ? null : hosts.applicationOf(host);
    if (host === null || application === null || refused.has(hostname)) return "left";
    if (findObstacle({ host, application }) !== null) return "left";
    if (promotion.isPromoted(hostname) && promotion.hostOf(claimText(host)) !== null) {
      return "promoted";
    }
    const found = await parts.certificate(host);
    const isStapled = found !== null && parts.areStapled && needsStaple(found.chain);
    return found === null || isStapled ? "left" : null;
  }

  const gate = await openGate(gatePath(paths), async (hostname) => {
    if (!wanted.has(hostname)) appendFileSync(wantedPath(paths), `${hostname}\n`);
    wanted.add(hostname);
    for (;;) {
      const verdict = await verdictOn(hostname);
      if (verdict !== null) return verdict;
      await delay(5);
    }
  });
  const reporting = setInterval(() => {
    if (served > 0) reportShown({ promoted: [], served });
    served = 0;
  }, 100).unref();
  return {
    ...promotion,
    get size() {
      return promotion.size;
    },
    async stop() {
      gate.close();
      await promotion.stop();
    },
    close() {
      clearInterval(reporting);
      if (served > 0) reportShown({ promoted: [], served });
      promotion.close();
    },
  };
}

function readWanted(paths: AcceleratorPaths): readonly string[] {
  const file = wantedPath(paths);
  return existsSync(file) ? readFileSync(file, "utf8").split("\n").filter(Boolean) : [];
}

/** One name in a connection, and one answer. A process that was killed has left its socket. */
async function openGate(
  file: string,
  answer: (hostname: string) => Promise<string>,
): Promise<Server> {
  rmSync(file, { force: true });
  const respond = async (socket: Socket): Promise<void> => {
    socket.on("error", () => socket.destroy());
    let text = "";
    for await (const part of socket.setEncoding("utf8")) {
      text += part;
      if (!text.endsWith("\n")) continue;
      socket.end(await answer(text.trim()));
      return;
    }
  };
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    respond(socket).catch(() => socket.destroy());
  });
  await new Promise<void>((resolve) => server.listen(file, resolve));
  server.unref();
  return server;
}
