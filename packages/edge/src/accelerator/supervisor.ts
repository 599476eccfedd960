import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, chownSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { getCACertificates } from "node:tls";
import {
  defaultLimits,
  type EdgeLimits,
  type LimitSettings,
  limitsFrom,
} from "../config/limits.ts";
import type { EdgeSettings, Log } from "../config/settings.ts";
import { errorTemplate } from "../proxy/response/error-page.ts";
import {
  framingFields,
  haproxyConfiguration,
  pageStatuses,
  referenceVariable,
} from "./configuration.ts";
import { findHaproxy, searchPath } from "./haproxy-program.ts";
import { findHaproxyUser, haproxyUserName, staysRoot } from "./haproxy-user.ts";
import { type Http3, http3Library, prepareHttp3 } from "./http3.ts";
import { listedFieldsScript } from "./listed-fields.ts";
import { type AcceleratorPaths, acceleratorPaths } from "./paths.ts";
import { createRuntimeApi } from "./runtime-api.ts";

type AcceleratorSettings = LimitSettings &
  Pick<
    EdgeSettings,
    | "DATA_DIR"
    | "EDGE_ACCELERATOR_HTTP3"
    | "EDGE_ACCELERATOR_NAMES"
    | "EDGE_CDN_RANGES"
    | "EDGE_CNAME"
    | "EDGE_DRAIN"
    | "EDGE_HEALTH_CHECKS_FROM"
    | "EDGE_HOST"
    | "EDGE_HTTPS_PORT"
    | "EDGE_PROXY_PROTOCOL"
    | "EDGE_TRUSTED_PROXIES"
  >;

export interface AcceleratorOptions {
  readonly settings: AcceleratorSettings;
  /** Processes of the Node edge behind it. */
  readonly workers: number;
  /** The public listener where a service manager has opened it; else host and port of settings. */
  readonly inherited?: number;
  readonly limits?: Partial<EdgeLimits>;
  /** The CAs of https origins as PEM; by default those of Node. */
  readonly trusted?: string;
  /** Another HAProxy than the installed one. */
  readonly program?: string;
  readonly log: Log;
}

export interface RunningAccelerator {
  /** Of the process that runs now; null while it is started again. */
  pid(): number | null;
  /** How often it has ended without being asked. */
  restarts(): number;
  /** Whether it serves HTTP/3. */
  readonly hasHttp3: boolean;
  /** Closes the public port, and ends when the last connection has, or `EDGE_DRAIN` has passed. */
  close(): Promise<void>;
}

/** Why the settings do not allow an accelerator; null where they do. */
export function acceleratorConflict(
  settings: Pick<EdgeSettings, "EDGE_PROXY_PROTOCOL">,
): string | null {
  if (settings.EDGE_PROXY_PROTOCOL) {
    return "EDGE_ACCELERATOR=haproxy and EDGE_PROXY_PROTOCOL=true do not work together yet";
  }
  return null;
}

/** Its first descriptor after standard input, output and error. */
const inheritedDescriptor = 3;
const readyMs = 15_000;
const pollMs = 25;
const slowestRestartMs = 2_000;
/** A process that has lived this long is started again at once. */
const livedMs = 10_000;

/** Starts HAProxy and starts it again whenever it ends. What it has in memory is lost with it. */
export async function startAccelerator(options: AcceleratorOptions): Promise<RunningAccelerator> {
  const { settings, log } = options;
  const conflict = acceleratorConflict(settings);
  if (conflict !== null) throw new Error(conflict);
  const haproxy = findHaproxy(options.program);
  if (haproxy === null) {
    throw new Error("EDGE_ACCELERATOR=haproxy: HAProxy is not installed (apt install haproxy)");
  }
  const paths = acceleratorPaths(settings.DATA_DIR);
  if (staysRoot()) {
    log.warn({ user: haproxyUserName }, "accelerator runs as root: it has no user of its own");
  }
  const http3 = await prepareHttp3(settings, haproxy, log);
  writeFiles(options, paths, http3);
  await endLeftoverAccelerator(settings);
  const running: { child: ChildProcess | null } = { child: null };
  let restarts = 0;
  let lastEnd: object = {};
  let isStopping = false;
  const run = async (): Promise<void> => {
    for (let attempt = 0; !isStopping; attempt += 1) {
      const startedAt = performance.now();
      running.child = spawnHaproxy(paths, options, http3);
      const detail = await exitOf(running.child, log);
      running.child = null;
      if (isStopping) return;
      restarts += 1;
      lastEnd = detail;
      log.error({ ...detail, restarts }, "accelerator ended unexpectedly");
      if (performance.now() - startedAt > livedMs) attempt = 0;
      await delay(Math.min(slowestRestartMs, 50 * 2 ** Math.min(attempt, 6)) - 50);
    }
  };
  const ended = run();
  const close = async (): Promise<void> => {
    isStopping = true;
    running.child?.kill("SIGUSR1");
    const cut = setTimeout(() => running.child?.kill("SIGKILL"), settings.EDGE_DRAIN + 1_000);
    await ended;
    clearTimeout(cut);
    // Another edge may have started meanwhile.
    if (readNumbers(paths.pid)[1] === process.pid) rmSync(paths.pid, { force: true });
  };
  try {
    await untilAnswering(paths, () => restarts);
  } catch (error) {
    isStopping = true;
    running.child?.kill("SIGKILL");
    await ended;
    throw new Error(`HAProxy does not start: ${JSON.stringify(lastEnd)}`, { cause: error });
  }
  const hasHttp3 = http3 !== null;
  log.info({ version: haproxy.version, http3: hasHttp3 }, "accelerator started");
  return { pid: () => running.child?.pid ?? null, restarts: () => restarts, hasHttp3, close };
}

function spawnHaproxy(
  paths: AcceleratorPaths,
  { inherited, program = "haproxy" }: AcceleratorOptions,
  http3: Http3 | null,
): ChildProcess {
  const passed = inherited === undefined ? [] : [inherited];
  const child = spawn(program, ["-db", "-q", "-f", paths.configuration], {
    env: { PATH: searchPath, ...(http3 === null ? {} : { OPENSSL_CONF: paths.library }) },
    cwd: paths.directory,
    stdio: ["ignore", "ignore", "pipe", ...passed],
  });
  if (child.pid !== undefined) writeFileSync(paths.pid, `${child.pid} ${process.pid}\n`);
  return child;
}

/** Resolves when the process has ended; what it has said last goes into the log. */
async function exitOf(child: ChildProcess, log: Log): Promise<object> {
  let said = "";
  child.stderr?.setEncoding("utf8");
  child.stderr?.on("data", (chunk: string) => {
    said = `${said}${chunk}`.slice(-2_000);
    log.debug({ text: chunk.trim() }, "accelerator said");
  });
  try {
    const [code, signal] = await once(child, "exit");
    return { code, signal, said: said.trim() };
  } catch (error) {
    return { err: error };
  }
}

async function untilAnswering(paths: AcceleratorPaths, failures: () => number): Promise<void> {
  const api = createRuntimeApi(paths.admin);
  const deadline = performance.now() + readyMs;
  for (;;) {
    try {
      if ((await api.run("show info")).includes("Pid:")) return;
    } catch (error) {
      if (performance.now() > deadline || failures() > 2) throw error;
    }
    await delay(pollMs);
  }
}

function writeFiles(
  options: AcceleratorOptions,
  paths: AcceleratorPaths,
  http3: Http3 | null,
): void {
  const { settings, workers, inherited } = options;
  const limits = { ...defaultLimits, ...limitsFrom(settings), ...options.limits };
  const user = findHaproxyUser();
  mkdirSync(paths.directory, { recursive: true, mode: 0o700 });
  if (user !== null) chownSync(paths.directory, 0, user.gid);
  chmodSync(paths.directory, user === null ? 0o700 : 0o710);
  const write = (file: string, text: string): void => writeFileSync(file, text, { mode: 0o600 });
  write(
    paths.configuration,
    haproxyConfiguration({
      paths,
      workers,
      limits,
      user,
      names: settings.EDGE_ACCELERATOR_NAMES,
      loopId: settings.EDGE_CNAME,
      drainMs: settings.EDGE_DRAIN,
      http3,
      listen:
        inherited === undefined
          ? { host: settings.EDGE_HOST, port: settings.EDGE_HTTPS_PORT }
          : { fd: inheritedDescriptor },
    }),
  );
  write(paths.trusted, options.trusted ?? getCACertificates("default").join("\n"));
  write(paths.library, http3 === null ? "" : http3Library);
  write(paths.listedFields, listedFieldsScript(framingFields));
  write(paths.exempt, `${exemptNetworks(settings).join("\n")}\n`);
  // HAProxy starts with nothing: names are promoted by the runtime API, in memory.
  const { names, claims, slots, assertions, lease, certificates } = paths;
  for (const file of [names, claims, slots, assertions, lease, certificates]) write(file, "");
  for (const status of pageStatuses) {
    const shown = status === 503 ? 502 : status;
    write(paths.page(status), errorTemplate(shown, `%[${referenceVariable}]`));
  }
}

/** Peers that name other visitors, or are not limited: the Node edge knows what they may. */
function exemptNetworks(settings: AcceleratorSettings): readonly string[] {
  return [
    ...settings.EDGE_TRUSTED_PROXIES,
    ...settings.EDGE_HEALTH_CHECKS_FROM,
    ...Object.values(settings.EDGE_CDN_RANGES).flat(),
  ];
}

/** Ends a HAProxy whose edge was killed: it would hold the port and serve nobody. */
export async function endLeftoverAccelerator(
  settings: Pick<EdgeSettings, "DATA_DIR">,
): Promise<void> {
  const paths = acceleratorPaths(settings.DATA_DIR);
  const [pid, parent] = readNumbers(paths.pid);
  if (pid === undefined || parent === undefined || isAlive(parent)) return;
  if (!readText(`/proc/${pid}/cmdline`).includes(paths.configuration)) return;
  process.kill(pid, "SIGTERM");
  for (let waited = 0; isAlive(pid) && waited < 2_000; waited += pollMs) await delay(pollMs);
}

function readNumbers(file: string): readonly number[] {
  return readText(file)
    .trim()
    .split(" ")
    .map(Number)
    .filter((number) => Number.isInteger(number) && number > 0);
}

function readText(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
