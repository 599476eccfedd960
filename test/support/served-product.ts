import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { freePort } from "./free-port.ts";

/** `mooring serve all` over a database that is there: every process, as an operator runs them. */
export interface ServedProduct {
  readonly base: string;
  readonly httpsPort: number;
  /** The keys of the first tenant, when this start has made it. */
  readonly keys: { readonly test: string; readonly live: string } | null;
  stop(): Promise<void>;
}

const main = path.resolve(import.meta.dirname, "../../packages/cli/src/main.ts");

/** With a data directory of its own, so that nothing but the database and the key is carried over. */
export async function serveProduct(env: Readonly<Record<string, string>>): Promise<ServedProduct> {
  const dataDir = await mkdtemp(path.join(tmpdir(), "mooring-served-"));
  const [port, httpPort, httpsPort] = [await freePort(), await freePort(), await freePort()];
  const child = spawn(process.execPath, [main, "serve", "all", "--json"], {
    env: {
      PATH: process.env["PATH"],
      DATA_DIR: dataDir,
      PORT: String(port),
      EDGE_HTTP_PORT: String(httpPort),
      EDGE_HTTPS_PORT: String(httpsPort),
      DNS_RESOLVERS: "127.0.0.1:9",
      LOG_LEVEL: "warn",
      WEBHOOK_ALLOW_PRIVATE: "true",
      ORIGIN_ALLOW_PRIVATE: "true",
      ...env,
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const ended = once(child, "close");
  let log = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    log += text;
  });
  const ready = await Promise.race([readyIn(child.stdout), ended.then(() => null)]);
  assert.ok(ready, `it ended before it was ready:\n${log}`);
  return {
    base: `http://127.0.0.1:${port}`,
    httpsPort,
    keys: ready.keys,
    async stop() {
      child.kill("SIGTERM");
      await ended;
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

type Ready = Pick<ServedProduct, "keys"> & { readonly state: string };

/** The one document on its stdout, once it is whole. */
async function readyIn(stdout: NodeJS.ReadableStream): Promise<Ready> {
  let said = "";
  stdout.setEncoding("utf8");
  for await (const text of stdout) {
    said += String(text);
    if (!said.trimEnd().endsWith("\n}")) continue;
    const document = JSON.parse(said) as Ready;
    // What it says later is nobody's concern, and must not fill the pipe.
    stdout.resume();
    return document;
  }
  throw new Error(`it said no more than ${said}`);
}
