import { ConfigError } from "@mooring/control/settings";
import type { Environment } from "../../config.ts";

/** The sockets that a service manager may open for us, by `FileDescriptorName=` of its unit. */
const listenerNames = ["api", "api-internal", "edge-http", "edge-https"] as const;
export type InheritedListener = (typeof listenerNames)[number];

/** File descriptors of listening sockets that this process was started with. */
export type InheritedListeners = ReadonlyMap<InheritedListener, number>;

/** After standard input, output and error: `SD_LISTEN_FDS_START` of sd_listen_fds(3). */
const firstDescriptor = 3;

/**
 * The sockets that were passed to this process: by the service manager as sd_listen_fds(3) has it,
 * or by the process that started it, by `passOn`. Variables that are meant for another process are
 * ignored. Throws on sockets that nothing here would serve.
 */
export function readInheritedListeners(env: Environment, pid: number): InheritedListeners {
  const passed = env["MOORING_LISTENERS"];
  if (passed !== undefined) return parsePassed(passed);
  if (env["LISTEN_PID"] !== String(pid)) return new Map();
  const count = Number(env["LISTEN_FDS"] ?? 0);
  const names = (env["LISTEN_FDNAMES"] ?? "").split(":");
  const sockets = new Map<InheritedListener, number>();
  for (let at = 0; at < count; at += 1) {
    const name = findName(names[at]);
    if (sockets.has(name)) throw refusal(`two sockets are named ${name}`);
    sockets.set(name, firstDescriptor + at);
  }
  if (sockets.has("edge-http") !== sockets.has("edge-https")) {
    throw refusal("edge-http and edge-https go together");
  }
  return sockets;
}

function findName(text: string | undefined): InheritedListener {
  const name = listenerNames.find((known) => known === text);
  if (name !== undefined) return name;
  throw refusal(
    `a socket is named ${text || "(nothing)"}; set FileDescriptorName of its unit to ${listenerNames.join(", ")}`,
  );
}

function refusal(problem: string): ConfigError {
  return new ConfigError([`LISTEN_FDNAMES: ${problem}`]);
}

/** For a child that is to accept on the same sockets. */
export interface PassedListeners {
  /** For its `stdio`, after the channel to its parent. */
  readonly descriptors: readonly number[];
  readonly env: Environment;
}

/** The channel to the parent is a child's descriptor 3. */
const firstPassed = 4;

export function passOn(listeners: InheritedListeners): PassedListeners {
  const entries = [...listeners];
  if (entries.length === 0) return { descriptors: [], env: {} };
  const named = entries.map(([name], at) => `${name}=${firstPassed + at}`);
  return {
    descriptors: entries.map(([, descriptor]) => descriptor),
    env: { MOORING_LISTENERS: named.join(",") },
  };
}

function parsePassed(text: string): InheritedListeners {
  return new Map(
    text.split(",").map((entry) => {
      const [name, descriptor] = entry.split("=");
      return [findName(name), Number(descriptor)];
    }),
  );
}
