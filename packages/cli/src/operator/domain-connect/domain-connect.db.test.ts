import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, before, describe, it } from "node:test";
import { type CliResult, callCli } from "@mooring/testing/cli/run-cli";
import { createTestDatabase, type TestDatabase } from "@mooring/testing/database/database";
import { type ScriptedDns, startScriptedDns } from "@mooring/testing/dns/scripted-dns";
import { a, answerFrom, ns, soaRecord, txt } from "@mooring/testing/dns/scripted-zone";
import { freePort } from "@mooring/testing/processes/free-port";
import type { Answer } from "dns-packet";
import pg from "pg";

interface Key {
  readonly label: string;
  readonly use: string;
  readonly name: string;
  readonly records: readonly string[];
  readonly dns: string;
}

describe("mooring domain-connect keys", () => {
  let database: TestDatabase;
  let dns: ScriptedDns;
  let dataDir = "";
  /** The records of the key domain. */
  const published: Answer[] = [
    soaRecord("mooring.example"),
    ns("mooring.example", "ns1.mooring.example"),
    a("ns1.mooring.example", "127.0.0.1"),
  ];
  const mooring = (...args: string[]): Promise<CliResult> =>
    callCli(["domain-connect", "keys", ...args], {
      DATABASE_URL: database.url,
      DATA_DIR: dataDir,
      BASE_URL: "https://connect.mooring.example",
      DNS_RESOLVERS: `127.0.0.1:${dns.port}`,
      DNS_AUTHORITATIVE_PORT: String(dns.port),
    });
  const readKey = async (...args: string[]): Promise<Key> => {
    const result = await mooring(...args, "--json");
    assert.equal(result.code, 0, result.stderr);
    return result.json() as unknown as Key;
  };
  const listed = async (): Promise<readonly Key[]> => {
    const result = await mooring("list", "--json");
    assert.equal(result.code, 0, result.stderr);
    return result.json()["keys"] as readonly Key[];
  };
  const publish = ({ name, records }: Pick<Key, "name" | "records">): void => {
    published.push(...records.map((text) => txt(name, text)));
  };

  before(async () => {
    database = await createTestDatabase();
    dataDir = await mkdtemp(path.join(tmpdir(), "mooring-cli-"));
    dns = await startScriptedDns({
      address: "127.0.0.1",
      port: await freePort(),
      behave: answerFrom(published, { soa: "mooring.example" }),
    });
  });
  after(async () => {
    await dns.stop();
    await database.drop();
    await rm(dataDir, { recursive: true, force: true });
  });

  it("are empty at first, and say how to make one", async () => {
    const none = await mooring();
    assert.equal(none.code, 0, none.stderr);
    assert.match(none.stdout, /keys create/);
  });

  it("are made, shown as the records to publish, and found in DNS", async () => {
    const made = await readKey("create");
    assert.deepEqual(
      { label: made.label, use: made.use, name: made.name, dns: made.dns },
      { label: "_dck1", use: "waiting", name: "_dck1.mooring.example", dns: "missing" },
    );
    assert.equal(made.records.length, 2);
    for (const text of made.records) assert.match(text, /^p=\d,a=RS256,d=[A-Za-z0-9+/=]+$/);
    publish(made);
    const text = await mooring("list");
    assert.match(text.stdout, /_dck1 +waits for DNS +published/);
  });

  it("print records for a zone file, and distinguish a wrong key in DNS from a missing one", async () => {
    const made = await mooring("rotate");
    assert.match(made.stdout, /^_dck2\.mooring\.example\. 3600 IN TXT "p=1,a=RS256,d=/m);
    assert.match(made.stdout, /signs the links as soon as DNS has these records/);
    const [first = ""] = published.flatMap((record) =>
      record.type === "TXT" ? [String(record.data)] : [],
    );
    publish({ name: "_dck2.mooring.example", records: [first] });
    assert.deepEqual(
      (await listed()).map(({ label, dns: state }) => [label, state]),
      [
        ["_dck2", "wrong"],
        ["_dck1", "published"],
      ],
    );
  });

  it("are retired only on purpose while nothing else signs", async () => {
    assert.equal((await readKey("create", "--activate")).use, "signing");
    const refused = await mooring("retire", "_dck3");
    assert.equal(refused.code, 1);
    assert.match(refused.stderr, /signs the links at present/);
    const retired = await mooring("retire", "_dck1");
    assert.match(retired.stdout, /leave the TXT records .* for an hour, then remove them/);
  });

  it("are stored sealed", async () => {
    const client = new pg.Client({ connectionString: database.url });
    await client.connect();
    const { rows } = await client.query<{ sealed: string }>(
      "select sealed from domain_connect_keys",
    );
    await client.end();
    assert.equal(rows.length, 3);
    for (const { sealed } of rows) assert.match(sealed, /^v1\./);
  });
});
