import path from "node:path";
import { fileURLToPath } from "node:url";
import type { LocalParts, Surroundings } from "@mooring/cli";
import type { Config } from "@mooring/control";
import { writeRootFile } from "../root-file.ts";
import { prepareDemo } from "./prepare.ts";
import type { DemoSettings } from "./settings.ts";
import { readState } from "./state.ts";

/** The demo beside the service: its process, what that needs before, and what to tell of it. */
export interface Demo extends Pick<LocalParts, "prepare"> {
  readonly process: { readonly name: string; readonly args: readonly string[] };
  readonly ports: readonly {
    readonly variable: string;
    readonly host: string;
    readonly port: number;
  }[];
  /** For the service's own processes: where `/demo` leads. */
  readonly env: Readonly<Record<string, string>>;
  readonly surroundings: () => Promise<Surroundings | null>;
}

const main = fileURLToPath(new URL("../main.ts", import.meta.url));

export function demoOf(config: Config): Demo {
  const settings = settingsOf(config);
  const { hostname, protocol } = new URL(config.baseUrl);
  const { host, port, stateFile } = settings;
  return {
    process: { name: "demo", args: [main, "demo", JSON.stringify(settings)] },
    ports: [{ variable: "DEMO_PORT", host, port }],
    env: { DEMO_URL: `${protocol}//${hostname}:${port}/` },
    prepare: (runtime, first) => prepareDemo(runtime, first, stateFile),
    surroundings: () => surroundingsOf(config, settings),
  };
}

function settingsOf(config: Config): DemoSettings {
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

/** An address to connect to, for one to listen on. */
function reachable(host: string): string {
  if (host === "0.0.0.0") return "127.0.0.1";
  return host === "::" ? "::1" : host;
}

function bracketed(host: string): string {
  return host.includes(":") ? `[${host}]` : host;
}

async function surroundingsOf(
  config: Config,
  settings: DemoSettings,
): Promise<Surroundings | null> {
  const { apiUrl, rootFile, stateFile } = settings;
  const isExpected = config.acmeDirectoryUrls.length === 0;
  const hasRoot = await writeRootFile(apiUrl, rootFile, isExpected);
  const state = await readState(stateFile);
  if (!state?.applicationId) return null;
  return {
    demoUrl: `${config.baseUrl}/demo`,
    applicationId: state.applicationId,
    rootFile: hasRoot ? rootFile : null,
  };
}
