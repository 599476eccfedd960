import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer, type IncomingHttpHeaders, type Server } from "node:http";
import { request } from "node:https";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, before, describe, it } from "node:test";
import { type Pebble, startPebble } from "@mooring/testing/acme/pebble";
import { archive, type Caller, connect, get, type Made } from "@mooring/testing/clients/connecting";
import { visit } from "@mooring/testing/clients/visit";
import { call, textOf } from "@mooring/testing/control/http";
import { startCaddy } from "@mooring/testing/deploy/caddy";
import { startBindRecursive } from "@mooring/testing/dns/bind-recursive";
import { type DnsServer, startKnot } from "@mooring/testing/dns/dns-servers";
import { freePort } from "@mooring/testing/processes/free-port";
import { type LifecycleApp, startLifecycle } from "@mooring/testing/processes/lifecycle-app";

const [zone, edgeZone] = ["acme.example", "mooring.example"];
const [authoritative, recursive] = ["127.0.6.1", "127.0.6.2"];
const delegation = ["@ NS ns1", `ns1 A ${authoritative}`];
const names = ["shop", "under", "other", "archived", "later", "loop"];

/** From creation to a served page, with the operator's Caddy as the edge. */
describe("a live name behind Caddy, with Knot, BIND and Pebble", () => {
  let life: LifecycleApp;
  let caller: Caller;
  let knot: DnsServer;
  let pebble: Pebble;
  let origin: Server;
  let directory = "";
  let root = "";
  let httpsPort = 0;
  const started: { stop(): Promise<void> }[] = [];
  const seen: { url: string; headers: IncomingHttpHeaders }[] = [];

  before(async () => {
    const [port, httpPort] = [await freePort(), await freePort()];
    httpsPort = await freePort();
    const zones = { [zone]: records([]), [edgeZone]: edgeRecords() };
    knot = await startKnot({ address: authoritative, port, zones });
    const forwards = { [zone]: [authoritative], [edgeZone]: [authoritative] };
    const options = { address: recursive, port, authoritativePort: port, zones: forwards };
    started.push(knot, await startBindRecursive(options));
    const dnsServer = `${recursive}:${port}`;
    pebble = await startPebble({ httpPort, tlsPort: httpsPort, dnsServer });
    started.push(pebble);
    root = await pebble.root();
    directory = await mkdtemp(path.join(tmpdir(), "caddy-test-"));
    const trust = path.join(directory, "trust.pem");
    await writeFile(trust, root);
    life = await startLifecycle({
      env: {
        DNS_RESOLVERS: dnsServer,
        DNS_AUTHORITATIVE_PORT: String(port),
        EDGE_CNAME: `edge.${edgeZone}`,
        EDGE_IPV4: "127.0.0.1",
        EDGE_KIND: "external",
        EDGE_PROBE_PORT: String(httpsPort),
        ACME_CA_FILE: trust,
        ORIGIN_ALLOW_PRIVATE: "true",
      },
    });
    const internal = new URL(life.app.api.url).host;
    const { directoryUrl, caPem } = pebble;
    started.push(await startCaddy({ httpPort, httpsPort, internal, directoryUrl, caPem }));
    origin = await startOrigin(seen);
    caller = await openShop(life, origin);
  });
  after(async () => {
    await life.close();
    await Promise.all(started.map((server) => server.stop()));
    await rm(directory, { recursive: true, force: true });
    origin.closeAllConnections();
    origin.close();
  });

  const proofs: string[] = [];
  async function goLive(name: string, application = caller): Promise<Made> {
    const made = await connect(application, `${name}.${zone}`);
    proofs.push(`_service-challenge.${name} TXT "${made.challenge}"`);
    await knot.setZone(zone, records(proofs));
    await life.reach(made.id, "live");
    return made;
  }

  it("goes live by the worker's check, and serves the tenant's page", async () => {
    const { id, hostname } = await goLive("shop");
    const page = await visit(httpsPort, hostname, root);
    assert.deepEqual([page.body, page.status], [`hello ${hostname}`, 200]);
    const shown = (await get(caller, id)).json();
    const certificate = shown["certificate"] as { status: string; ca: string; not_after: string };
    assert.equal(certificate.status, "issued");
    assert.match(certificate.ca, /^Pebble Intermediate CA/);
    assert.ok(new Date(certificate.not_after) > new Date(), certificate.not_after);
    const { rows } = await life.session.query<{ type: string }>(
      "select type from events where connection_id = $1 order by sequence",
      [id],
    );
    assert.deepEqual(
      rows.map(({ type }) => type),
      ["domain.added", "domain.verified", "ssl.issued", "domain.flow.completed"],
    );
    const { rows: stored } = await life.session.query(
      "select issuer, chain, sealed_key, due_at from certificates where hostname = $1",
      [hostname],
    );
    assert.deepEqual(stored, [{ issuer: "external", chain: null, sealed_key: null, due_at: null }]);
  });

  it("refuses unknown names, and orders no certificate for them", async () => {
    const before = pebble.orders();
    await assert.rejects(visit(httpsPort, `unknown.${zone}`, root), isHandshakeError);
    await assert.rejects(visit(httpsPort, `later.${zone}`, root), isHandshakeError);
    assert.equal(pebble.orders(), before);
  });

  it("sends the origin its configured host and path, and drops the request's own X-Svc headers", async () => {
    const { port } = origin.address() as AddressInfo;
    const own = await openShop(life, origin, {
      name: "Under",
      origin_url: `http://127.0.0.1:${port}/app`,
      origin_host_header: "origin",
    });
    const { hostname } = await goLive("under", own);
    const forged = { "x-svc-upstream-dial": "127.0.0.1:1", "x-svc-assertion": "forged" };
    assert.equal(
      await requestStatus(httpsPort, hostname, root, { host: hostname, ...forged }),
      200,
    );
    const last = seen.at(-1);
    assert.equal(last?.url, "/app/page?q=1");
    assert.equal(last?.headers.host, `127.0.0.1:${port}`);
    assert.equal(last?.headers["x-forwarded-host"], hostname);
    const internalHeaders = Object.keys(last?.headers ?? {}).filter((name) =>
      name.startsWith("x-svc-"),
    );
    assert.deepEqual(internalHeaders, []);

    const count = seen.length;
    const climbs = [
      "/../secret",
      "/%2e%2e/secret",
      "/..%2fsecret",
      "/..;/secret",
      "/a/..%5c..%5csecret",
    ];
    for (const target of climbs) {
      assert.equal(
        await requestStatus(httpsPort, hostname, root, { host: hostname }, target),
        400,
        target,
      );
    }
    assert.equal(seen.length, count);
  });

  it("ends a loop: refuses itself as an origin, and what comes back through another proxy", async (t) => {
    const { port } = origin.address() as AddressInfo;
    const own = await openShop(life, origin, { name: "Loop" });
    const { hostname } = await goLive("loop", own);
    const setOrigin = (url: string) =>
      life.session.query("update applications set origin_url = $2 where id = $1", [
        own.applicationId,
        url,
      ]);
    assert.equal((await visit(httpsPort, hostname, root)).status, 200);
    assert.equal(seen.at(-1)?.headers["cdn-loop"], `edge.${edgeZone}`);

    await setOrigin(`https://127.0.0.1:${httpsPort}`);
    assert.equal((await visit(httpsPort, hostname, root)).status, 502);

    let passed = 0;
    const proxy = createServer((incoming, response) => {
      passed += 1;
      const { "cdn-loop": loop = "" } = incoming.headers;
      const headers = { host: hostname, "cdn-loop": String(loop) };
      requestStatus(httpsPort, hostname, root, headers).then(
        (status) => response.writeHead(status).end(),
        (error: Error) => response.writeHead(500).end(error.message),
      );
    });
    await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
    t.after(() => proxy.close());
    await setOrigin(`http://127.0.0.1:${(proxy.address() as AddressInfo).port}`);
    assert.equal((await visit(httpsPort, hostname, root)).status, 508);
    assert.equal(passed, 1);

    await setOrigin(`http://127.0.0.1:${port}`);
    assert.equal((await visit(httpsPort, hostname, root)).status, 200);
  });

  it("refuses a request on a connection that was opened for another name", async () => {
    const { hostname } = await goLive("other");
    assert.equal(await requestStatus(httpsPort, hostname, root, { host: `shop.${zone}` }), 421);
  });

  it("is refused once it is archived, although Caddy still has the certificate", async () => {
    const { id, hostname } = await goLive("archived");
    assert.equal((await visit(httpsPort, hostname, root)).status, 200);
    const count = seen.length;
    assert.ok((await archive(caller, id)).status < 300);
    assert.equal((await visit(httpsPort, hostname, root)).status, 404);
    assert.equal(seen.length, count);
  });
});

/** All names exist from the start, since a recursive server caches that a name is absent. */
function records(proofs: readonly string[]): string {
  const leads = names.map((name) => `${name} CNAME edge.${edgeZone}.`);
  return [...delegation, ...leads, ...proofs].join("\n");
}

function edgeRecords(): string {
  return [...delegation, "edge A 127.0.0.1"].join("\n");
}

function isHandshakeError(error: unknown): boolean {
  return (
    error instanceof Error && "code" in error && /SSL|EPROTO|ECONNRESET/.test(String(error.code))
  );
}

async function startOrigin(seen: { url: string; headers: IncomingHttpHeaders }[]): Promise<Server> {
  const origin = createServer((incoming, response) => {
    seen.push({ url: incoming.url ?? "", headers: incoming.headers });
    response.end(`hello ${incoming.headers.host}`);
  });
  await new Promise<void>((resolve) => origin.listen(0, "127.0.0.1", resolve));
  return origin;
}

async function openShop(
  { app }: LifecycleApp,
  origin: Server,
  settings: object = { name: "Shop" },
): Promise<Caller> {
  const { keys } = await app.tenant("Acme");
  const { port } = origin.address() as AddressInfo;
  const body = { origin_url: `http://127.0.0.1:${port}`, ...settings };
  const made = await call(app.api.url, "/v1/applications", { key: keys.live, body });
  assert.equal(made.status, 201, made.text);
  return { base: app.api.url, key: keys.live, applicationId: textOf(made, "id") };
}

/** The status of a GET with the given headers. */
function requestStatus(
  port: number,
  servername: string,
  ca: string,
  headers: Readonly<Record<string, string>>,
  target = "/page?q=1",
): Promise<number> {
  return new Promise((resolve, reject) => {
    const options = { host: "127.0.0.1", port, servername, ca, headers, agent: false };
    const sent = request({ ...options, path: target }, (response) => {
      response.resume();
      response.on("end", () => resolve(response.statusCode ?? 0));
    });
    sent.on("error", reject);
    sent.end();
  });
}
