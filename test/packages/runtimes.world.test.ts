import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { generateKeyPairSync, sign } from "node:crypto";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { after, before, describe, it } from "node:test";
import { freePort } from "@mooring/testing/processes/free-port";
import { until } from "@mooring/testing/processes/until";
import { build } from "esbuild";
import { stagePackage } from "../../scripts/packages/published-package.ts";
import { sdk } from "../../scripts/packages/sdk.ts";
import { loadPackages } from "../npm-packages/load-packages.ts";
import { edgeHandler } from "./support/consumers.ts";
import { createScratch, type Scratch } from "./support/scratch.ts";

const keyPair = generateKeyPairSync("ed25519");
const audience = "0198c0de-0000-7000-8000-000000000002";

/** What the handler of `support/consumers.ts` saw, in every runtime. */
const expected = {
  names: ["Shop"],
  missing: "not_found",
  redirected: ["ApiError", "unknown"],
  streamRedirected: "ApiError",
  created: "Made",
  refused: "missing_signature",
  hosts: ["shop.acme.example", "shop.acme.example"],
};

describe("the SDK at the edge", () => {
  let scratch: Scratch;
  let load: NodeJS.Require;
  let api: TestApi;

  before(async () => {
    scratch = await createScratch("runtimes");
    await stagePackage(sdk, path.join(scratch.directory, "node_modules/@mooring/sdk"), "0.0.0");
    load = await loadPackages("edge-runtimes");
    api = await startApi();
  });
  after(async () => {
    api.close();
    await scratch.remove();
  });

  /** The handler with the package, in one script, as tools for such runtimes make it. */
  async function bundle(format: "esm" | "iife", register: string): Promise<string> {
    await scratch.write({ "handler.js": `${edgeHandler}\n${register}` });
    const { outputFiles } = await build({
      entryPoints: [path.join(scratch.directory, "handler.js")],
      bundle: true,
      format,
      platform: "neutral",
      target: "es2022",
      conditions: ["workerd", "worker", "browser"],
      write: false,
    });
    return outputFiles[0]?.text ?? "";
  }

  const workerScript = () => bundle("esm", "export default { fetch: handle };");

  function assertDone(seen: unknown): void {
    assert.deepEqual(seen, expected);
    assert.deepEqual(api.redirected, [], "the key followed a redirect");
  }

  it("works in miniflare", async () => {
    const { Miniflare } = load("miniflare");
    const worker = new Miniflare({
      modules: true,
      script: await workerScript(),
      compatibilityDate: "2026-07-01",
    });
    try {
      const response = await worker.dispatchFetch(`http://worker/?${api.query()}`);
      assertDone(await response.json());
    } finally {
      await worker.dispose();
    }
  });

  it("works in workerd, also when requests come at once", async (t) => {
    const port = await freePort();
    await scratch.write({ "worker.mjs": await workerScript(), "config.capnp": workerConfig(port) });
    const server = spawn(load("workerd").default, ["serve", "config.capnp"], {
      cwd: scratch.directory,
      stdio: "inherit",
    });
    t.after(() => server.kill());
    const url = `http://127.0.0.1:${port}/?${api.query()}`;
    await until(() => isReached(url), "workerd");
    const answers = await Promise.all([url, url, url].map((one) => fetch(one)));
    for (const answer of answers) assertDone(await answer.json());
  });

  it("works in the edge runtime of Vercel", async () => {
    const register = `addEventListener("fetch", (event) => event.respondWith(handle(event.request)));`;
    const { EdgeRuntime } = load("edge-runtime");
    const runtime = new EdgeRuntime({ initialCode: await bundle("iife", register) });
    const response = await runtime.dispatchFetch(`http://edge/?${api.query()}`);
    assertDone(await response.json());
  });
});

async function isReached(url: string): Promise<boolean> {
  return fetch(url).then(
    () => true,
    () => false,
  );
}

/** The runtime's own format. The outgoing network is this machine, where the API of the test is. */
function workerConfig(port: number): string {
  return `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [
    (name = "main", worker = (
      modules = [(name = "worker", esModule = embed "worker.mjs")],
      compatibilityDate = "2026-07-01",
    )),
    (name = "internet", network = (allow = ["local", "private", "public"])),
  ],
  sockets = [(name = "http", address = "127.0.0.1:${port}", http = (), service = "main")],
);`;
}

interface TestApi {
  /** The settings of the handler. */
  query(): URLSearchParams;
  /** The requests that came where the redirects lead. */
  readonly redirected: readonly string[];
  close(): void;
}

async function startApi(): Promise<TestApi> {
  const redirected: string[] = [];
  const elsewhere = await listen(
    createServer((request, response) => {
      redirected.push(request.url ?? "");
      response.end("{}");
    }),
  );
  const api = await listen(
    createServer((request, response) => {
      const { status, body, location } = answerTo(request.method ?? "", request.url ?? "");
      const to = location === undefined ? {} : { location: `${urlOf(elsewhere)}${location}` };
      response.writeHead(status, { "content-type": "application/json", ...to });
      response.end(JSON.stringify(body));
    }),
  );
  const issuer = urlOf(api);
  return {
    redirected,
    query: () =>
      new URLSearchParams({ api: issuer, key: "sk_test_x", audience, assertion: signed(issuer) }),
    close() {
      for (const server of [api, elsewhere]) {
        server.closeAllConnections();
        server.close();
      }
    },
  };
}

interface Answer {
  readonly status: number;
  readonly body: object;
  readonly location?: string;
}

/** An API with one application, and with redirects. */
function answerTo(method: string, url: string): Answer {
  const shop = { id: "a", name: "Shop", environment: "test" };
  const answers: Readonly<Record<string, Answer>> = {
    "GET /v1/applications": { status: 200, body: { data: [shop], next_cursor: null } },
    "POST /v1/applications": { status: 201, body: { ...shop, name: "Made" } },
    "GET /v1/applications/moved": { status: 302, body: {}, location: "/v1/applications/a" },
    "GET /v1/events:stream": { status: 307, body: {}, location: "/v1/events:stream" },
    "GET /.well-known/jwks.json": {
      status: 200,
      body: { keys: [{ kid: "k", ...keyPair.publicKey.export({ format: "jwk" }) }] },
    },
  };
  const error = { code: "not_found", message: "no such application", details: null };
  return answers[`${method} ${url.split("?")[0]}`] ?? { status: 404, body: { error } };
}

async function listen(server: Server): Promise<Server> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return server;
}

function urlOf(server: Server): string {
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** An assertion as the edge signs it. */
function signed(issuer: string): string {
  const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
  const now = Math.floor(Date.now() / 1_000);
  const claims = {
    iss: issuer,
    aud: audience,
    host: "shop.acme.example",
    app: audience,
    cus: "customer-42",
    env: "test",
    iat: now,
    exp: now + 90,
  };
  const text = `${encode({ alg: "EdDSA", typ: "svc-assertion+jwt", kid: "k" })}.${encode(claims)}`;
  return `${text}.${sign(null, Buffer.from(text), keyPair.privateKey).toString("base64url")}`;
}
