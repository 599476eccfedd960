import assert from "node:assert/strict";
import { createPublicKey, X509Certificate } from "node:crypto";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, before, describe, it } from "node:test";
import { connect as connectTls } from "node:tls";
import { type CliResult, callCli } from "@mooring/testing/cli/run-cli";
import { type Caller, freshZone, get, putZone } from "@mooring/testing/clients/connecting";
import { call } from "@mooring/testing/control/http";
import { type SandboxEdge, startSandboxEdge } from "@mooring/testing/edge/sandbox-edge";
import { until } from "@mooring/testing/processes/until";
import { type Authority, createAuthority, issueLeaf } from "../../../../edge/src/x509/authority.ts";
import { generateKey, keyToPem } from "../../../../edge/src/x509/keys.ts";

const day = 86_400_000;
/** Promised from the command's end to the edge. */
const servedWithinMs = 15_000;

interface Row {
  readonly hostname: string;
  readonly customer_ref: string | null;
  readonly action: string;
  readonly reason: string | null;
  readonly connection_id: string | null;
}

/** The command as an operator runs it, beside an API, a worker and an edge. */
describe("mooring import beside a running edge", () => {
  let world: SandboxEdge;
  let caller: Caller;
  let authority: Authority;
  let directory = "";

  before(async () => {
    world = await startSandboxEdge();
    caller = await world.tenant("Acme");
    directory = await mkdtemp(path.join(tmpdir(), "mooring-import-edge-"));
    const now = world.life.app.clock.now().getTime();
    const validity = { notBefore: new Date(now - day), notAfter: new Date(now + 400 * day) };
    authority = await createAuthority({ commonName: "Old CA", ...validity });
    await writeFile(path.join(directory, "root.pem"), authority.certificatePem);
  });
  after(async () => {
    await world.close();
    await rm(directory, { recursive: true, force: true });
  });

  const mooring = (...args: readonly string[]): Promise<CliResult> =>
    callCli(["import", ...args, "--application", caller.applicationId, "--json"], {
      DATABASE_URL: world.life.app.databaseUrl,
      DATA_DIR: world.life.app.config.dataDir,
      DNS_RESOLVERS: "127.0.0.1:9",
      BASE_URL: "http://api.mooring.example",
      VALIDATION_ZONE: "validation.test",
      ACME_CA_FILE: path.join(directory, "root.pem"),
    });
  const readRows = (result: CliResult): readonly Row[] => result.json()["rows"] as readonly Row[];

  /** Writes a certificate with its key, as another server has renewed it; its fingerprint. */
  async function renew(storage: string, hostname: string, days: number): Promise<string> {
    const key = await generateKey();
    const publicKey = createPublicKey(key).export({ type: "spki", format: "der" });
    const now = world.life.app.clock.now().getTime();
    const certificate = await issueLeaf(authority, {
      hostnames: [hostname],
      publicKey,
      notBefore: new Date(now - 3_600_000),
      notAfter: new Date(now + days * day),
    });
    await mkdir(storage, { recursive: true });
    await writeFile(path.join(storage, "cert.pem"), certificate);
    await writeFile(path.join(storage, "key.pem"), keyToPem(key));
    return new X509Certificate(certificate).fingerprint256;
  }

  function fingerprintAtEdge(hostname: string): Promise<string> {
    return new Promise((resolve) => {
      const { httpsPort: port } = world.edge;
      const options = { host: "127.0.0.1", port, servername: hostname, rejectUnauthorized: false };
      const socket = connectTls(options, () => {
        resolve(socket.getPeerX509Certificate()?.fingerprint256 ?? "");
        socket.end();
      });
      socket.on("error", () => resolve(""));
    });
  }

  const served = (hostname: string, fingerprint: string): Promise<void> =>
    until(
      async () => (await fingerprintAtEdge(hostname)) === fingerprint,
      `the imported certificate of ${hostname} at the edge`,
      servedWithinMs,
    );

  it("replaces an imported certificate by a newer one of the source, at the edge at once", async () => {
    const zone = freshZone();
    const hostname = `shop.${zone}`;
    const storage = path.join(directory, "storage");
    await putZone(caller, zone, [{ host: hostname, type: "CNAME", value: "edge.localhost" }]);
    const first = await renew(storage, hostname, 60);
    const run = async (...args: readonly string[]) => {
      const result = await mooring("acme-dir", storage, "--trust-dns", ...args);
      assert.equal(result.code, 0, result.stdout + result.stderr);
      const [row] = readRows(result);
      assert.ok(row);
      return row;
    };
    const made = await run("--apply");
    assert.equal(made.action, "create");
    await served(hostname, first);
    await world.life.reach(made.connection_id ?? "", "live");
    assert.equal((await run("--apply")).action, "keep");

    const second = await renew(storage, hostname, 90);
    assert.equal((await run()).action, "replace_certificate");
    assert.equal(await fingerprintAtEdge(hostname), first, "a dry run writes nothing");
    assert.equal((await run("--apply")).action, "replace_certificate");
    await served(hostname, second);
    assert.equal((await run("--apply")).action, "keep");
    await renew(storage, hostname, 80);
    assert.equal((await run("--apply")).action, "keep", "an older one replaces nothing");
    assert.equal(await fingerprintAtEdge(hostname), second);
  });

  it("replaces one that still waits for the proof of its name, too", async () => {
    const zone = freshZone();
    const hostname = `shop.${zone}`;
    const storage = path.join(directory, "waiting");
    await renew(storage, hostname, 60);
    const run = async () => readRows(await mooring("acme-dir", storage, "--apply"))[0];
    const made = await run();
    assert.equal(made?.action, "create");
    const second = await renew(storage, hostname, 90);
    assert.equal((await run())?.action, "replace_certificate");
    const shown = (await get(caller, made.connection_id ?? "")).json();
    const { name: host, value } = shown["ownership_challenge"] as { name: string; value: string };
    // It waits for its switch then, and is served already.
    await putZone(caller, zone, [{ host, type: "TXT", value }]);
    await world.life.reach(made.connection_id ?? "", "propagating");
    await served(hostname, second);
  });

  it("leaves a certificate alone that the edge has obtained itself", async () => {
    const zone = freshZone();
    const hostname = `shop.${zone}`;
    const file = path.join(directory, "one.csv");
    await writeFile(file, `hostname\n${hostname}\n`);
    await putZone(caller, zone, [{ host: hostname, type: "CNAME", value: "edge.localhost" }]);
    const [made] = readRows(await mooring("csv", file, "--trust-dns", "--apply"));
    await world.life.reach(made?.connection_id ?? "", "live");
    const own = await fingerprintAtEdge(hostname);
    const storage = path.join(directory, "obtained");
    await renew(storage, hostname, 390);
    const [row] = readRows(await mooring("acme-dir", storage, "--apply"));
    assert.equal(row?.action, "keep");
    assert.equal(await fingerprintAtEdge(hostname), own);
  });

  it("reads columns in any order, says which it ignores, and takes an empty cell for none", async () => {
    const zone = freshZone();
    const file = path.join(directory, "columns.csv");
    const lines = [
      "Plan,customer_ref,Created,HOSTNAME,Plan",
      `pro,c-1,2026,a.${zone},x`,
      `free,,2026,b.${zone},x`,
      `free,"",2026,c.${zone},x`,
      `free,  ,2026,d.${zone},x`,
    ];
    await writeFile(file, lines.join("\n"));
    const result = await mooring("csv", file, "--apply");
    assert.equal(result.code, 0, result.stderr);
    const rows = readRows(result);
    assert.deepEqual(
      rows.map(({ hostname, customer_ref, action }) => [hostname, customer_ref, action]),
      [
        [`a.${zone}`, "c-1", "create"],
        [`b.${zone}`, null, "create"],
        [`c.${zone}`, null, "create"],
        [`d.${zone}`, null, "create"],
      ],
    );
    assert.deepEqual(result.json()["notes"], [
      'These columns are ignored: "Plan", "Created", "Plan".',
    ]);
    for (const { connection_id: id, customer_ref: ref } of rows) {
      assert.equal((await get(caller, id ?? "")).json()["customer_ref"], ref);
    }
    const progress = result.stderr
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    assert.deepEqual(progress[0], { done: 0, total: 4, seconds_left: null });
    assert.deepEqual([progress.at(-1).done, progress.at(-1).seconds_left], [4, 0]);
  });

  it("accepts the wildcards that the API accepts, and refuses the others with its words", async () => {
    const zone = freshZone();
    const spellings = ["*.W1", "*.deep.w2", "*", "*.*.w3", "x*.w4", "a.*.w5"].map((name) =>
      name === "*" ? "*.test" : `${name}.${zone}`,
    );
    const file = path.join(directory, "wildcards.csv");
    await writeFile(file, ["hostname", ...spellings].join("\n"));
    const at = `/v1/applications/${caller.applicationId}`;
    for (const wildcards of [false, true]) {
      const changed = await call(caller.base, at, {
        key: caller.key,
        method: "PATCH",
        body: { wildcards },
      });
      assert.equal(changed.status, 200, changed.text);
      const planned = readRows(await mooring("csv", file));
      const accepted: string[] = [];
      for (const [index, hostname] of spellings.entries()) {
        const body = { application_id: caller.applicationId, hostname };
        const answer = await call(caller.base, "/v1/connections", { key: caller.key, body });
        const row = planned[index];
        assert.equal(row?.action === "create", answer.status === 201, `${hostname} ${answer.text}`);
        if (answer.status === 201) accepted.push(String(answer.json()["hostname"]));
        else
          assert.ok(
            answer.text.includes((row?.reason ?? "").replace(/^\w+: /, "")),
            row?.reason ?? "",
          );
      }
      const expected = wildcards ? [`*.w1.${zone}`, `*.deep.w2.${zone}`] : [];
      assert.deepEqual(accepted, expected);
    }
  });
});
