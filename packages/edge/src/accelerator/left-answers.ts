import { readlinkSync } from "node:fs";
import path from "node:path";
import { everyTick } from "./every-tick.ts";
import type { AcceleratorPaths } from "./paths.ts";
import { adminSockets } from "./runtime/admin-sockets.ts";
import { cutServer, listServers } from "./runtime/named-servers.ts";
import { createRuntimeApi } from "./runtime/runtime-api.ts";

export interface LeftAnswersParts {
  readonly paths: AcceleratorPaths;
  readonly isCurrent: (hostname: string, claim: string) => boolean;
  readonly tickMs: number;
}

export interface LeftAnswers {
  /** Nobody promotes any more: those of the HAProxy that serves are left, too. */
  includeAll(): void;
  stop(): void;
}

/**
 * The answers in flight of every HAProxy that has been replaced and completes them: those whose
 * claim ends meanwhile are cut. Further requests are the Node edge's, which decides by itself.
 */
export function watchLeftAnswers({ paths, isCurrent, tickMs }: LeftAnswersParts): LeftAnswers {
  let areAll = false;

  async function cutEnded(socket: string): Promise<void> {
    const api = createRuntimeApi(path.join(paths.directory, socket));
    for (const { slot, name, hostname, claim } of await listServers(api)) {
      if (!isCurrent(hostname, claim)) await cutServer(api, slot, name);
    }
  }

  async function tick(): Promise<void> {
    const serving = areAll ? null : readLink(paths.admin);
    const sockets = adminSockets(paths.directory).filter((name) => name !== serving);
    // One that has ended meanwhile does not answer, and has none.
    await Promise.allSettled(sockets.map(cutEnded));
  }

  const timer = everyTick(tickMs, tick);
  return {
    includeAll() {
      areAll = true;
    },
    stop: () => clearInterval(timer),
  };
}

function readLink(file: string): string | null {
  try {
    return readlinkSync(file);
  } catch {
    return null;
  }
}
