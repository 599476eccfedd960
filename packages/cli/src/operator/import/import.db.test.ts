import assert from "node:assert/strict";
import { createPublicKey, X509Certificate } from "node:crypto";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, before, describe, it } from "node:test";
import {
  AppError,
  type ImportResult,
  type ImportRow,
  importConnections,
  type OpenedRuntime,
  openRuntime,
} from "@mooring/control";
import { type CliResult, callCli } from "@mooring/testing/cli/run-cli";
import { openSession } from "@mooring/testing/clients/connecting";
import { startTestApp, type TestApp } from "@mooring/testing/control/app";
import { call, textOf } from "@mooring/testing/control/http";
import { proofSize } from "@mooring/testing/processes/proof-size";
import type pg from "pg";
import { createAuthority, issueLeaf } from "../../../../edge/src/x509/authority.ts";
import { generateKey, keyToPem } from "../../../../edge/src/x509/keys.ts";
import { readCsv } from "./csv.ts";
import { importText } from "./import-text.ts";
import { readCloudflare, readVercel } from "./vendor-lists.ts";

interface Row {
  readonly place: string;
  readonly customer_ref: string | null;
  readonly action: string;
  readonly reason: string | null;
  readonly ownership_challenge: { readonly name: string; readonly value: string } | null;
}

const day = 86_400_000;
const size = proofSize(130, 5_000);
const bad = proofSize(13, 200);

/** Names under `.test` are answered by the sandbox, so that no DNS server is needed. */
describe(`mooring import of ${size} names`, () => {
  let app: TestApp;
  let opened: OpenedRuntime;
  let session: pg.Client;
  let directory = "";
  let other: Awaited<ReturnType<TestApp["tenant"]>>;
  let application = "";
  const servers: Server[] = [];

  before(async () => {
    app = await startTestApp({ VALIDATION_ZONE: "validation.test" });
    session = await openSession(app.databaseUrl);
    const { log } = app.operator;
    opened = await openRuntime(app.config, {
      url: app.databaseUrl,
      role: "mooring_api",
      name: "import",
      log,
      clock: app.clock,
    });
    directory = await mkdtemp(path.join(tmpdir(), "mooring-import-"));
    application = await createShop("Acme");
    other = await app.tenant("Other");
    await hold(other.keys.test, "taken.held.test");
  });
  after(async () => {
    for (const server of servers) server.close();
    await session.end();
    await opened.close();
    await app.close();
    await rm(directory, { recursive: true, force: true });
  });

  async function createShop(tenant: string): Promise<string> {
    const { keys } = await app.tenant(tenant);
    const made = await call(app.api.url, "/v1/applications", {
      key: keys.test,
      body: { name: "Shop" },
    });
    return textOf(made, "id");
  }

  /** A connection of another tenant that has proven its name. */
  async function hold(key: string, hostname: string): Promise<void> {
    const mine = await call(app.api.url, "/v1/applications", { key, body: { name: "Theirs" } });
    const body = { application_id: textOf(mine, "id"), hostname };
    const made = await call(app.api.url, "/v1/connections", { key, body });
    const { ownership_challenge: challenge } = made.json();
    const { name, value } = challenge as { name: string; value: string };
    const zone = hostname.slice(hostname.indexOf(".") + 1);
    const put = await call(app.api.url, `/v1/sandbox/zones/${zone}/records`, {
      key,
      method: "PUT",
      body: { records: [{ host: name, type: "TXT", value }] },
    });
    assert.equal(put.status, 200, put.text);
    const id = textOf(made, "id");
    const verified = await call(app.api.url, `/v1/connections/${id}/verify`, {
      key,
      method: "POST",
    });
    assert.equal(verified.status, 200, verified.text);
  }

  async function listen(server: Server): Promise<string> {
    servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  /** As an operator runs it. */
  const mooring = (...args: readonly string[]): Promise<CliResult> =>
    callCli(["import", ...args, "--application", application, "--json"], {
      DATABASE_URL: app.databaseUrl,
      DATA_DIR: app.config.dataDir,
      DNS_RESOLVERS: "127.0.0.1:9",
      BASE_URL: "http://api.mooring.example",
    });

  /** The same by the service. */
  const importRows = (
    rows: readonly ImportRow[],
    applies = true,
    applicationId = application,
    trustsDns = false,
  ): Promise<readonly ImportResult[]> =>
    importConnections(opened.runtime, rows, { applicationId, roots: [], trustsDns, applies });

  const readRows = (result: CliResult): readonly Row[] => result.json()["rows"] as readonly Row[];

  async function counted(): Promise<readonly number[]> {
    const { rows } = await session.query<{ connections: string; events: string; audit: string }>(
      `select (select count(*) from connections where application_id = $1) as connections,
         (select count(*) from events where application_id = $1) as events,
         (select count(*) from audit_log where actor = 'operator' and action = 'connection.create') as audit`,
      [application],
    );
    return Object.values(rows[0] ?? {}).map(Number);
  }

  /** Every kind of row that is refused, again and again. */
  const badRow = (index: number): string => {
    const kinds = [
      "not a name,c",
      "10.0.0.1,c",
      "localhost,c",
      "co.uk,c",
      `n${index}_x.bad.test,c`,
      `n${index}..bad.test,c`,
      `control${index}.bad.test,"a\u0007b"`,
      `ragged${index}.bad.test`,
      `quote${index}.bad.test,"a"b"`,
      `long${index}.bad.test,${"x".repeat(201)}`,
      "taken.held.test,c",
      "N0.Import.Test.,again",
      "edge.localhost,c",
    ];
    return kinds[index % kinds.length] ?? "";
  };

  it("refuses exactly the bad rows of a CSV file, with their lines; again it is a no-op", async (t) => {
    const lines = ["\uFEFFhostname,customer_ref"];
    const expected: string[] = [];
    for (let index = 0; index < size; index += 1) {
      // A quoted field with a line break moves the lines after it.
      if (index === 2) lines.push("", `"n${index}.import.test","with ""quotes"", and a comma"`);
      else if (index % (size / bad) === 1) {
        expected.push(`line ${lines.length + 1}`);
        lines.push(badRow((index - 1) / (size / bad)));
      } else lines.push(`n${index}.import.test,customer-${index}`);
    }
    const file = path.join(directory, "names.csv");
    await writeFile(file, `${lines.join("\r\n")}\r\n`);

    const rows = readCsv(await readFile(file, "utf8"));
    const dry = await importRows(rows, false);
    assert.deepEqual(await counted(), [0, 0, 0], "a dry run writes nothing");
    assert.match(importText(dry, false), /Nothing was written: run it again with --apply/);
    const started = performance.now();
    const first = await mooring("csv", file, "--apply");
    t.diagnostic(`${size} rows in ${((performance.now() - started) / 1_000).toFixed(1)} s`);
    assert.equal(first.code, 1, first.stderr);
    const printed = readRows(first).map(({ place, ...row }) => ({ ...row, location: place }));
    for (const results of [dry, printed]) {
      const refused = results.filter(({ action }) => action === "refuse");
      assert.deepEqual(
        refused.map(({ location }) => location),
        expected,
      );
      assert.ok(refused.every(({ reason }) => (reason ?? "") !== ""));
    }
    assert.equal(expected.length, bad);
    t.diagnostic(`${expected.length} refused`);
    const made = readRows(first).filter(({ action }) => action === "create");
    assert.equal(made.length, size - bad);
    assert.ok(made.every((row) => row.ownership_challenge?.value.startsWith("service-verify=")));
    assert.equal(readRows(first)[2]?.customer_ref, 'with "quotes", and a comma');
    assert.deepEqual(await counted(), [size - bad, size - bad, size - bad]);

    const again = await importRows(rows);
    assert.equal(again.filter(({ action }) => action === "keep").length, size - bad);
    assert.equal(again.filter(({ action }) => action === "refuse").length, bad);
    assert.deepEqual(await counted(), [size - bad, size - bad, size - bad]);
  });

  it("reports another customer of a name that is there, and changes nothing", async () => {
    const before = await counted();
    const [row] = await importRows(readCsv("customer_ref,hostname\nanother,n0.import.test\n"));
    assert.deepEqual([row?.action, row?.location], ["differs", "line 2"]);
    assert.match(row?.reason ?? "", /another customer_ref: "customer-0"/);
    assert.deepEqual(await counted(), before);
  });

  it("says what is wrong with the header, the application and the environment", async () => {
    assert.throws(
      () => readCsv("domain,customer\na.example.com,1\n"),
      /header hostname,customer_ref/,
    );
    assert.throws(() => readCsv(""), /header hostname,customer_ref/);
    const rows = readCsv("hostname\na.import.test\n");
    await assert.rejects(importRows(rows, false, "nobody"), /application/);
    const missing = await callCli(
      ["import", "vercel", "--project", "p", "--application", application],
      { DATABASE_URL: app.databaseUrl },
    );
    assert.deepEqual([missing.code, /set VERCEL_TOKEN/.test(missing.stderr)], [1, true]);
  });

  it("reads every page of a Cloudflare zone and of a Vercel project", async () => {
    const asked: string[] = [];
    const names = (prefix: string, page: number, count: number) =>
      Array.from({ length: count }, (_, index) => `${prefix}${page}-${index}.vendor.test`);
    const server = createServer((request, response) => {
      const url = new URL(request.url ?? "", "http://vendor");
      asked.push(`${request.headers.authorization} ${url.pathname}`);
      const page = Number(url.searchParams.get("page") ?? url.searchParams.get("until") ?? 1);
      const body = url.pathname.includes("custom_hostnames")
        ? {
            success: true,
            result: names("cf", page, page < 3 ? 50 : 7).map((hostname, index) => ({
              id: `id-${hostname}`,
              hostname,
              ...(page === 1 && index === 0 ? { custom_origin_server: "eu.shop.example" } : {}),
            })),
            result_info: { page, per_page: 50, total_pages: 3, total_count: 107 },
          }
        : {
            domains: [...names("vc", page, 20), "shop.vercel.app"].map((name) => ({
              name,
              redirect: null,
              redirectStatusCode: null,
            })),
            pagination: { count: 21, next: page < 2 ? page + 1 : null, prev: null },
          };
      response.setHeader("content-type", "application/json");
      response.end(JSON.stringify(body));
    });
    const url = await listen(server);
    const cloudflare = await readCloudflare({ baseUrl: `${url}/client/v4`, token: "t1" }, "z1");
    assert.equal(cloudflare.length, 107);
    assert.equal(asked[0], "Bearer t1 /client/v4/zones/z1/custom_hostnames");
    const vercel = await readVercel({ baseUrl: url, token: "t2" }, "p1", null);
    assert.equal(vercel.length, 40);
    const planned = await importRows([...cloudflare, ...vercel], false);
    assert.ok(planned.every(({ action }) => action === "create"));
    const reasons = planned.flatMap(({ reason }) => reason ?? []);
    assert.deepEqual(reasons, [
      "without its own origin server eu.shop.example: set origin_url of the connection",
    ]);
  });

  it("imports the redirects of a Vercel project, and says which of them it cannot have", async () => {
    const domains = [
      { name: "www.red.test", redirect: "Red.test", redirectStatusCode: 308 },
      { name: "old.red.test", redirect: "red.test", redirectStatusCode: 307 },
      { name: "step.red.test", redirect: "www.red.test", redirectStatusCode: 308 },
      { name: "away.red.test", redirect: "elsewhere.test", redirectStatusCode: null },
      { name: "odd.red.test", redirect: "https://red.test/path", redirectStatusCode: null },
      { name: "red.test", redirect: null, redirectStatusCode: null },
    ];
    const server = createServer((_request, response) => {
      response.setHeader("content-type", "application/json");
      response.end(JSON.stringify({ domains, pagination: { next: null } }));
    });
    const rows = await readVercel({ baseUrl: await listen(server), token: "t" }, "p", null);
    const shop = await createShop("Redirects");
    const expected = [
      ["create", "red.test", null],
      ["create", "red.test", "redirects with 308, and with 307 before"],
      ["create", null, "without its redirect to www.red.test, which redirects itself"],
      [
        "create",
        null,
        "without its redirect to elsewhere.test, which is not connected to this application",
      ],
      ["create", null, "without its redirect to https://red.test/path, which is no hostname"],
      ["create", null, null],
    ];
    const said = (results: readonly ImportResult[]) =>
      results.map(({ action, redirectTo, reason }) => [action, redirectTo, reason]);
    const dry = await importRows(rows, false, shop);
    assert.deepEqual(said(dry), expected, "a dry run says the same");
    assert.match(
      importText(dry, false),
      /redirects to red\.test; redirects with 308, and with 307/,
    );
    assert.deepEqual(said(await importRows(rows, true, shop)), expected);

    const redirects = async () => {
      const { rows: found } = await session.query<{ hostname: string; redirect_to: string }>(
        `select hostname, redirect_to from connections
         where application_id = $1 and redirect_to is not null order by hostname`,
        [shop],
      );
      return found.map((row) => [row.hostname, row.redirect_to]);
    };
    const imported = [
      ["old.red.test", "red.test"],
      ["www.red.test", "red.test"],
    ];
    assert.deepEqual(await redirects(), imported);
    const again = await importRows(rows, true, shop);
    const unchanged = expected.map(([, ...rest]) => ["keep", ...rest]);
    assert.deepEqual(said(again), unchanged, "again it is a no-op");
    const turned = rows.slice(0, 1).map((row) => ({
      ...row,
      redirect: { to: "away.red.test", statusCode: null },
    }));
    const [differing] = await importRows(turned, true, shop);
    assert.equal(differing?.action, "differs");
    assert.match(differing?.reason ?? "", /there leads to red\.test; here away\.red\.test is the/);
    assert.deepEqual(await redirects(), imported);
  });

  it("trusts DNS that leads here, but not against a holder of the name or of a wildcard above it", async () => {
    const shop = await createShop("Trust");
    const mine = await app.tenant("Holder of a wildcard");
    await hold(mine.keys.test, "*.wild.test");
    const leading = async (key: string, zone: string, ...hosts: readonly string[]) => {
      const records = hosts.map((host) => ({ host, type: "CNAME", value: "edge.localhost" }));
      const path = `/v1/sandbox/zones/${zone}/records`;
      const put = await call(app.api.url, path, { key, method: "PUT", body: { records } });
      assert.equal(put.status, 200, put.text);
    };
    await leading(mine.keys.test, "wild.test", "shop.wild.test", "*.wild.test");
    await leading(other.keys.test, "held.test", "taken.held.test");
    await leading(mine.keys.test, "free.test", "shop.free.test");
    const rows = readCsv(
      "hostname\nshop.free.test\nshop.wild.test\n*.wild.test\ntaken.held.test\n",
    );
    const results = await importRows(rows, true, shop, true);
    const found = await session.query<{ hostname: string; state: string }>(
      "select hostname, state from connections where application_id = $1",
      [shop],
    );
    const states = new Map(found.rows.map(({ hostname, state }) => [hostname, state]));
    assert.deepEqual(
      results.map(({ hostname, action, next, reason }) => [hostname, action, next ?? reason]),
      [
        ["shop.free.test", "create", "live"],
        ["shop.wild.test", "create", "proof_then_live"],
        ["*.wild.test", "refuse", "*.wild.test is already connected"],
        ["taken.held.test", "refuse", "taken.held.test is already connected"],
      ],
    );
    assert.notEqual(states.get("shop.free.test"), "pending_ownership");
    assert.equal(states.get("shop.wild.test"), "pending_ownership", "waits for its own proof");
    assert.equal(states.size, 2);
    const again = await importRows(rows, true, shop, true);
    assert.deepEqual(
      again.map(({ action }) => action),
      ["keep", "keep", "refuse", "refuse"],
    );
    const { rows: still } = await session.query<{ state: string }>(
      "select state from connections where application_id = $1 and hostname = 'shop.wild.test'",
      [shop],
    );
    assert.deepEqual(still, [{ state: "pending_ownership" }]);
  });

  it("says by what it took a name as proven: DNS alone, or with its certificate and key", async () => {
    const { keys } = await app.tenant("Methods");
    const made = await call(app.api.url, "/v1/applications", {
      key: keys.test,
      body: { name: "Shop" },
    });
    const shop = textOf(made, "id");
    const hosts = ["certified", "plain", "indirect"].map((label) => `${label}.methods.test`);
    const [certified = "", , indirect] = hosts;
    const put = await call(app.api.url, "/v1/sandbox/zones/methods.test/records", {
      ...{ key: keys.test, method: "PUT" },
      body: {
        records: hosts.map((host) => ({
          ...{ host, type: "CNAME" },
          value: host === indirect ? certified : "edge.localhost",
        })),
      },
    });
    assert.equal(put.status, 200, put.text);
    const now = app.clock.now().getTime();
    const validity = { notBefore: new Date(now - day), notAfter: new Date(now + 60 * day) };
    const authority = await createAuthority({ commonName: "Old CA", ...validity });
    const key = await generateKey();
    const publicKey = createPublicKey(key).export({ type: "spki", format: "der" });
    const leaf = await issueLeaf(authority, { hostnames: [certified], publicKey, ...validity });
    const rows = readCsv(`hostname\n${hosts.join("\n")}\n`).map((row) => ({
      ...row,
      certificate:
        row.hostname === certified ? { certificate: leaf, privateKey: keyToPem(key) } : null,
    }));
    const importAll = (trustsDns: boolean) =>
      importConnections(opened.runtime, rows, {
        ...{ applicationId: shop, trustsDns, applies: true },
        roots: [new X509Certificate(authority.certificatePem)],
      });
    const methods = async () => {
      const { rows: found } = await session.query<{ hostname: string; method: string | null }>(
        `select hostname, ownership_method as method from connections
         where application_id = $1 order by hostname`,
        [shop],
      );
      return found.map(({ method }) => method);
    };
    await importAll(false);
    assert.deepEqual(await methods(), [null, null, null], "a certificate alone proves nothing");
    await importAll(true);
    assert.deepEqual(await methods(), ["import", null, "trust_dns"]);
  });

  it("waits for a database that is busy for a moment", async () => {
    const shop = await createShop("Busy");
    const { runtime } = opened;
    let refusals = 2;
    const busy: typeof runtime = {
      ...runtime,
      tenant: (actor, work) => {
        refusals -= 1;
        if (refusals < 0) return runtime.tenant(actor, work);
        return Promise.reject(new AppError("unavailable", "the database is not available"));
      },
    };
    const options = { applicationId: shop, roots: [], trustsDns: false, applies: true };
    const [row] = await importConnections(busy, readCsv("hostname\nbusy.import.test\n"), options);
    assert.equal(row?.action, "create");
  });
});
