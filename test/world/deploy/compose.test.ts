import assert from "node:assert/strict";
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { request } from "node:https";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, before, describe, it } from "node:test";
import { connect, proofRecord, putZone, toEdge } from "@mooring/testing/clients/connecting";
import { call, textOf } from "@mooring/testing/control/http";
import { createEmptyDatabase, type TestDatabase } from "@mooring/testing/database/database";
import {
  type ComposeService,
  composeConfig,
  defaultServices,
  envFile,
  imageEnvironment,
} from "@mooring/testing/deploy/compose";
import { freePort } from "@mooring/testing/processes/free-port";
import { patientEdge } from "@mooring/testing/processes/mooring-serve";
import { until } from "@mooring/testing/processes/until";
import { readConfig } from "../../../packages/control/src/config/config.ts";
import { edgePurposes } from "../../../packages/edge/src/index.ts";
import { formatKeyRing, parseRootKeys } from "../../../packages/vault/src/index.ts";

const main = path.resolve(import.meta.dirname, "../../../packages/cli/src/main.ts");
const rootKey = `k1:${createHash("sha256").update("compose").digest("base64")}`;
const edgeKeys = formatKeyRing(parseRootKeys(rootKey), edgePurposes);

/** The ports inside a container, and the variable of each. */
const portVariables = {
  PORT: "port",
  INTERNAL_PORT: "internalPort",
  WORKER_INTERNAL_PORT: "workerInternalPort",
  EDGE_HTTP_PORT: "edgeHttpPort",
  EDGE_HTTPS_PORT: "edgeHttpsPort",
  EDGE_INTERNAL_PORT: "edgeInternalPort",
} as const;

describe("the compose file on a machine without Docker", () => {
  const directory = mkdtempSync(path.join(tmpdir(), "mooring-compose-"));
  const children: ChildProcess[] = [];
  /** The port of this machine for a port inside a container. */
  const ports = new Map<number, number>();
  let database: TestDatabase;
  let origin: Server;
  let services: Readonly<Record<string, ComposeService>> = {};
  let output = "";

  before(async () => {
    database = await createEmptyDatabase();
    origin = createServer((_, response) => response.end("hello from the origin")).listen(
      0,
      "127.0.0.1",
    );
    await once(origin, "listening");
  });
  after(async () => {
    for (const child of children) child.kill("SIGKILL");
    origin.close();
    await database.drop();
    rmSync(directory, { recursive: true });
  });

  function configure(values: Readonly<Record<string, string>>) {
    const file = path.join(directory, "env");
    writeFileSync(file, envFile(values));
    return composeConfig(file);
  }

  /**
   * The environment of a service's process. What differs from the container: names of other
   * services and ports are those of this machine, which runs all of them, and the volume is a
   * directory.
   */
  function buildEnvironment(name: string): Readonly<Record<string, string>> {
    const configured = { ...imageEnvironment(), ...services[name]?.environment };
    const config = readConfig(configured);
    const moved = Object.entries(portVariables).map(([variable, field]) => {
      const port = ports.get(config[field] ?? 0);
      assert.ok(port, `${variable} has no port`);
      return [variable, String(port)];
    });
    return {
      PATH: process.env["PATH"] ?? "",
      ...patientEdge,
      ...configured,
      ...Object.fromEntries(moved),
      ASK_URL: (configured["ASK_URL"] ?? "").replace("api:9090", `127.0.0.1:${ports.get(9090)}`),
      ...databaseUrls(configured),
      DATA_DIR: path.join(directory, name),
    };
  }

  /** The URLs that the service has, at the test's server; the owner is the server's own user. */
  function databaseUrls(configured: Readonly<Record<string, string>>): Record<string, string> {
    const urls = Object.entries(configured).filter(([variable]) =>
      variable.startsWith("DATABASE_URL"),
    );
    return Object.fromEntries(
      urls.map(([variable, text]) => {
        const [url, { username, password }] = [new URL(database.url), new URL(text)];
        if (variable !== "DATABASE_URL") Object.assign(url, { username, password });
        return [variable, url.toString()];
      }),
    );
  }

  /** `docker compose run --rm SERVICE …` */
  function runOnce(name: string, args: readonly string[]): string {
    const options = { env: buildEnvironment(name), encoding: "utf8" } as const;
    const { status, stdout, stderr } = spawnSync(process.execPath, [main, ...args], options);
    assert.equal(status, 0, stderr);
    return stdout;
  }

  async function start(name: string): Promise<void> {
    const child = spawn(process.execPath, [main, ...(services[name]?.command ?? [])], {
      env: buildEnvironment(name),
      stdio: ["ignore", "pipe", "pipe"],
    });
    children.push(child);
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding("utf8").on("data", (text: string) => {
        output += text;
      });
    }
    await until(() => {
      assert.equal(child.exitCode, null, output);
      return isHealthy(name);
    });
  }

  /** Runs the health check of the compose file itself. */
  function isHealthy(name: string): boolean {
    const [, command = "", ...args] = services[name]?.healthcheck?.test ?? [];
    assert.equal(command, "node");
    const moved = args.map((arg) =>
      arg.replace(/127\.0\.0\.1:(\d+)/, (_, port) => `127.0.0.1:${ports.get(Number(port))}`),
    );
    return spawnSync(process.execPath, moved).status === 0;
  }

  it("makes its own key before one exists", () => {
    services = configure({}).services;
    const env = { ...imageEnvironment(), ...services["setup"]?.environment };
    assert.equal(env["SECRET_KEY"], "");
    const options = { env: { ...env, PATH: process.env["PATH"] }, encoding: "utf8" } as const;
    const made = spawnSync(process.execPath, [main, "secrets", "generate"], options);
    assert.match(made.stdout, /^k\w+:[\w+/=]{44}\n$/);
    const refused = spawnSync(process.execPath, [main, "migrate"], options);
    assert.equal(refused.status, 78);
    assert.match(refused.stderr, /SECRET_KEY: required when NODE_ENV=production/);
  });

  it("publishes no port twice, with the second edge as well, and IPv6 as well as IPv4", () => {
    const { services: all, networks } = configure({});
    const published = Object.values(all).flatMap((one) => one.ports);
    for (const [index, one] of published.entries()) {
      const clash = published
        .slice(index + 1)
        .find(
          (other) =>
            other.published === one.published &&
            other.protocol === one.protocol &&
            (other.address === one.address || other.address === null || one.address === null),
        );
      assert.equal(clash, undefined, JSON.stringify([one, clash]));
    }
    const edge = all["edge"]?.ports ?? [];
    assert.deepEqual(edge.map((one) => [one.address, one.published]).sort(), [
      [null, 443],
      [null, 80],
    ]);
    assert.deepEqual((all["api"]?.ports ?? []).map(({ address }) => address).sort(), [
      "127.0.0.1",
      "::1",
    ]);
    const network = networks["default"];
    assert.equal(network?.enable_ipv6, true);
    // The proxies that are trusted are the network's gateways, and nothing else.
    const gateways = (network?.ipam?.config ?? []).map(({ subnet }) =>
      subnet.replace(/\.0\/24$/, ".1").replace(/::\/64$/, "::1"),
    );
    assert.equal(all["api"]?.environment?.["TRUSTED_PROXIES"], gateways.join(","));
  });

  it("brings a domain live over TLS with the processes, environment and ports it names", async (context) => {
    const startedAt = performance.now();
    const address = origin.address();
    const originPort = typeof address === "object" ? address?.port : 0;
    services = defaultServices(
      configure({
        SECRET_KEY: rootKey,
        SECRET_KEY_EDGE: edgeKeys,
        POSTGRES_PASSWORD: "secret",
        POSTGRES_API_PASSWORD: "api-secret",
        POSTGRES_WORKER_PASSWORD: "worker-secret",
        POSTGRES_EDGE_PASSWORD: "edge-secret",
        EGRESS_ALLOW: "127.0.0.1/32",
        // No certificate authority is asked for a sandbox name.
        ACME_DIRECTORY_URL: "http://127.0.0.1:9/directory",
        DNS_RESOLVERS: "127.0.0.1:9",
      }),
    );
    for (const port of [8080, 9090, 9091, 8081, 8443, 9092]) ports.set(port, await freePort());
    assert.deepEqual(Object.keys(services).sort(), ["api", "edge", "postgres", "setup", "worker"]);
    for (const name of ["api", "worker", "edge"]) {
      assert.equal(buildEnvironment(name)["ORIGIN_ALLOW_PRIVATE"], "false", name);
    }
    const { SECRET_KEY: edgeRoot, DATABASE_URL: edgeOwner } = buildEnvironment("edge");
    assert.deepEqual([edgeRoot, edgeOwner], [undefined, undefined], "an edge has neither");
    runOnce("setup", services["setup"]?.command ?? []);
    for (const name of ["api", "worker", "edge"]) {
      assert.deepEqual(services[name]?.depends_on, {
        setup: { condition: "service_completed_successfully" },
      });
      await start(name);
    }
    const listening = ["api", "edge"].flatMap((name) => services[name]?.ports ?? []);
    for (const { target } of listening) {
      assert.ok(ports.has(target), `nothing listens on ${target}`);
    }

    const { keys } = JSON.parse(runOnce("setup", ["tenants", "create", "Acme", "--json"]));
    const base = `http://[::1]:${ports.get(8080)}`;
    const made = await call(base, "/v1/applications", {
      key: keys.test,
      body: { name: "Shop", origin_url: `http://127.0.0.1:${originPort}` },
    });
    const caller = { base, key: keys.test, applicationId: textOf(made, "id") };
    const connection = await connect(caller, "www.compose.test");
    await putZone(caller, "compose.test", [
      proofRecord(connection),
      toEdge(connection, "edge.example.com"),
    ]);
    await until(async () => {
      const answer = await call(base, `/v1/connections/${connection.id}`, { key: keys.test });
      return textOf(answer, "state") === "live";
    });
    const ca = await (await fetch(`${base}/sandbox/ca.pem`)).text();
    for (const host of ["127.0.0.1", "::1"]) {
      assert.equal(await get(host, ports.get(8443) ?? 0, ca), "hello from the origin", host);
    }
    context.diagnostic(`live after ${Math.round(performance.now() - startedAt)} ms`);
  });

  it("ends every process within the time that the file gives it", async () => {
    const endings = children.map(async (child) => {
      const ended = once(child, "exit");
      child.kill("SIGTERM");
      return (await ended)[0];
    });
    const startedAt = performance.now();
    assert.deepEqual(await Promise.all(endings), [0, 0, 0]);
    assert.ok(performance.now() - startedAt < 15_000);
  });
});

function get(host: string, port: number, ca: string): Promise<string> {
  const name = "www.compose.test";
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  request({ host, port, servername: name, headers: { host: name }, ca, agent: false }, (answer) => {
    let text = "";
    answer.setEncoding("utf8").on("data", (part: string) => {
      text += part;
    });
    answer.on("end", () => resolve(text));
  })
    .on("error", reject)
    .end();
  return promise;
}
