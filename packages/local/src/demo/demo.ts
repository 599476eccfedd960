import { readFile, rename, writeFile } from "node:fs/promises";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import type { LocalDetails, LocalParts } from "@mooring/cli";
import type { Config } from "@mooring/control/settings";
import { type DemoSettings, readState } from "./state.ts";

/** The demo of `npm start`: its process, the preparation it needs, and its part of the banner. */
export interface Demo extends Pick<LocalParts, "prepare"> {
  readonly process: { readonly name: string; readonly args: readonly string[] };
  readonly ports: readonly {
    readonly variable: string;
    readonly host: string;
    readonly port: number;
  }[];
  /** For the processes of the service: where `/demo` redirects to. */
  readonly env: Readonly<Record<string, string>>;
  readonly details: () => Promise<LocalDetails | null>;
}

const main = fileURLToPath(new URL("../main.ts", import.meta.url));

export function createDemo(config: Config): Demo {
  const settings = demoSettings(config);
  const { hostname, protocol } = new URL(config.baseUrl);
  const { host, port, stateFile } = settings;
  return {
    process: { name: "demo", args: [main, "demo", JSON.stringify(settings)] },
    ports: [{ variable: "DEMO_PORT", host, port }],
    env: { DEMO_URL: `${protocol}//${hostname}:${port}/` },
    prepare: async (runtime, first) => {
      // The control plane loads while the database starts.
      const { prepareDemo } = await import("./prepare-demo.ts");
      await prepareDemo(runtime, first, stateFile);
    },
    details: () => readDetails(config, settings),
  };
}

function demoSettings(config: Config): DemoSettings {
  return {
    host: config.host,
    port: config.demoPort,
    publicUrl: config.baseUrl,
    apiUrl: `http://${bracketed(reachable(config.host))}:${config.port}`,
    edgeAddress: reachable(config.edgeHost),
    edgePort: config.edgeHttpsPort,
    rootFile: path.join(config.dataDir, "sandbox-ca.pem"),
    stateFile: path.join(config.dataDir, "demo.json"),
  };
}

/** The address to connect to, for an address that is listened on. */
function reachable(host: string): string {
  if (host === "0.0.0.0") return "127.0.0.1";
  return host === "::" ? "::1" : host;
}

function bracketed(host: string): string {
  return host.includes(":") ? `[${host}]` : host;
}

async function readDetails(config: Config, settings: DemoSettings): Promise<LocalDetails | null> {
  const { apiUrl, rootFile, stateFile } = settings;
  const hasRoot = await writeRootFile(apiUrl, rootFile);
  const state = await readState(stateFile);
  if (!state?.applicationId) return null;
  return {
    demoUrl: `${config.baseUrl}/demo`,
    applicationId: state.applicationId,
    rootFile: hasRoot ? rootFile : null,
  };
}

const rootWaitMs = 5_000;
const rootPollMs = 50;

/**
 * Writes the root of the local CA to a file. The edge creates the CA at its start: names of the
 * sandbox have their certificates from it, whatever ACME directory others have theirs from. Returns
 * false while there is no root.
 */
async function writeRootFile(apiUrl: string, file: string): Promise<boolean> {
  const root = await fetchRoot(apiUrl);
  if (root === null) return false;
  const present = await readFile(file, "utf8").catch(() => null);
  if (present === root) return true;
  const draft = `${file}.${process.pid}`;
  await writeFile(draft, root, { mode: 0o644 });
  await rename(draft, file);
  return true;
}

async function fetchRoot(apiUrl: string): Promise<string | null> {
  const startedAt = performance.now();
  for (;;) {
    const answer = await fetch(`${apiUrl}/sandbox/ca.pem`);
    const text = await answer.text();
    if (answer.ok) return text;
    if (performance.now() - startedAt >= rootWaitMs) return null;
    await delay(rootPollMs);
  }
}
