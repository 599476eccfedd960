import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { connect as connectTcp } from "node:net";
import path from "node:path";
import { generateRootKey } from "../../../vault/src/index.ts";
import { call, textOf } from "../control/http.ts";
import { createTestDatabase } from "../database/database.ts";
import { freePort } from "../processes/free-port.ts";
import { type ServedProduct, serveProduct } from "../processes/mooring-serve.ts";
import { until } from "../processes/until.ts";
import { type Caller, freshZone, proofRecord, putZone, readMade, toEdge } from "./connecting.ts";
import { type Page, visit } from "./visit.ts";

/**
 * An example under `examples/`, and how a shell starts it there on the port of the variable PORT.
 */
export interface Example {
  readonly folder: string;
  readonly command: readonly [string, ...string[]];
  /** Runs to its end before the command. */
  readonly prepare?: readonly [string, ...string[]];
  /** Where it is run instead of its own folder. */
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
}

/**
 * An example that serves, its application in the product, and its webhook endpoint.
 */
export interface RunningExample {
  readonly url: string;
  readonly caller: Caller;
  readonly webhookSecret: string;
  readonly endpointId: string;
  readonly output: () => string;
  stop(): Promise<void>;
}

/** `mooring serve all` over a database of its own, in front of which examples run. */
export interface ExampleWorld {
  readonly product: ServedProduct;
  readonly key: string;
  run(example: Example): Promise<RunningExample>;
  /** Takes a name live as the customer of the token does, with DNS from the sandbox. */
  connect(example: RunningExample, token: string): Promise<string>;
  /** The page of a name, over TLS through the edge. */
  page(hostname: string): Promise<Page>;
  close(): Promise<void>;
}

const examples = path.resolve(import.meta.dirname, "../../../../examples");
export const customer = "customer-42";

export async function startExampleWorld(): Promise<ExampleWorld> {
  const database = await createTestDatabase();
  const product = await serveProduct({
    DATABASE_URL: database.url,
    SECRET_KEY: generateRootKey(),
  });
  assert.ok(product.keys);
  const key = product.keys.test;
  let root: string | null = null;
  return {
    product,
    key,
    run: (example) => runExample(product, key, example),
    async connect({ caller }, token) {
      const hostname = `shop.${freshZone()}`;
      const { base, applicationId } = caller;
      const body = { application_id: applicationId, hostname };
      const made = readMade(await call(base, "/v1/connections", { key: token, body }));
      await putZone(caller, hostname.slice("shop.".length), [proofRecord(made), toEdge(made)]);
      const state = async () =>
        (await call(base, `/v1/connections/${made.id}`, { key: token })).json()["state"];
      await until(async () => (await state()) === "live", `${hostname} to be live`);
      return hostname;
    },
    async page(hostname) {
      root ??= (await call(product.base, "/sandbox/ca.pem")).text;
      return visit(product.httpsPort, hostname, root);
    },
    async close() {
      await product.stop();
      await database.drop();
    },
  };
}

async function runExample(
  product: ServedProduct,
  key: string,
  example: Example,
): Promise<RunningExample> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const application = await call(product.base, "/v1/applications", {
    key,
    body: { name: example.folder, origin_url: url, allowed_origins: [url] },
  });
  const applicationId = textOf(application, "id");
  const endpoint = await call(product.base, "/v1/webhook-endpoints", {
    key,
    body: { application_id: applicationId, url: `${url}/webhooks` },
  });
  const webhookSecret = textOf(endpoint, "signing_secret");
  const cwd = example.cwd ?? path.join(examples, example.folder);
  const env = {
    PATH: process.env["PATH"],
    HOME: process.env["HOME"],
    ...example.env,
    PORT: String(port),
    MOORING_URL: product.base,
    MOORING_API_KEY: key,
    MOORING_APP: applicationId,
    MOORING_WEBHOOK_SECRET: webhookSecret,
    DEMO_CUSTOMER: customer,
  };
  if (example.prepare) await runToEnd(example.prepare, cwd, env);
  const fill = (word: string) => word.replace("$PORT", String(port));
  const [program, ...args] = example.command;
  const child = spawn(program, args.map(fill), { cwd, env, stdio: "pipe", detached: true });
  const output = collect(child);
  const stop = () => end(child);
  try {
    await until(() => isOpen(child, port, output), `${example.folder} to listen`);
  } catch (error) {
    await stop();
    throw new Error(`${example.folder}:\n${output()}`, { cause: error });
  }
  const caller = { base: product.base, key, applicationId };
  return { url, caller, webhookSecret, endpointId: textOf(endpoint, "id"), output, stop };
}

async function runToEnd(
  [program, ...args]: readonly [string, ...string[]],
  cwd: string,
  env: NodeJS.ProcessEnv,
): Promise<void> {
  const child = spawn(program, args, { cwd, env, stdio: "pipe" });
  const output = collect(child);
  const [code] = await once(child, "close");
  assert.equal(code, 0, `${program} ${args.join(" ")}:\n${output()}`);
}

function collect(child: ChildProcess): () => string {
  let log = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding("utf8").on("data", (text: string) => {
      log = (log + text).slice(-65_536);
    });
  }
  child.on("error", (error) => {
    log += String(error);
  });
  return () => log;
}

async function isOpen(child: ChildProcess, port: number, output: () => string): Promise<boolean> {
  if (child.exitCode !== null || child.pid === undefined) {
    throw new Error(`it ended with ${child.exitCode}: ${output()}`);
  }
  return new Promise((resolve) => {
    const socket = connectTcp(port, "127.0.0.1");
    socket.once("error", () => resolve(false));
    socket.once("connect", () => {
      socket.destroy();
      resolve(true);
    });
  });
}

/** Ends its whole process group: a framework's command may have children of its own. */
async function end(child: ChildProcess): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, "close");
  process.kill(-child.pid, "SIGKILL");
  await ended;
}
