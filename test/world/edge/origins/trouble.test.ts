import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtemp, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, before, describe, it } from "node:test";
import { promisify } from "node:util";
import { type Caller, connect, freshZone, get } from "@mooring/testing/clients/connecting";
import { visit } from "@mooring/testing/clients/visit";
import { call, textOf } from "@mooring/testing/control/http";
import { launch } from "@mooring/testing/dns/dns-servers";
import { startWholeEdge } from "@mooring/testing/edge/whole-edge";
import { freePort } from "@mooring/testing/processes/free-port";
import { type LifecycleApp, startLifecycle } from "@mooring/testing/processes/lifecycle-app";
import { until } from "@mooring/testing/processes/until";
import { byVariable } from "../../../../packages/control/src/config/config.ts";
import { loadRootKeys } from "../../../../packages/control/src/config/root-keys.ts";
import type { RunningEdge } from "../../../../packages/edge/src/process/start-edge.ts";

const run = promisify(execFile);

/** What the tenant sees of an origin that dies behind two edges. */
describe("an origin that dies", () => {
  let life: LifecycleApp;
  let caller: Caller;
  const edges: RunningEdge[] = [];
  let origin: Server;
  let port = 0;
  let status = 200;
  let ca = "";
  const noop = (): void => undefined;
  const silent = { debug: noop, info: noop, warn: noop, error: noop };

  before(async () => {
    await startOrigin();
    life = await startLifecycle({ env: { ORIGIN_ALLOW_PRIVATE: "true" } });
    caller = await life.caller("Acme");
    const { app } = life;
    for (let started = 0; started < 2; started += 1) {
      edges.push(
        await startWholeEdge({
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
          log: silent,
          clock: app.clock,
          // It shares its process with the test, and would shed load on a busy machine; all visits
          // come from one address.
          limits: {
            shedDelayMs: Number.POSITIVE_INFINITY,
            refuseDelayMs: Number.POSITIVE_INFINITY,
            handshakesPerAddressPerSecond: 1_000,
          },
        }),
      );
    }
    await setOrigin(`http://127.0.0.1:${port}`);
    const credentials = `/v1/applications/${caller.applicationId}/credentials`;
    const body = { provider: "sandbox", name: "s", fields: { token: "sandbox" } };
    await call(caller.base, credentials, { key: caller.key, body });
  });
  after(async () => {
    await Promise.all(edges.map((edge) => edge.close()));
    await life.close();
    await stopOrigin();
  });

  async function setOrigin(url: string): Promise<void> {
    const options = { key: caller.key, method: "PATCH", body: { origin_url: url } };
    const changed = await call(caller.base, `/v1/applications/${caller.applicationId}`, options);
    assert.equal(changed.status, 200, changed.text);
  }

  async function startOrigin(): Promise<void> {
    origin = createServer((_incoming, response) => response.writeHead(status).end("hello"));
    await new Promise<void>((resolve) => origin.listen(port, "127.0.0.1", resolve));
    ({ port } = origin.address() as AddressInfo);
  }

  async function stopOrigin(): Promise<void> {
    const closed = new Promise<void>((resolve) => origin.close(() => resolve()));
    origin.closeAllConnections();
    await closed;
  }

  async function goLive(): Promise<{ readonly id: string; readonly hostname: string }> {
    const made = await connect(caller, `shop.${freshZone()}`);
    await until(async () => (await get(caller, made.id)).json()["state"] === "live", "live");
    ca = (await call(caller.base, "/sandbox/ca.pem")).text;
    return made;
  }

  /** One visit, at the edges one after the other; the status of the answer. */
  async function request(hostname: string, attempt: number): Promise<number> {
    const edge = edges[attempt % edges.length];
    assert.ok(edge);
    return (await visit(edge.httpsPort, hostname, ca)).status;
  }

  async function originEvents(id: string): Promise<string[]> {
    const { rows } = await life.session.query<{ type: string }>(
      "select type from events where connection_id = $1 and type like 'origin.%' order by sequence",
      [id],
    );
    return rows.map(({ type }) => type);
  }

  /** Whether an edge has reported a failure of the origin. */
  async function isFailing(id: string): Promise<boolean> {
    const failing = "select from origin_health where connection_id = $1 and failing_since <= $2";
    const { rowCount } = await life.session.query(failing, [id, life.app.clock.now()]);
    return rowCount === 1;
  }

  async function codes(id: string): Promise<unknown[]> {
    const detail = (await get(caller, id)).json();
    return [detail["state"], detail["error_code"]];
  }

  const unreachable = (id: string) =>
    until(async () => (await codes(id))[1] === "origin_unreachable", "origin_unreachable");

  it("is reported after five requests over both edges, once, and its recovery once", async () => {
    const { id, hostname } = await goLive();
    assert.equal(await request(hostname, 0), 200);
    await stopOrigin();
    for (let attempt = 0; attempt < 4; attempt += 1)
      assert.equal(await request(hostname, attempt), 502);
    await life.checkAll(3_000);
    assert.deepEqual(await codes(id), ["live", null], "four are not five");
    assert.equal(await request(hostname, 4), 502);
    await unreachable(id);
    assert.deepEqual(await codes(id), ["live", "origin_unreachable"]);
    for (let attempt = 0; attempt < 6; attempt += 1) await request(hostname, attempt);
    const diagnosis = await call(caller.base, `/v1/connections/${id}/diagnosis`, {
      key: caller.key,
    });
    assert.match(diagnosis.text, /"code":"origin_unreachable","severity":"error"/);
    await life.checkAll();
    assert.deepEqual(await originEvents(id), ["origin.unreachable"]);
    await startOrigin();
    assert.equal(await request(hostname, 0), 200);
    life.app.clock.advance(6_000);
    await until(async () => (await codes(id))[1] === null, "recovery");
    assert.deepEqual(await originEvents(id), ["origin.unreachable", "origin.recovered"]);
    await life.checkAll();
    assert.equal((await originEvents(id)).length, 2);
    assert.deepEqual(await life.broken(), []);
  });

  it("is reported when it answers 502 to 504 itself, for a minute or five times in a row", async () => {
    const { id, hostname } = await goLive();
    status = 503;
    assert.equal(await request(hostname, 0), 503);
    await until(() => isFailing(id), "the first failure");
    life.app.clock.advance(61_000);
    assert.equal(await request(hostname, 1), 503);
    await unreachable(id);
    assert.deepEqual(await originEvents(id), ["origin.unreachable"]);
    status = 200;
  });

  it("is not reported when a success comes between, nor for other answers", async () => {
    const { id, hostname } = await goLive();
    for (let round = 0; round < 3; round += 1) {
      status = 504;
      for (let attempt = 0; attempt < 4; attempt += 1) await request(hostname, attempt);
      status = 500;
      assert.equal(await request(hostname, round), 500);
    }
    status = 404;
    for (let attempt = 0; attempt < 6; attempt += 1) await request(hostname, attempt);
    status = 200;
    // The edges tell each other of successes within a second of real time, which the clock must not
    // skip.
    const failing = "select from origin_health where connection_id = $1 and failures <> '{}'";
    await until(async () => (await life.session.query(failing, [id])).rowCount === 0, "successes");
    life.app.clock.advance(3_000);
    await life.checkAll(3_000);
    assert.deepEqual(await codes(id), ["live", null]);
    assert.deepEqual(await originEvents(id), []);
  });

  it("behind a Caddy that still answers is reported by the Caddy's 502, as curl sees it", async (t) => {
    const { id, hostname } = await goLive();
    const caddy = await startGateway(await freePort(), await freePort());
    t.after(() => caddy.stop());
    await setOrigin(`http://127.0.0.1:${caddy.port}`);
    const file = path.join(caddy.folder, "ca.pem");
    await writeFile(file, ca);
    // In a row: an edge that follows a little later still serves the origin in between.
    let [answers, attempt] = [0, 0];
    await until(async () => {
      answers = (await curl(hostname, file, attempt)) === "502" ? answers + 1 : 0;
      attempt += 1;
      return answers === 5;
    }, "five answers of Caddy");
    await unreachable(id);
    assert.deepEqual(await originEvents(id), ["origin.unreachable"]);
    await setOrigin(`http://127.0.0.1:${port}`);
    await until(async () => (await curl(hostname, file, 0)) === "200", "the origin itself");
    life.app.clock.advance(6_000);
    await until(async () => (await codes(id))[1] === null, "recovery");
  });

  /** A gateway that nobody here wrote, in front of nothing. */
  async function startGateway(listening: number, missing: number) {
    const folder = await mkdtemp(path.join(tmpdir(), "caddy-"));
    const options = "admin off\nauto_https off\ndefault_bind 127.0.0.1\n";
    const site = `:${listening} {\nreverse_proxy 127.0.0.1:${missing}\n}\n`;
    await writeFile(path.join(folder, "Caddyfile"), `{\n${options}}\n${site}`);
    const config = ["--config", path.join(folder, "Caddyfile"), "--adapter", "caddyfile"];
    const command = ["env", `HOME=${folder}`, "caddy", "run", ...config] as const;
    const server = launch(command, "caddy", folder);
    const isUp = () =>
      fetch(`http://127.0.0.1:${listening}/`).then(
        ({ status: answer }) => answer === 502,
        () => false,
      );
    await server.during(until(isUp, "caddy to listen"));
    return { port: listening, folder, stop: server.stop };
  }

  async function curl(hostname: string, caFile: string, attempt: number): Promise<string> {
    const at = edges[attempt % edges.length]?.httpsPort;
    const args = ["-s", "-o", "/dev/null", "-w", "%{http_code}", "--cacert", caFile];
    const target = ["--connect-to", `${hostname}:443:127.0.0.1:${at}`, `https://${hostname}/`];
    return (await run("curl", [...args, ...target])).stdout;
  }

  it("is subscribed to by kind like every event", async () => {
    const body = {
      application_id: caller.applicationId,
      url: "https://app.example.com/hooks",
      events: ["origin.unreachable", "certificate.at_risk", "credential.failing"],
    };
    const made = await call(caller.base, "/v1/webhook-endpoints", { key: caller.key, body });
    assert.equal(made.status, 201, made.text);
    const { id, hostname } = await goLive();
    await stopOrigin();
    for (let attempt = 0; attempt < 5; attempt += 1) await request(hostname, attempt);
    await unreachable(id);
    const deliveries = `/v1/webhook-endpoints/${textOf(made, "id")}/deliveries`;
    const { data } = (await call(caller.base, deliveries, { key: caller.key })).json();
    const types = (data as { event_type: string }[]).map((delivery) => delivery.event_type);
    assert.deepEqual(types, ["origin.unreachable"]);
    await startOrigin();
  });
});
