import { setTimeout as delay } from "node:timers/promises";
import { createSerialQueue } from "@mooring/concurrency";
import { findHaproxy } from "../haproxy-program.ts";
import { haproxyUserName, staysRoot } from "../haproxy-user.ts";
import { createHttp3Secret, type Http3, http3Environment, prepareHttp3 } from "../http3.ts";
import { acceleratorPaths } from "../paths.ts";
import { writeFiles } from "./files.ts";
import { type HaproxyEnd, type HaproxyProcess, startHaproxy } from "./haproxy-process.ts";
import { type Leaving, leave } from "./leaving.ts";
import { endLeftoverAccelerator } from "./leftovers.ts";
import type { AcceleratorOptions } from "./options.ts";
import { inheritedPort, openPublicPort } from "./public-port.ts";
import { killWhenSilent } from "./watchdog.ts";

export interface RunningAccelerator {
  /** Of the process that serves; null while it is started again. */
  pid(): number | null;
  /** How often it has ended without being asked. */
  restarts(): number;
  /** Whether it serves HTTP/3. */
  readonly hasHttp3: boolean;
  /**
   * Starts a successor: the program, settings and CAs as they are now. Resolves when it serves and
   * the one before accepts nothing any more. Rejects when it does not start; the one before
   * continues then.
   */
  replace(): Promise<void>;
  /** What those that were replaced have not completed `EDGE_DRAIN` from now on is cut. */
  endReplaced(): void;
  /** Closes the public port, and ends when the last connection has, or `EDGE_DRAIN` has passed. */
  close(): Promise<void>;
}

const slowestRestartMs = 2_000;
/** A process that has lived this long is started again at once. */
const livedMs = 10_000;

/**
 * Runs HAProxy at the public port, which stays open while HAProxy is started again because it has
 * ended or hangs, and while it is replaced. What HAProxy has in memory is lost with each process.
 */
// biome-ignore lint/complexity/noExcessiveLinesPerFunction: a factory
export async function startAccelerator(options: AcceleratorOptions): Promise<RunningAccelerator> {
  const { settings, inherited, log, program = "haproxy" } = options;
  if (staysRoot()) {
    log.warn({ user: haproxyUserName }, "accelerator runs as root: it has no user of its own");
  }
  const paths = acceleratorPaths(settings.DATA_DIR);
  const secret = createHttp3Secret();
  /** Restarts and replacements, one at a time. */
  const serially = createSerialQueue();
  const replaced = new Set<Leaving>();
  let http3: Http3 | null = null;
  let current: HaproxyProcess | null = null;
  let starting: HaproxyProcess | null = null;
  let restarts = 0;
  let quickEnds = 0;
  let isStopping = false;

  /** Returns the version of the program. */
  async function prepare(sockets: number): Promise<string> {
    const haproxy = findHaproxy(options.program);
    if (haproxy === null) {
      throw new Error("EDGE_ACCELERATOR=haproxy: HAProxy is not installed (apt install haproxy)");
    }
    const possible = await prepareHttp3(settings, haproxy, log);
    writeFiles(options, { paths, sockets, http3: possible });
    http3 = possible;
    return haproxy.version;
  }

  await endLeftoverAccelerator(settings);
  const port =
    inherited === undefined
      ? await openPublicPort(settings.EDGE_HOST, settings.EDGE_HTTPS_PORT)
      : inheritedPort(inherited);

  /** Resolves with a process that serves; from now on names are promoted to this one. */
  async function start(): Promise<HaproxyProcess> {
    const environment = http3Environment(http3, paths, secret);
    const { descriptors } = port;
    const haproxy = startHaproxy({ paths, program, descriptors, environment, log });
    starting = haproxy;
    try {
      await haproxy.answering();
    } catch (error) {
      haproxy.kill("SIGKILL");
      throw error;
    } finally {
      starting = null;
    }
    haproxy.lead();
    current = haproxy;
    const startedAt = performance.now();
    void haproxy.ended.then((end) => {
      if (current === haproxy && !isStopping) onEnd(end, performance.now() - startedAt);
    });
    void killWhenSilent(haproxy, log);
    return haproxy;
  }

  function onEnd(end: HaproxyEnd, lifeMs: number): void {
    current = null;
    quickEnds = lifeMs > livedMs ? 0 : quickEnds + 1;
    restarts += 1;
    log.error({ ...end, restarts }, "accelerator ended unexpectedly");
    void serially(restart);
  }

  async function restart(): Promise<void> {
    for (let attempt = quickEnds; current === null && !isStopping; attempt += 1) {
      await delay(Math.min(slowestRestartMs, 50 * 2 ** Math.min(attempt, 6)) - 50);
      if (isStopping) return;
      await start().catch((error: unknown) => {
        restarts += 1;
        log.error({ err: error, restarts }, "accelerator does not start");
      });
    }
  }

  function leaveTo(haproxy: HaproxyProcess): Leaving {
    const leaving = leave(haproxy, paths, log);
    replaced.add(leaving);
    void leaving.ended.then(() => replaced.delete(leaving));
    return leaving;
  }

  const endReplaced = (): void => {
    for (const one of replaced) one.endWithin(settings.EDGE_DRAIN);
  };

  try {
    const version = await prepare(port.descriptors.length);
    await start();
    log.info({ version, http3: http3 !== null }, "accelerator started");
  } catch (error) {
    port.close();
    throw error;
  }

  return {
    pid: () => current?.pid ?? null,
    restarts: () => restarts,
    get hasHttp3() {
      return http3 !== null;
    },
    replace: () =>
      serially(async () => {
        const before = current;
        if (before === null || isStopping) throw new Error("HAProxy does not run");
        const version = await prepare(port.descriptors.length);
        await start();
        log.info({ version, http3: http3 !== null }, "accelerator replaced");
        await leaveTo(before).closed;
      }),
    endReplaced,
    async close() {
      isStopping = true;
      port.close();
      starting?.kill("SIGKILL");
      await serially(async () => undefined);
      if (current !== null) leaveTo(current);
      endReplaced();
      await Promise.all([...replaced].map(({ ended }) => ended));
    },
  };
}
