import assert from "node:assert/strict";
import { X509Certificate } from "node:crypto";
import { after, afterEach, before, beforeEach, describe, it } from "node:test";
import { createGuard } from "@mooring/egress";
import {
  type Caller,
  connect,
  get,
  openCaller,
  openSession,
} from "@mooring/testing/clients/connecting";
import { startTestApp, type TestApp } from "@mooring/testing/control/app";
import { OpensslAuthority } from "@mooring/testing/control/openssl-certificates";
import {
  certificateEntry,
  madeEntries,
  type StoredEntry,
  startTransparencyLog,
  type TestLog,
  type TestLogOptions,
} from "@mooring/testing/control/transparency-log";
import { withoutLimits } from "@mooring/testing/control/world";
import type pg from "pg";
import { openDatabase } from "../../db/engine/pool.ts";
import vectors from "../../domain/transparency/fixtures/vectors.json" with { type: "json" };
import { parseLogList } from "../../domain/transparency/log-list.ts";
import { chainKeyHash } from "../../domain/transparency/own-key.ts";
import type { Runtime } from "../runtime.ts";
import { type ClaimNames, createClaimNames } from "./claim-names.ts";
import { dueLogs, listTransparencyLogs } from "./due-logs.ts";
import { listLogHealth, resumeStoppedLog } from "./inspect-logs.ts";
import { readLeasedLog } from "./read-log.ts";
import { reportForeign } from "./report-foreign.ts";

const minute = 60_000;
const day = 1_440 * minute;

describe("reading certificate transparency logs", () => {
  let app: TestApp;
  let session: pg.Client;
  let worker: ReturnType<typeof openDatabase>;
  let caller: Caller;
  let claims: ClaimNames;
  let authority: OpensslAuthority;
  const ids = new Map<string, string>();
  const running: TestLog[] = [];

  before(async () => {
    authority = new OpensslAuthority();
    app = await startTestApp(withoutLimits);
    session = await openSession(app.databaseUrl);
    worker = openDatabase({ url: app.databaseUrl, role: "mooring_worker" });
    claims = createClaimNames({ database: worker, clock: app.clock });
    caller = await openCaller(app.api.url, (await app.tenant("Acme")).keys.live);
    for (const name of [
      "shop.example.com",
      "a.example.org",
      "old.example.net",
      "mine.example.com",
    ]) {
      const { id } = await connect(caller, name);
      ids.set(name, id);
      await session.query("update connections set state = 'live', due_at = null where id = $1", [
        id,
      ]);
      await session.query(
        `insert into claims (hostname, connection_id, tenant_id, environment, epoch, claimed_at)
         select hostname, id, tenant_id, environment, nextval('claim_epochs'), now() from connections where id = $1`,
        [id],
      );
    }
  });
  after(async () => {
    authority.close();
    await worker.close();
    await session.end();
    await app.close();
  });
  beforeEach(async () => {
    await session.query("delete from transparency_logs");
    await session.query("delete from foreign_certificates");
    await session.query("delete from certificate_keys");
    await session.query("delete from events where type = 'certificate.foreign'");
    await session.query("delete from timeline where kind = 'certificate'");
  });
  afterEach(async () => {
    await Promise.all(running.splice(0).map((log) => log.close()));
  });

  async function start(options: TestLogOptions): Promise<TestLog> {
    const log = await startTransparencyLog(options);
    running.push(log);
    return log;
  }

  function runtimeFor(log: TestLog): Runtime {
    const list = "url" in log.listed ? "logs" : "tiled_logs";
    const { logs, problems } = parseLogList(
      JSON.stringify({ operators: [{ name: "Op", [list]: [log.listed] }] }),
    );
    assert.deepEqual(problems, []);
    const egress = createGuard({ allowPrivate: "loopback" });
    const config = { ...app.config, ctLogs: logs };
    return { ...app.operator, ...worker, database: worker, egress, config };
  }

  /** What a worker does when the log is due: until nothing is due now. */
  async function read(runtime: Runtime): Promise<void> {
    await listTransparencyLogs(runtime);
    const [log] = runtime.config.ctLogs;
    assert.ok(log);
    const now = runtime.clock.now();
    const rows = await dueLogs(runtime).claim(now, new Date(now.getTime() + minute), 1, []);
    const { signal } = new AbortController();
    for (const row of rows) await readLeasedLog({ runtime, claims }, log, row, signal);
  }

  async function readAndReport(runtime: Runtime): Promise<void> {
    app.clock.advance(2 * minute);
    await read(runtime);
    app.clock.advance(16 * minute);
    await reportForeign(runtime);
  }

  interface Reported {
    readonly hostname: string;
    readonly data: { readonly serial: string; readonly names: string[]; readonly issuer: string };
  }

  async function reported(): Promise<readonly Reported[]> {
    const { rows } = await session.query<{ body: string }>(
      "select body::text from events where type = 'certificate.foreign' order by id",
    );
    return rows.map(({ body }) => {
      const { data } = JSON.parse(body) as {
        data: Reported["data"] & { connection: { hostname: string } };
      };
      return { hostname: data.connection.hostname, data };
    });
  }

  const state = async () =>
    (
      await session.query<{
        position: string;
        tree_size: string | null;
        stop_reason: string | null;
        due_at: Date | null;
        entries_read: string;
      }>("select * from transparency_logs")
    ).rows[0];

  function opensslEntry(names: readonly string[]): StoredEntry & { readonly pem: string } {
    const pem = authority.leaf({ names }).certificate;
    return { ...certificateEntry(new X509Certificate(pem).raw, 1_794_820_900_000), pem };
  }

  const repeated = (count: number): StoredEntry[] =>
    Array.from({ length: count }, (_, index) => madeEntries[index % madeEntries.length]).filter(
      (entry) => entry !== undefined,
    );

  for (const kind of ["rfc6962", "static"] as const) {
    describe(`of the kind ${kind}`, () => {
      it("begins at the head of a new log, and reports what comes after, once each", async () => {
        const log = await start({ kind, pageSize: 10 });
        const quiet = opensslEntry(["nobody.example"]);
        log.entries = Array.from({ length: 300 }, () => quiet);
        const runtime = runtimeFor(log);
        await readAndReport(runtime);
        assert.deepEqual([(await state())?.position, await reported()], ["300", []]);

        log.entries.push(...madeEntries, quiet);
        await readAndReport(runtime);
        const found = await reported();
        assert.deepEqual(found.map(({ hostname }) => hostname).toSorted(), [
          "a.example.org",
          "old.example.net",
          "shop.example.com",
        ]);
        const shop = found.find(({ hostname }) => hostname === "shop.example.com");
        assert.equal(shop?.data.serial, "8ff1c02a9a6be0be01");
        assert.deepEqual(shop?.data.names, ["shop.example.com", "www.shop.example.com"]);
        assert.equal(shop?.data.issuer, vectors.issuer);

        log.entries.push(...madeEntries);
        await readAndReport(runtime);
        assert.equal((await reported()).length, 3, "the same certificates again");
        assert.equal((await state())?.position, String(log.entries.length));
      });

      for (const { kind: signer, key, heads } of vectors.logs) {
        it(`accepts the heads that a key of ${signer} signed in Go, and all their entries`, async () => {
          const log = await start({ kind, foreignKey: key });
          const runtime = runtimeFor(log);
          for (const [at, head] of heads.entries()) {
            log.fixedHead = head;
            const size = head.get_sth.tree_size;
            log.entries = repeated(size);
            app.clock.advance(2 * minute);
            await read(runtime);
            const now = await state();
            assert.deepEqual([now?.stop_reason, now?.position], [null, String(size)], `${at}`);
          }
          assert.equal((await state())?.entries_read, "594");
        });
      }

      it("knows a key of ours that was stored before, or within the wait", async () => {
        const log = await start({ kind });
        const runtime = runtimeFor(log);
        await read(runtime);
        const [early, late, other] = [1, 2, 3].map(() => opensslEntry(["mine.example.com"]));
        assert.ok(early && late && other);
        const insert = "insert into certificate_keys (sha256, created_at) values ($1, now())";
        await session.query(insert, [chainKeyHash(early.pem)]);
        log.entries = [early, late, other];
        app.clock.advance(2 * minute);
        await read(runtime);
        app.clock.advance(10 * minute);
        await reportForeign(runtime);
        assert.deepEqual(await reported(), [], "none before the wait is over");
        await session.query(insert, [chainKeyHash(late.pem)]);
        app.clock.advance(6 * minute);
        await reportForeign(runtime);
        const serials = (await reported()).map(({ data }) => data.serial);
        const serial = new X509Certificate(other.pem).serialNumber.toLowerCase();
        assert.deepEqual(serials, [serial.replace(/^(00)+/, "")]);
      });

      it("knows the key of the certificate that is stored for the name", async () => {
        const log = await start({ kind });
        const runtime = runtimeFor(log);
        await read(runtime);
        const own = opensslEntry(["mine.example.com"]);
        await session.query(
          `insert into certificates (hostname, connection_id, tenant_id, environment, epoch, status, chain, created_at)
           select hostname, connection_id, tenant_id, environment, epoch, 'issued', $2, now() from claims where hostname = $1`,
          ["mine.example.com", own.pem],
        );
        try {
          log.entries = [own];
          await readAndReport(runtime);
          assert.deepEqual(await reported(), []);
        } finally {
          await session.query("delete from certificates");
        }
      });

      it("stops at a false signature, and continues when it is resumed", async () => {
        const log = await start({ kind });
        const runtime = runtimeFor(log);
        log.entries = [...madeEntries];
        log.isSpoiled = true;
        await read(runtime);
        assert.equal((await state())?.stop_reason, "bad_signature");
        const [health] = await listLogHealth(runtime);
        assert.equal(health?.stopReason, "bad_signature");
        const requests = log.requests.length;
        app.clock.advance(day / 2);
        await read(runtime);
        assert.equal(log.requests.length, requests, "a stopped log is left alone");
        log.isSpoiled = false;
        assert.ok(await resumeStoppedLog(runtime, health?.id ?? ""));
        await read(runtime);
        const now = await state();
        assert.deepEqual([now?.stop_reason, now?.position], [null, String(madeEntries.length)]);
      });

      it("stops at a head that does not continue the one before, and reports nothing of it", async () => {
        const log = await start({ kind });
        const runtime = runtimeFor(log);
        const quiet = opensslEntry(["nobody.example"]);
        log.entries = Array.from({ length: 5 }, () => quiet);
        await read(runtime);
        log.entries = [...madeEntries, quiet];
        await readAndReport(runtime);
        assert.equal((await state())?.stop_reason, "fork");
        assert.deepEqual(await reported(), []);
      });

      it("stops at two trees of one size", async () => {
        const log = await start({ kind });
        const runtime = runtimeFor(log);
        log.entries = repeated(6);
        await read(runtime);
        log.entries = repeated(6).toReversed();
        app.clock.advance(2 * minute);
        await read(runtime);
        assert.equal((await state())?.stop_reason, "fork");
      });

      it("accepts an older head of the same tree, without going back", async () => {
        const log = await start({ kind });
        const runtime = runtimeFor(log);
        log.entries = repeated(6);
        await read(runtime);
        log.headSize = 4;
        app.clock.advance(2 * minute);
        await read(runtime);
        const now = await state();
        assert.deepEqual([now?.stop_reason, now?.tree_size, now?.position], [null, "6", "6"]);
      });

      it("stops at entries that are not those of the signed tree", async () => {
        const log = await start({ kind });
        const runtime = runtimeFor(log);
        await read(runtime);
        log.entries = repeated(20);
        const foreign = opensslEntry(["mine.example.com"]);
        log.treat = (url, response) => {
          if (url.pathname === "/ct/v1/get-entries") {
            const leaf_input = foreign.leafInput.toString("base64");
            const entries = Array.from({ length: 20 }, () => ({ leaf_input, extra_data: "" }));
            response.end(JSON.stringify({ entries }));
            return true;
          }
          if (!url.pathname.startsWith("/tile/data/")) return false;
          response.end(Buffer.concat(Array.from({ length: 20 }, () => foreign.tileLeaf)));
          return true;
        };
        await readAndReport(runtime);
        const now = await state();
        assert.deepEqual([now?.stop_reason, now?.position], ["wrong_entries", "0"]);
        assert.deepEqual(await reported(), []);
      });

      it("waits for as long as a busy log says", async () => {
        const log = await start({ kind });
        const runtime = runtimeFor(log);
        log.treat = (_url, response) => {
          response.writeHead(429, { "retry-after": "600" }).end();
          return true;
        };
        await read(runtime);
        const { requests } = log;
        assert.equal(requests.length, 1);
        const waitMs = ((await state())?.due_at?.getTime() ?? 0) - app.clock.now().getTime();
        assert.ok(waitMs > 9 * minute && waitMs <= 10 * minute, `${waitMs}`);
        app.clock.advance(9 * minute);
        await read(runtime);
        assert.equal(requests.length, 1);
        app.clock.advance(minute);
        await read(runtime);
        assert.equal(requests.length, 2);
      });

      it("gives up on an answer without an end, and says that it is behind", async () => {
        const log = await start({ kind });
        const runtime = runtimeFor(log);
        log.treat = (_url, response) => {
          response.write("x".repeat(70_000));
          return true;
        };
        await read(runtime);
        app.clock.advance(2 * 60 * minute);
        const [health] = await listLogHealth(runtime);
        assert.ok(health && health.behindSeconds >= 7_200 && health.stopReason === null);
        assert.match(health.lastError ?? "", /too large/);
      });
    });
  }

  it("lets one worker read a log, and refuses what another writes late", async () => {
    const log = await start({ kind: "rfc6962" });
    const runtime = runtimeFor(log);
    await read(runtime);
    log.entries = [...madeEntries];
    app.clock.advance(2 * minute);
    const rows = dueLogs(runtime);
    const now = runtime.clock.now();
    const lease = () => rows.claim(runtime.clock.now(), new Date(now.getTime() + minute), 5, []);
    const [first] = await lease();
    assert.ok(first);
    assert.deepEqual(await lease(), [], "leased by the first");
    app.clock.advance(2 * minute);
    const [second] = await lease();
    assert.ok(second);
    const { signal } = new AbortController();
    const [listed] = runtime.config.ctLogs;
    assert.ok(listed);
    await readLeasedLog({ runtime, claims }, listed, first, signal);
    assert.equal((await state())?.position, "0");
    await readLeasedLog({ runtime, claims }, listed, second, signal);
    assert.equal((await state())?.position, String(madeEntries.length));
  });

  it("has a finding for two weeks, or until the key is ours", async () => {
    const log = await start({ kind: "static" });
    const runtime = runtimeFor(log);
    await read(runtime);
    const foreign = opensslEntry(["mine.example.com"]);
    log.entries = [foreign];
    await readAndReport(runtime);
    const id = ids.get("mine.example.com") ?? "";
    const hasFinding = async (): Promise<boolean> => {
      const { text } = await get(caller, `${id}/diagnosis`);
      return text.includes('"certificate_foreign"');
    };
    assert.ok(await hasFinding());
    const timeline = (await get(caller, `${id}/events?kind=certificate`)).json();
    const [entry, ...others] = timeline["data"] as { details: Record<string, unknown> }[];
    assert.partialDeepStrictEqual(entry?.details, {
      outcome: "foreign",
      names: ["mine.example.com"],
      log: "Log (static)",
    });
    assert.deepEqual(others, []);
    const key = "insert into certificate_keys (sha256, created_at) values ($1, now())";
    await session.query(key, [chainKeyHash(foreign.pem)]);
    assert.ok(!(await hasFinding()));
    await session.query("delete from certificate_keys");
    assert.ok(await hasFinding());
    app.clock.advance(15 * day);
    assert.ok(!(await hasFinding()));
  });
});
