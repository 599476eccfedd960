import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type Server } from "node:http";
import { request } from "node:https";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { after, before, describe, it } from "node:test";
import { startTestApp, type TestApp } from "@mooring/testing/control/app";
import { call, textOf } from "@mooring/testing/control/http";
import { untilPromoted } from "@mooring/testing/edge/accelerator/whole-edges";
import { startWholeEdge } from "@mooring/testing/edge/whole-edge";
import { until } from "@mooring/testing/processes/until";
import { byVariable } from "../../../../packages/control/src/config/config.ts";
import { loadRootKeys } from "../../../../packages/control/src/config/root-keys.ts";
import {
  type RunningWorkers,
  startWorker,
} from "../../../../packages/control/src/process/start-worker.ts";
import type { RunningEdge } from "../../../../packages/edge/src/process/start-edge.ts";
import { verifyAssertion } from "../../../../packages/sdk/src/index.ts";

const hostname = "shop.acme.test";

describe("the assertion that the edge sends to an origin", () => {
  let app: TestApp;
  let worker: RunningWorkers;
  let edge: RunningEdge;
  let origin: Server;
  let key = "";
  let applicationId = "";
  let connectionId = "";
  let seen: IncomingHttpHeaders = {};
  const lines: object[] = [];
  const silent = { debug: noop, info: noop, warn: noop, error: noop };

  function noop(): void {}

  function startOne(databaseUrl: string): Promise<RunningEdge> {
    return startWholeEdge({
      settings: {
        ...byVariable(app.config),
        DATA_DIR: path.join(app.config.dataDir, "one"),
        ASK_URL: `${app.api.url}/internal/ask`,
        EDGE_HTTP_PORT: 0,
        EDGE_HTTPS_PORT: 0,
        EDGE_ACCESS_LOG: "info",
        ORIGIN_ALLOW_PRIVATE: true,
      },
      databaseUrl,
      rootKeys: loadRootKeys(app.config),
      resolvers: ["127.0.0.1:9"],
      caaNames: () => [],
      log: { ...silent, info: (line, message) => void (message === "request" && lines.push(line)) },
      clock: app.clock,
      // It shares its process with the test, and would shed load on a busy machine.
      limits: { shedDelayMs: Number.POSITIVE_INFINITY, refuseDelayMs: Number.POSITIVE_INFINITY },
    });
  }

  async function visit(
    port: number,
    headers: Readonly<Record<string, string>> = {},
    target = "/",
  ): Promise<{ readonly status: number; readonly headers: IncomingHttpHeaders }> {
    const ca = (await call(app.api.url, "/sandbox/ca.pem")).text;
    await untilPromoted(port, hostname);
    const at = { host: "127.0.0.1", port, servername: hostname, path: target, ca, agent: false };
    const sent = request({ ...at, headers: { host: hostname, ...headers } });
    sent.end();
    const [response] = await once(sent, "response");
    response.resume();
    await once(response, "end");
    return { status: response.statusCode, headers: response.headers };
  }

  const verified = (header: string | readonly string[] | undefined, audience = applicationId) =>
    verifyAssertion(header, {
      issuer: app.config.baseUrl,
      audience,
      jwksUrl: `${app.api.url}/.well-known/jwks.json`,
      now: app.clock.now(),
    });

  before(async () => {
    origin = createServer((incoming, response) => {
      seen = incoming.headers;
      response.end("hello");
    });
    origin.listen(0, "127.0.0.1");
    await once(origin, "listening");
    app = await startTestApp({ ORIGIN_ALLOW_PRIVATE: "true" });
    worker = await startWorker(app.config, { clock: app.clock });
    key = (await app.tenant("Acme")).keys.test;
    const { port } = origin.address() as AddressInfo;
    const body = { name: "Shop", origin_url: `http://127.0.0.1:${port}` };
    const made = await call(app.api.url, "/v1/applications", { key, body });
    applicationId = textOf(made, "id");
    const credential = { provider: "sandbox", name: "s", fields: { token: "sandbox" } };
    await call(app.api.url, `/v1/applications/${applicationId}/credentials`, {
      key,
      body: credential,
    });
    edge = await startOne(app.databaseUrl);
    const connection = await call(app.api.url, "/v1/connections", {
      key,
      body: { application_id: applicationId, hostname, customer_ref: "Müller & Söhne" },
    });
    connectionId = textOf(connection, "id");
    const state = async () =>
      (await call(app.api.url, `/v1/connections/${connectionId}`, { key })).json()["state"];
    await until(async () => (await state()) === "live");
  });
  after(async () => {
    await edge.close();
    await worker.close();
    await app.close();
    origin.closeAllConnections();
    origin.close();
  });

  it("is signed with a key that the API publishes, and names the customer", async () => {
    assert.equal((await visit(edge.httpsPort)).status, 200);
    const claims = await verified(seen["x-svc-assertion"]);
    assert.deepEqual(
      [claims.applicationId, claims.customerRef, claims.hostname, claims.environment],
      [applicationId, "Müller & Söhne", hostname, "test"],
    );
    assert.equal(seen["x-svc-connection"], connectionId);
    const published = await call(app.api.url, "/.well-known/jwks.json");
    assert.equal(published.headers.get("cache-control"), "public, max-age=300");
    assert.doesNotMatch(published.text, /"d":|sealed/);
    await assert.rejects(verified(seen["x-svc-assertion"], connectionId), {
      reason: "wrong_audience",
    });
  });

  it("never comes from the request's own headers, in any spelling", async () => {
    const forged = "e30.e30.AAAA";
    for (const name of ["X-Svc-Assertion", "x-svc-assertion", "X-SVC-ASSERTION"]) {
      assert.equal((await visit(edge.httpsPort, { [name]: forged })).status, 200);
      assert.equal((await verified(seen["x-svc-assertion"])).hostname, hostname);
    }
    for (const name of ["X_Svc_Assertion", "X-Svc_Assertion", "X.Svc.Assertion"]) {
      assert.equal((await visit(edge.httpsPort, { [name]: forged })).status, 200, name);
      assert.equal((await verified(seen["x-svc-assertion"])).hostname, hostname);
      assert.ok(!JSON.stringify(seen).includes(forged), `${name} did not reach the origin`);
    }
    await visit(edge.httpsPort, { connection: "x-svc-assertion", "x-svc-assertion": forged });
    assert.equal((await verified(seen["x-svc-assertion"])).hostname, hostname);
  });

  it("is no widget token, although the same key set verifies both", async () => {
    const minted = await call(app.api.url, "/v1/tokens", {
      key,
      body: { application_id: applicationId },
    });
    await assert.rejects(verified(textOf(minted, "auth_token")), { reason: "wrong_type" });
  });

  it("is still signed while the database is unavailable", async () => {
    await edge.close();
    edge = await startOne("postgres://nobody@127.0.0.1:1/none");
    assert.equal((await visit(edge.httpsPort)).status, 200);
    assert.equal((await verified(seen["x-svc-assertion"])).hostname, hostname);
  });

  it("comes with one access log line per request, without the request's secrets", async () => {
    lines.length = 0;
    await visit(
      edge.httpsPort,
      { cookie: "canary-cookie", authorization: "canary-key" },
      "/a?canary=1",
    );
    origin.closeAllConnections();
    await new Promise((resolve) => origin.close(resolve));
    const failed = await visit(edge.httpsPort, {}, "/b");
    assert.equal(failed.status, 502);
    await until(() => lines.length === 2);
    assert.doesNotMatch(JSON.stringify(lines), /canary/);
    const [good, bad] = lines as Record<string, unknown>[];
    assert.deepEqual(
      [good?.["host"], good?.["method"], good?.["path"], good?.["status"], good?.["bytes"]],
      [hostname, "GET", "/a", 200, 5],
    );
    assert.equal(good?.["connectionId"], connectionId);
    assert.deepEqual(
      [bad?.["status"], bad?.["reference"]],
      [502, failed.headers["x-svc-reference"]],
    );
  });
});
