import assert from "node:assert/strict";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, before, describe, it } from "node:test";
import {
  type ImportResult,
  type ImportRow,
  importConnections,
  type OpenedRuntime,
  openRuntime,
} from "@mooring/control";
import type pg from "pg";
import { openSession } from "../../../../../test/support/connecting.ts";
import { proofSize } from "../../../../../test/support/proof-size.ts";
import { startTestApp, type TestApp } from "../../../../control/test/support/app.ts";
import { call, textOf } from "../../../../control/test/support/http.ts";
import { type CliResult, runCli } from "../../../test/support/run-cli.ts";
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

const size = proofSize(130, 5_000);
const bad = proofSize(13, 200);

/** Names under `.test` are answered by the sandbox, so that no DNS server is needed. */
describe(`mooring import of ${size} names`, { timeout: 1_800_000 }, () => {
  let app: TestApp;
  let opened: OpenedRuntime;
  let session: pg.Client;
  let directory = "";
  let application = "";
  const servers: Server[] = [];

  before(async () => {
    app = await startTestApp();
    session = await openSession(app.databaseUrl);
    const { log } = app.operator;
    opened = await openRuntime(app.config, {
      ...{ url: app.databaseUrl, role: "mooring_api", name: "import", log },
      clock: app.clock,
    });
    directory = await mkdtemp(path.join(tmpdir(), "mooring-import-"));
    application = await shopOf("Acme");
    const other = await app.tenant("Other");
    await hold(other.keys.test, "taken.held.test");
  });
  after(async () => {
    for (const server of servers) server.close();
    await session.end();
    await opened.close();
    await app.close();
    await rm(directory, { recursive: true, force: true });
  });

  async function shopOf(tenant: string): Promise<string> {
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
    const put = await call(app.api.url, "/v1/sandbox/zones/held.test/records", {
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

  /** In a process of its own, as an operator runs it. */
  const mooring = (...args: readonly string[]): Promise<CliResult> =>
    runCli(["import", ...args, "--application", application, "--json"], {
      DATABASE_URL: app.databaseUrl,
      DATA_DIR: app.config.dataDir,
      DNS_RESOLVERS: "127.0.0.1:9",
      BASE_URL: "http://api.mooring.example",
    });

  /** The same in the process of the test. */
  const importRows = (
    rows: readonly ImportRow[],
    applies = true,
    applicationId = application,
  ): Promise<readonly ImportResult[]> =>
    importConnections(opened.runtime, rows, {
      applicationId,
      roots: [],
      trustsDns: false,
      applies,
    });

  const rowsOf = (result: CliResult): readonly Row[] => result.json()["rows"] as readonly Row[];

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
    for (const results of [dry, rowsOf(first)]) {
      const refused = results.filter(({ action }) => action === "refuse");
      assert.deepEqual(
        refused.map(({ place }) => place),
        expected,
      );
      assert.ok(refused.every(({ reason }) => (reason ?? "") !== ""));
    }
    assert.equal(expected.length, bad);
    t.diagnostic(`${expected.length} refused`);
    const made = rowsOf(first).filter(({ action }) => action === "create");
    assert.equal(made.length, size - bad);
    assert.ok(made.every((row) => row.ownership_challenge?.value.startsWith("service-verify=")));
    assert.equal(rowsOf(first)[2]?.customer_ref, 'with "quotes", and a comma');
    assert.deepEqual(await counted(), [size - bad, size - bad, size - bad]);

    const again = await importRows(rows);
    assert.equal(again.filter(({ action }) => action === "keep").length, size - bad);
    assert.equal(again.filter(({ action }) => action === "refuse").length, bad);
    assert.deepEqual(await counted(), [size - bad, size - bad, size - bad]);
  });

  it("reports another customer of a name that is there, and changes nothing", async () => {
    const before = await counted();
    const [row] = await importRows(readCsv("customer_ref,hostname\nanother,n0.import.test\n"));
    assert.deepEqual([row?.action, row?.place], ["differs", "line 2"]);
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
    const missing = await mooring("vercel", "--project", "p");
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
            result: names("cf", page, page < 3 ? 50 : 7).map((hostname) => ({
              id: `id-${hostname}`,
              hostname,
            })),
            result_info: { page, per_page: 50, total_pages: 3, total_count: 107 },
          }
        : {
            domains: [...names("vc", page, 20), "shop.vercel.app"].map((name) => ({ name })),
            pagination: { count: 21, next: page < 2 ? page + 1 : null, prev: null },
          };
      response.setHeader("content-type", "application/json");
      response.end(JSON.stringify(body));
    });
    servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const cloudflare = await readCloudflare({ baseUrl: `${url}/client/v4`, token: "t1" }, "z1");
    assert.equal(cloudflare.length, 107);
    assert.equal(asked[0], "Bearer t1 /client/v4/zones/z1/custom_hostnames");
    const vercel = await readVercel({ baseUrl: url, token: "t2" }, "p1", null);
    assert.equal(vercel.length, 40);
    const planned = await importRows([...cloudflare, ...vercel], false);
    assert.ok(planned.every(({ action }) => action === "create"));
  });
});
