import assert from "node:assert/strict";
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { text } from "node:stream/consumers";
import { after, before, describe, it } from "node:test";
import { promisify } from "node:util";
import { createPki, type Pki } from "@mooring/testing/acme/openssl-pki";
import { type Caller, connect, freshZone, get } from "@mooring/testing/clients/connecting";
import { call } from "@mooring/testing/control/http";
import {
  type OriginServer,
  startCaddy,
  startNginx,
} from "@mooring/testing/edge/http/origin-servers";
import { startWholeEdge } from "@mooring/testing/edge/whole-edge";
import { type LifecycleApp, startLifecycle } from "@mooring/testing/processes/lifecycle-app";
import { proofSize } from "@mooring/testing/processes/proof-size";
import { until } from "@mooring/testing/processes/until";
import { byVariable } from "../../../../packages/control/src/config/config.ts";
import { loadRootKeys } from "../../../../packages/control/src/config/root-keys.ts";
import type { RunningEdge } from "../../../../packages/edge/src/process/start-edge.ts";

const run = promisify(execFile);

/** nginx and Caddy as origins, h2load and curl as visitors, openssl as the private CA. */
describe("origins that nobody here wrote", () => {
  let life: LifecycleApp;
  let caller: Caller;
  let edge: RunningEdge;
  let pki: Pki;
  let directory = "";
  let hostname = "";
  const running = new Set<OriginServer>();
  const noop = (): void => undefined;

  before(async () => {
    pki = await createPki();
    directory = await mkdtemp(path.join(tmpdir(), "mooring-origins-"));
    life = await startLifecycle({ env: { ORIGIN_ALLOW_PRIVATE: "true" } });
    caller = await life.caller("Acme");
    const { app } = life;
    edge = await startWholeEdge({
      settings: {
        ...byVariable(app.config),
        ASK_URL: `${app.api.url}/internal/ask`,
        EDGE_HTTP_PORT: 0,
        EDGE_HTTPS_PORT: 0,
        ORIGIN_ALLOW_PRIVATE: true,
      },
      databaseUrl: app.databaseUrl,
      rootKeys: loadRootKeys(app.config),
      resolvers: ["127.0.0.1:9"],
      caaNames: () => ["letsencrypt.org"],
      log: { debug: noop, info: noop, warn: noop, error: noop },
      clock: app.clock,
      // It shares its process with the test, and would shed load on a busy machine; all visits come
      // from one address.
      limits: {
        shedDelayMs: Number.POSITIVE_INFINITY,
        refuseDelayMs: Number.POSITIVE_INFINITY,
        handshakesPerAddressPerSecond: 1_000,
        // h2load opens no other connection when one has had its requests.
        requestsPerConnection: Number.POSITIVE_INFINITY,
      },
    });
    const credentials = `/v1/applications/${caller.applicationId}/credentials`;
    const body = { provider: "sandbox", name: "s", fields: { token: "sandbox" } };
    await call(caller.base, credentials, { key: caller.key, body });
    const made = await connect(caller, `shop.${freshZone()}`);
    hostname = made.hostname;
    const isLive = async () => (await get(caller, made.id)).json()["state"] === "live";
    await until(isLive, "live");
    await writeFile(caFile(), (await call(caller.base, "/sandbox/ca.pem")).text);
  });
  after(async () => {
    for (const server of running) await server.stop();
    await edge.close();
    await life.close();
    await pki.remove();
    await rm(directory, { recursive: true, force: true });
  });

  function caFile(): string {
    return path.join(directory, "ca.pem");
  }

  function keep(server: OriginServer): OriginServer {
    running.add(server);
    return server;
  }

  async function change(body: object): Promise<void> {
    const path = `/v1/applications/${caller.applicationId}`;
    const changed = await call(caller.base, path, { key: caller.key, method: "PATCH", body });
    assert.equal(changed.status, 200, changed.text);
  }

  /** The page as curl gets it, after its status. */
  async function page(): Promise<string> {
    const { stdout } = await run("curl", [
      "-sS",
      "--cacert",
      caFile(),
      "-w",
      "%{http_code} ",
      "-o",
      path.join(directory, "body"),
      "--connect-to",
      `${hostname}:443:127.0.0.1:${edge.httpsPort}`,
      `https://${hostname}/`,
    ]);
    const { stdout: body } = await run("cat", [path.join(directory, "body")]);
    return stdout + body;
  }

  it("lose one to kill -9 under load, and no request fails", async (context) => {
    const [nginx, caddy] = [keep(await startNginx("nginx")), keep(await startCaddy("caddy"))];
    const origins = [nginx, caddy].map(({ port }) => ({ url: `http://127.0.0.1:${port}` }));
    await change({ origins });
    const seen = new Set<string>();
    await until(async () => seen.add(await page()).has("200 nginx") && seen.has("200 caddy"));
    const total = proofSize(4_000, 200_000);
    const load = spawn("h2load", [
      "-n",
      String(total),
      "-c",
      "8",
      "-m",
      "4",
      `--connect-to=127.0.0.1:${edge.httpsPort}`,
      `https://${hostname}/`,
    ]);
    const ended = once(load, "exit");
    const report = text(load.stdout);
    const before = await countRequests(edge);
    const isUnderWay = async () => (await countRequests(edge)) > before + total / 4;
    await until(isUnderWay, "load");
    await nginx.kill();
    running.delete(nginx);
    await ended;
    const result = await report;
    assert.match(result, new RegExp(`requests: ${total} total.* ${total} succeeded, 0 failed`));
    assert.match(result, new RegExp(`status codes: ${total} 2xx, 0 3xx, 0 4xx, 0 5xx`));
    context.diagnostic(/requests: .*/.exec(result)?.[0] ?? "");
    // It comes back at the same address, and takes requests again.
    const back = keep(await startNginx("nginx is back", { port: nginx.port }));
    await until(async () => (await page()) === "200 nginx is back", "its return");
    await change({ origin_url: `http://127.0.0.1:${caddy.port}` });
    await back.stop();
    running.delete(back);
  });

  it("are verified by a private CA and a name, and verify the edge by its certificate", async () => {
    const server = await pki.issue("inside.example", "server");
    const client = await pki.issue("edge.example", "client");
    const tls = { server, clientCa: pki.ca };
    const nginx = keep(await startNginx("nginx", { tls }));
    const identity = { ca: pki.ca.cert, client_certificate: client.cert, client_key: client.key };
    await change({ origins: [{ url: `https://127.0.0.1:${nginx.port}` }] });
    // Issued by nobody that is trusted.
    await until(async () => (await page()).startsWith("502"));
    await change({ origin_tls: { ...identity, server_name: "inside.example" } });
    await until(async () => (await page()) === "200 nginx inside.example CN=edge.example");
    await change({ origin_tls: { server_name: "front.example", verify_name: "inside.example" } });
    await until(async () => (await page()) === "200 nginx front.example CN=edge.example");
    // Another name than that of its certificate.
    await change({ origin_tls: { verify_name: "outside.example" } });
    await until(async () => (await page()).startsWith("502"));
    await change({ origin_tls: { verify_name: "inside.example", client_certificate: null } });
    // nginx answers itself to a client without a certificate.
    await until(async () => (await page()).startsWith("400"));
    await change({ origin_tls: identity });
    await until(async () => (await page()) === "200 nginx front.example CN=edge.example");
  });
});

async function countRequests(edge: RunningEdge): Promise<number> {
  const metrics = await edge.metrics.metrics();
  return Number(/^mooring_edge_requests_total ([0-9]+)/m.exec(metrics)?.[1] ?? 0);
}
