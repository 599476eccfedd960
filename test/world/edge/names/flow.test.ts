import assert from "node:assert/strict";
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import { type RequestOptions, request } from "node:https";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, before, describe, it } from "node:test";
import { promisify } from "node:util";
import { openSession } from "@mooring/testing/clients/connecting";
import { startTestApp, type TestApp } from "@mooring/testing/control/app";
import { call, textOf } from "@mooring/testing/control/http";
import { untilPromoted } from "@mooring/testing/edge/accelerator/whole-edges";
import { startWholeEdge } from "@mooring/testing/edge/whole-edge";
import { freePort } from "@mooring/testing/processes/free-port";
import { until } from "@mooring/testing/processes/until";
import { byVariable } from "../../../../packages/control/src/config/config.ts";
import { loadRootKeys } from "../../../../packages/control/src/config/root-keys.ts";
import {
  type RunningWorkers,
  startWorker,
} from "../../../../packages/control/src/process/start-worker.ts";
import type { RunningEdge } from "../../../../packages/edge/src/process/start-edge.ts";

/** From creation to a page over TLS in the sandbox, without manual steps. */
describe("a sandbox name at the edge", () => {
  let app: TestApp;
  let worker: RunningWorkers;
  const edges: RunningEdge[] = [];
  let origin: Server;
  let key = "";
  let applicationId = "";
  const silent = { debug: noop, info: noop, warn: noop, error: noop };

  function noop(): void {}

  async function edge(isCounting = true): Promise<RunningEdge> {
    const started = await startWholeEdge({
      settings: {
        ...byVariable(app.config),
        TRAFFIC: isCounting,
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
      // It shares its process with the test, and would shed load on a busy machine.
      limits: { shedDelayMs: Number.POSITIVE_INFINITY, refuseDelayMs: Number.POSITIVE_INFINITY },
    });
    edges.push(started);
    return started;
  }

  /** One request for the name to the port of an edge; only the local CA is trusted. */
  async function visit(
    port: number,
    hostname: string,
    options: RequestOptions = {},
  ): Promise<{ readonly status: number; readonly body: string }> {
    const ca = (await call(app.api.url, "/sandbox/ca.pem")).text;
    await untilPromoted(port, hostname);
    return new Promise((resolve, reject) => {
      const sent = request(
        {
          host: "127.0.0.1",
          port,
          servername: hostname,
          headers: { host: hostname },
          ca,
          agent: false,
          ...options,
        },
        (response) => {
          const parts: Buffer[] = [];
          response.on("data", (part: Buffer) => parts.push(part));
          response.on("end", () =>
            resolve({ status: response.statusCode ?? 0, body: Buffer.concat(parts).toString() }),
          );
        },
      );
      sent.on("error", reject);
      sent.end();
    });
  }

  async function fetchState(id: string): Promise<unknown> {
    return (await call(app.api.url, `/v1/connections/${id}`, { key })).json()["state"];
  }

  async function connect(hostname: string): Promise<string> {
    const made = await call(app.api.url, "/v1/connections", {
      key,
      body: { application_id: applicationId, hostname },
    });
    assert.equal(made.status, 201, made.text);
    return textOf(made, "id");
  }

  before(async () => {
    origin = createServer((incoming, response) => response.end(`hello ${incoming.headers.host}`));
    await new Promise<void>((resolve) => origin.listen(0, "127.0.0.1", resolve));
    app = await startTestApp({ ORIGIN_ALLOW_PRIVATE: "true" });
    worker = await startWorker(app.config, { clock: app.clock });
    const tenant = await app.tenant("Acme");
    key = tenant.keys.test;
    const { port } = origin.address() as AddressInfo;
    const application = await call(app.api.url, "/v1/applications", {
      key,
      body: { name: "Shop", origin_url: `http://127.0.0.1:${port}` },
    });
    applicationId = textOf(application, "id");
    const credential = { provider: "sandbox", name: "s", fields: { token: "sandbox" } };
    const route = `/v1/applications/${applicationId}/credentials`;
    assert.equal((await call(app.api.url, route, { key, body: credential })).status, 201);
  });
  after(async () => {
    await Promise.all(edges.map((one) => one.close()));
    await worker.close();
    await app.close();
    origin.closeAllConnections();
    origin.close();
  });

  it("goes live, is served by every edge, and by none after it is archived", async () => {
    const [first, second] = [await edge(), await edge()];
    const id = await connect("shop.acme.test");
    await until(async () => (await fetchState(id)) === "live");
    for (const one of [first, second]) {
      const page = await visit(one.httpsPort, "shop.acme.test");
      assert.deepEqual([page.status, page.body], [200, "hello shop.acme.test"]);
    }
    const detail = await call(app.api.url, `/v1/connections/${id}`, { key });
    assert.match(detail.text, /"certificate":\{"status":"issued","not_after":"20/);
    const history = await call(app.api.url, `/v1/connections/${id}/events?kind=certificate`, {
      key,
    });
    const [issued, ...others] = history.json()["data"] as readonly { readonly details: object }[];
    assert.partialDeepStrictEqual(issued?.details, { outcome: "issued" });
    assert.deepEqual(others, []);
    const usage = (await call(app.api.url, "/v1/usage", { key })).json();
    assert.equal((usage["counters"] as { cert: number }).cert, 1);
    await call(app.api.url, `/v1/connections/${id}`, { key, method: "DELETE" });
    for (const one of [first, second]) {
      await until(() => visit(one.httpsPort, "shop.acme.test").then(isNever, isRefused));
    }
  });

  it("counts what curl asked for and what an nginx origin has in its log", async () => {
    const one = edges[0] ?? (await edge());
    const nginx = await startLoggedNginx();
    try {
      const id = await connect("counted.acme.test");
      const body = { origin_url: `http://127.0.0.1:${nginx.port}` };
      await call(app.api.url, `/v1/connections/${id}`, { key, method: "PATCH", body });
      await until(async () => (await fetchState(id)) === "live");
      await until(
        async () => (await visit(one.httpsPort, "counted.acme.test")).body === nginx.page,
      );
      const asked = await curl(one.httpsPort, "counted.acme.test", [
        "/page/[1-40]",
        "/missing/[1-7]",
        "/broken/[1-3]",
      ]);
      const logged = await nginx.readLog();
      const count = (lines: readonly string[], digit: string): number =>
        lines.filter((line) => line.startsWith(digit)).length;
      // The visits before curl's were of the other client.
      assert.deepEqual([count(asked, "4"), count(asked, "5"), asked.length], [7, 3, 50]);
      app.clock.advance(60_000);
      const read = async () =>
        (
          await call(app.api.url, `/v1/connections/${id}/traffic?from=${hourAgo()}`, { key })
        ).json();
      await until(async () => {
        const totals = (await read())["totals"] as { requests: number } | null;
        return totals?.requests === logged.length;
      }, "the counts arrive");
      const traffic = await read();
      const totals = traffic["totals"] as Record<string, number> & {
        by_status: Record<string, number>;
      };
      for (const digit of ["2", "4", "5"]) {
        assert.equal(totals.by_status[`${digit}xx`], count(logged, digit), digit);
      }
      const bytes = logged.reduce((sum, line) => sum + Number(line.split(" ")[1]), 0);
      assert.equal(totals["bytes_out"], bytes);
      assert.ok((totals["origin_p95_ms"] ?? 0) >= 1);
      const timeline = await call(app.api.url, `/v1/connections/${id}/events?kind=visit`, { key });
      assert.equal((timeline.json()["data"] as unknown[]).length, 1);
    } finally {
      await nginx.close();
    }
  });

  it("counts nothing with TRAFFIC=off, while another edge counts its own visits", async () => {
    const [counting, silentEdge] = [await edge(), await edge(false)];
    const id = await connect("uncounted.acme.test");
    await until(async () => (await fetchState(id)) === "live");
    for (const one of [counting, silentEdge, silentEdge]) {
      await until(
        async () => (await visit(one.httpsPort, "uncounted.acme.test").catch(() => null)) !== null,
      );
    }
    const lines = (await silentEdge.metrics.metrics()).split("\n");
    assert.ok(lines.includes("mooring_edge_traffic_batches_waiting 0"));
    const before = await countProcesses();
    await stop(silentEdge);
    assert.equal(await countProcesses(), before, "it has nothing to send");
    await stop(counting);
    assert.equal(await countProcesses(), before + 1);
    const read = await call(app.api.url, `/v1/connections/${id}/traffic?from=${hourAgo()}`, {
      key,
    });
    assert.equal((read.json()["totals"] as { requests: number }).requests, 1);
  });

  async function stop(one: RunningEdge): Promise<void> {
    edges.splice(edges.indexOf(one), 1);
    await one.close();
  }

  /** Edge processes that sent their last minute. */
  async function countProcesses(): Promise<number> {
    const session = await openSession(app.databaseUrl);
    try {
      const text = "select count(*)::int as ended from traffic_processes where ended";
      return (await session.query<{ ended: number }>(text)).rows[0]?.ended ?? -1;
    } finally {
      await session.end();
    }
  }

  const hourAgo = (): string => new Date(app.clock.now().getTime() - 3_600_000).toISOString();

  /** One line for each request: the status as curl saw it. */
  async function curl(
    port: number,
    hostname: string,
    paths: readonly string[],
  ): Promise<readonly string[]> {
    await untilPromoted(port, hostname);
    const urls = paths.flatMap((path) => ["-o", "/dev/null", `https://${hostname}:${port}${path}`]);
    const way = ["--insecure", "--resolve", `${hostname}:${port}:127.0.0.1`];
    const format = ["--write-out", "%{http_code}\\n"];
    const args = ["--silent", "--header", `host: ${hostname}`, ...way, ...format, ...urls];
    const { stdout } = await promisify(execFile)("curl", args);
    return stdout.trim().split("\n");
  }

  /** An origin of which nobody here counts the requests: `status bytes` of each is in its log. */
  async function startLoggedNginx() {
    const directory = await mkdtemp(path.join(tmpdir(), "mooring-nginx-"));
    const [port, page] = [await freePort(), "p".repeat(2_345)];
    const log = path.join(directory, "access.log");
    const config = path.join(directory, "nginx.conf");
    await writeFile(
      config,
      `daemon off; pid ${directory}/pid; error_log ${directory}/error.log; events {}
       http { log_format counted "$status $body_bytes_sent $http_host"; access_log ${log} counted;
         client_body_temp_path ${directory}/a; proxy_temp_path ${directory}/b;
         fastcgi_temp_path ${directory}/c; uwsgi_temp_path ${directory}/d; scgi_temp_path ${directory}/e;
         server { listen 127.0.0.1:${port}; location / { return 200 "${page}"; }
           location /missing { return 404 "missing"; } location /broken { return 500 "broken"; } } }`,
    );
    const child = spawn("/usr/sbin/nginx", ["-c", config, "-e", `${directory}/error.log`]);
    const exited = once(child, "exit");
    await until(
      () =>
        fetch(`http://127.0.0.1:${port}/ready`).then(
          ({ ok }) => ok,
          () => false,
        ),
      "nginx answers",
    );
    return {
      port,
      page,
      /** Of what came through the edge. */
      async readLog(): Promise<readonly string[]> {
        const lines = (await readFile(log, "utf8")).trim().split("\n");
        return lines.filter((line) => line.includes("counted.acme.test"));
      },
      async close() {
        child.kill();
        await exited;
        await rm(directory, { recursive: true, force: true });
      },
    };
  }

  function isNever(): boolean {
    return false;
  }

  /** Whether the handshake was refused. */
  function isRefused(error: unknown): boolean {
    return error instanceof Error && "code" in error;
  }

  it("refuses unknown names, and a Host that differs from the server name", async () => {
    const one = edges[0] ?? (await edge());
    await connect("www.acme.test").then((id) =>
      until(async () => (await fetchState(id)) === "live"),
    );
    await assert.rejects(visit(one.httpsPort, "other.acme.test"));
    const crossed = await visit(one.httpsPort, "www.acme.test", {
      headers: { host: "elsewhere.test" },
    });
    assert.equal(crossed.status, 421);
  });

  for (const [label, code] of [
    ["certfail", "certificate_failed"],
    ["caa", "caa_forbidden"],
  ] as const) {
    it(`reports the reason when the CA refuses: ${code}`, async () => {
      const id = await connect(`${label}.acme.test`);
      await until(async () => {
        const body = (await call(app.api.url, `/v1/connections/${id}`, { key })).json();
        return body["error_code"] === code;
      });
      assert.equal(await fetchState(id), "issuing_cert");
    });
  }
});
