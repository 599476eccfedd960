import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, before, describe, it } from "node:test";
import { promisify } from "node:util";
import {
  archive,
  type Caller,
  connect,
  freshZone,
  get,
  type Made,
  proofRecord,
  putZone,
  toEdge,
} from "@mooring/testing/clients/connecting";
import { call } from "@mooring/testing/control/http";
import { untilPromoted } from "@mooring/testing/edge/accelerator/whole-edges";
import { startOrigin, type TestOrigin } from "@mooring/testing/edge/origin";
import { startWholeEdge } from "@mooring/testing/edge/whole-edge";
import { type LifecycleApp, startLifecycle } from "@mooring/testing/processes/lifecycle-app";
import { proofSize } from "@mooring/testing/processes/proof-size";
import { until } from "@mooring/testing/processes/until";
import { byVariable } from "../../../../packages/control/src/config/config.ts";
import { loadRootKeys } from "../../../../packages/control/src/config/root-keys.ts";
import type { RunningEdge } from "../../../../packages/edge/src/process/start-edge.ts";

const run = promisify(execFile);
/** Less than the five seconds between two polls of an edge: it follows what is announced. */
const limitMs = proofSize(4_500, 2_000);
const methods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "PURGE"];

/** Sandbox names on a real edge, visited by curl. */
describe("a domain with a redirect, an origin or rules of its own", () => {
  let life: LifecycleApp;
  let caller: Caller;
  let edge: RunningEdge;
  let shared: TestOrigin;
  let own: TestOrigin;
  let directory = "";
  const noop = (): void => undefined;

  before(async () => {
    directory = await mkdtemp(path.join(tmpdir(), "mooring-redirects-"));
    shared = await startOrigin((_, response) => void response.end("shared"));
    own = await startOrigin(
      (request, response) => void response.end(`own ${request.headers.host}`),
    );
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
      },
    });
    const application = `/v1/applications/${caller.applicationId}`;
    const credential = { provider: "sandbox", name: "s", fields: { token: "sandbox" } };
    await call(caller.base, `${application}/credentials`, { key: caller.key, body: credential });
    await patchApplication({ origin_url: shared.url });
  });
  after(async () => {
    await edge.close();
    await life.close();
    await shared.close();
    await own.close();
    await rm(directory, { recursive: true, force: true });
  });

  function caFile(): string {
    return path.join(directory, "ca.pem");
  }

  async function live(hostname: string): Promise<Made> {
    const made = await connect(caller, hostname);
    await isLive(made);
    await writeFile(caFile(), (await call(caller.base, "/sandbox/ca.pem")).text);
    return made;
  }

  async function isLive({ id }: Made): Promise<void> {
    await until(async () => (await get(caller, id)).json()["state"] === "live", "live");
  }

  async function patch({ id }: Made, body: object): Promise<void> {
    const options = { key: caller.key, method: "PATCH", body };
    const changed = await call(caller.base, `/v1/connections/${id}`, options);
    assert.equal(changed.status, 200, changed.text);
  }

  async function patchApplication(body: object): Promise<void> {
    const options = { key: caller.key, method: "PATCH", body };
    const changed = await call(caller.base, `/v1/applications/${caller.applicationId}`, options);
    assert.equal(changed.status, 200, changed.text);
  }

  async function curl(hostname: string, ...args: readonly string[]): Promise<string> {
    await untilPromoted(edge.httpsPort, hostname);
    const { stdout } = await run("curl", [
      "-sS",
      "--path-as-is",
      "--max-time",
      "20",
      "--cacert",
      caFile(),
      "-D",
      "-",
      "--connect-to",
      `${hostname}:443:127.0.0.1:${edge.httpsPort}`,
      ...args,
    ]);
    return stdout;
  }

  const page = (hostname: string): Promise<string> => curl(hostname, `https://${hostname}/`);

  /** How long it takes until the answer of the name is this. */
  async function follows(hostname: string, expected: RegExp): Promise<number> {
    const startedAt = performance.now();
    await until(async () => expected.test(await page(hostname)), String(expected));
    const tookMs = Math.round(performance.now() - startedAt);
    assert.ok(tookMs <= limitMs, `${tookMs} ms`);
    return tookMs;
  }

  async function readCertificate({ id }: Made): Promise<unknown> {
    return (await get(caller, id)).json()["certificate"];
  }

  it("is sent to its target with 308, by every method, over HTTP/1.1 and HTTP/2", async (context) => {
    const zone = freshZone();
    const [from, to] = [await live(`www.${zone}`), await live(`shop.${zone}`)];
    const certificate = await readCertificate(from);
    assert.match(await page(from.hostname), /shared$/);
    await patchApplication({ edge: { hsts: { max_age: 300 } } });
    await patch(from, { redirect_to: to.hostname });
    const tookMs = await follows(from.hostname, / 308/);
    context.diagnostic(`redirected after ${tookMs} ms`);
    const target = "/a/../b%2F%C3%BC;x//?q=1&q=%20+&u=https://x.example/?";
    for (const version of ["--http1.1", "--http2"]) {
      for (const method of methods) {
        const body = ["POST", "PUT", "PATCH"].includes(method) ? ["--data", "a=1"] : [];
        const way = method === "HEAD" ? ["--head"] : ["-X", method, ...body];
        const url = `https://${from.hostname}${target}`;
        const answer = await curl(from.hostname, version, ...way, url);
        assert.match(answer, /^HTTP\/[12.]+ 308/, `${version} ${method}`);
        const location = /^location: (.*)\r$/im.exec(answer)?.[1];
        assert.equal(location, `https://${to.hostname}${target}`, `${version} ${method}`);
        assert.match(answer, /^strict-transport-security: max-age=300\r$/im);
      }
    }
    // A browser ends up at the target.
    const there = `${to.hostname}:443:127.0.0.1:${edge.httpsPort}`;
    const url = `https://${from.hostname}/`;
    assert.match(await curl(from.hostname, "--location", "--connect-to", there, url), /shared$/);
    assert.deepEqual(await readCertificate(from), certificate);
    await patchApplication({ edge: { hsts: null } });

    assert.equal((await archive(caller, to.id)).status, 200);
    context.diagnostic(`served again after ${await follows(from.hostname, /shared$/)} ms`);
    assert.equal((await get(caller, from.id)).json()["redirect_to"], null);
    assert.deepEqual(await readCertificate(from), certificate);
    assert.deepEqual(await life.broken(), []);
  });

  it("serves its origin until the target is served", async () => {
    const from = await live(`from.${freshZone()}`);
    // No credential may write this zone: it waits for its customer.
    await life.session.query("update credentials set zone = 'elsewhere.test'");
    const zone = freshZone();
    const to = await connect(caller, `later.${zone}`);
    await patch(from, { redirect_to: to.hostname, origin_url: own.url });
    await follows(from.hostname, new RegExp(`own ${from.hostname}$`));
    await putZone(caller, zone, [proofRecord(to), toEdge(to)]);
    await life.reach(to.id, "live");
    await life.session.query("update credentials set zone = null");
    await follows(from.hostname, new RegExp(`location: https://${to.hostname}/\r`, "i"));
  });

  it("is proxied to its own origin, by the name that it chose, and back", async () => {
    const [one, other] = [await live(`one.${freshZone()}`), await live(`other.${freshZone()}`)];
    await patch(one, { origin_url: own.url });
    await follows(one.hostname, new RegExp(`own ${one.hostname}$`));
    await patch(one, { origin_host_header: "origin" });
    await follows(one.hostname, new RegExp(`own 127.0.0.1:${own.port}$`));
    assert.match(await page(other.hostname), /shared$/);
    await patch(one, { origin_url: null, origin_host_header: null });
    await follows(one.hostname, /shared$/);
  });

  it("follows each rule of its application, and its own in place of it", async (context) => {
    const [one, other] = [await live(`one.${freshZone()}`), await live(`other.${freshZone()}`)];
    await follows(one.hostname, /shared$/);
    const rules: readonly (readonly [rule: object, off: string, refusal: RegExp])[] = [
      [{ deny: ["127.0.0.0/8"] }, "deny", /^HTTP\/2 403/],
      [{ allow: ["192.0.2.0/24"] }, "allow", /^HTTP\/2 403/],
      [
        { maintenance: { until: null, page: "At six." } },
        "maintenance",
        /^HTTP\/2 503[\s\S]*At six\./,
      ],
      [{ rate_limit: { requests: 1, per_s: 86_400 } }, "rate_limit", /^HTTP\/2 429/],
      [{ basic_auth: { username: "u", password: "long enough" } }, "basic_auth", /^HTTP\/2 401/],
    ];
    for (const [rule, name, refusal] of rules) {
      await patchApplication({ edge: rule });
      const boundMs = await follows(one.hostname, refusal);
      await patch(one, { edge: { [name]: "off" } });
      const freedMs = await follows(one.hostname, /shared$/);
      await follows(other.hostname, refusal);
      await patchApplication({ edge: { [name]: null } });
      await follows(other.hostname, /shared$/);
      context.diagnostic(`${name}: bound after ${boundMs} ms, off after ${freedMs} ms`);
    }
  });
});
