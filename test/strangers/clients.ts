import { execFile } from "node:child_process";
import path from "node:path";
import { longestWaitMs } from "@mooring/testing/processes/until";
import { type Front, hostname } from "./fronts.ts";

export interface Output {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Debian's own Python, which has Debian's packages. */
export const python = "/usr/bin/python3";
const scripts = path.join(import.meta.dirname, "clients");

/**
 * Runs a program without the proxy settings of the machine; a failure is an outcome, not an error.
 */
export function runClient(command: string, args: readonly string[]): Promise<Output> {
  return new Promise((resolve) => {
    const env = { PATH: process.env["PATH"] ?? "", HOME: "/nonexistent" };
    execFile(
      command,
      args,
      { env, timeout: longestWaitMs, maxBuffer: 16_777_216 },
      (error, stdout, stderr) => {
        const code = error === null ? 0 : typeof error.code === "number" ? error.code : -1;
        resolve({ code, stdout, stderr });
      },
    );
  });
}

export function frontUrl({ port }: Front, target: string): string {
  return `https://${hostname}:${port}${target}`;
}

export function curlOptions({ port, caFile }: Front): readonly string[] {
  const address = `${hostname}:${port}:127.0.0.1`;
  return ["--silent", "--resolve", address, "--cacert", caFile];
}

/** The status and the body, or curl's exit code. */
export async function curl(
  front: Front,
  version: "1.0" | "1.1" | "2",
  target: string,
  args: readonly string[] = [],
): Promise<string> {
  const { code, stdout } = await runClient("curl", [
    ...curlOptions(front),
    `--http${version}`,
    "--write-out",
    "\n%{http_code}",
    "--max-time",
    "100",
    ...args,
    frontUrl(front, target),
  ]);
  if (code !== 0) return `failed: curl ${code}`;
  const [status = "", ...body] = stdout.split("\n").reverse();
  return `${status} ${body.reverse().join("\n")}`.trim();
}

export async function httpx(
  front: Front,
  target: string,
  options: {
    readonly http2: boolean;
    readonly method?: string;
    readonly headers?: Readonly<Record<string, string>>;
    readonly upload?: boolean;
  },
): Promise<string> {
  const url = frontUrl(front, target);
  const defaults = { method: "GET", headers: {}, upload: false };
  return await runPython("httpx_client.py", { ...defaults, ...options, url, ca: front.caFile });
}

export async function webSocket(front: Front): Promise<string> {
  const url = `wss://${hostname}:${front.port}/chat`;
  return await runPython("websockets_client.py", { url, ca: front.caFile });
}

/** The status and the echo, or that the front does not offer WebSockets over HTTP/2. */
export async function webSocketOverH2({ port, caFile }: Front): Promise<string> {
  return await runPython("h2_websocket_client.py", { port, ca: caFile });
}

/** The statuses of the answers to these bytes. */
export async function rawBytes(front: Front, bytes: string): Promise<string> {
  return await runPython("raw_client.py", { port: front.port, ca: front.caFile, bytes });
}

async function runPython(script: string, options: object): Promise<string> {
  const args = [path.join(scripts, script), JSON.stringify({ ...options, hostname })];
  const { code, stdout, stderr } = await runClient(python, args);
  return code === 0 ? stdout.trim() : `failed: ${stderr.trim().split("\n").at(-1)}`;
}

/** nghttp with its frames, in the words of its own log. */
export async function nghttp(
  front: Front,
  target: string,
  args: readonly string[] = [],
): Promise<Output> {
  const authority = ["--header", `:authority: ${hostname}:${front.port}`];
  const url = `https://127.0.0.1:${front.port}${target}`;
  return await runClient("nghttp", ["--verbose", "--timeout=100s", ...authority, ...args, url]);
}
