import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, afterEach, before, beforeEach, describe, it } from "node:test";
import {
  createMovableClock,
  type EdgeDatabase,
  openEdgeDatabase,
  silent,
} from "@mooring/testing/edge/edge-database";
import { createTestVault } from "@mooring/testing/edge/issuing";
import { openPool } from "../db/pool.ts";
import { createPostgresKeys } from "../feed/postgres/keys.ts";
import type { Host } from "../hosts/host.ts";
import { type Asserter, startAsserter } from "./asserter.ts";
import { createKeySnapshot } from "./signing-keys.ts";

const hour = 3_600_000;
const day = 24 * hour;

const host: Host = {
  hostname: "shop.acme.example",
  epoch: 1,
  environment: "live",
  connectionId: "connection",
  applicationId: "application",
  tenantId: "tenant",
  registrableDomain: "acme.example",
  customerRef: "customer-42",
  own: null,
};

describe("what signs for origins", () => {
  let database: EdgeDatabase;
  let clock = createMovableClock();
  let directory = "";
  const vault = createTestVault();
  const running: Asserter[] = [];

  before(async () => {
    database = await openEdgeDatabase();
  });
  beforeEach(async () => {
    clock = createMovableClock();
    directory = mkdtempSync(path.join(tmpdir(), "asserter-"));
    await database.admin.query("delete from signing_keys");
  });
  afterEach(() => {
    for (const one of running.splice(0)) one.stop();
  });
  after(() => database.close());

  async function start(changes: { readonly pool?: EdgeDatabase["pool"] } = {}): Promise<Asserter> {
    const snapshot = createKeySnapshot(directory, silent);
    const issuer = "https://api.example.com";
    const { pool = database.pool } = changes;
    const keys = createPostgresKeys({ pool, vault, clock });
    const parts = { keys, vault, clock, log: silent, snapshot, issuer };
    const started = await startAsserter(parts);
    running.push(started);
    return started;
  }

  function partOf(token: string | null, index: 0 | 1): Record<string, unknown> {
    const text = Buffer.from(token?.split(".")[index] ?? "", "base64url").toString();
    return JSON.parse(text) as Record<string, unknown>;
  }
  const keyIdOf = (token: string | null) => partOf(token, 0)["kid"];

  it("names host, application, customer and environment in one minute, and nothing else", async () => {
    const asserter = await start();
    const token = asserter.sign(host);
    const { iat, ...rest } = partOf(token, 1);
    assert.deepEqual(rest, {
      iss: "https://api.example.com",
      aud: "application",
      host: "shop.acme.example",
      app: "application",
      cus: "customer-42",
      env: "live",
      exp: Number(iat) + 90,
    });
    assert.equal(Number(iat) % 60, 0);
    assert.equal(partOf(token, 0)["typ"], "svc-assertion+jwt");
    const { customerRef: _, ...nobodys } = host;
    assert.equal(partOf(asserter.sign(nobodys), 1)["cus"], null);
  });

  it("signs once per minute, and again for a host that changed", async () => {
    const asserter = await start();
    clock.advance(60_000 - (clock.now().getTime() % 60_000));
    const token = asserter.sign(host);
    clock.advance(59_000);
    assert.equal(asserter.sign(host), token);
    const moved = { ...host, applicationId: "another" };
    assert.equal(partOf(asserter.sign(moved), 1)["aud"], "another");
    clock.advance(1_000);
    const next = asserter.sign(host);
    assert.equal(Number(partOf(next, 1)["iat"]), Number(partOf(token, 1)["iat"]) + 60);
    clock.advance(-3_600_000);
    assert.ok(Number(partOf(asserter.sign(host), 1)["iat"]) < Number(partOf(token, 1)["iat"]));
  });

  it("has one first key, however many edges start at once", async () => {
    const many = await Promise.all(Array.from({ length: 6 }, () => start()));
    assert.equal(new Set(many.map((one) => keyIdOf(one.sign(host)))).size, 1);
    const { rows } = await database.admin.query("select from signing_keys");
    assert.equal(rows.length, 1);
  });

  it("makes a successor after 90 days, and signs with it once it has been published for an hour", async () => {
    const asserter = await start();
    const first = keyIdOf(asserter.sign(host));
    clock.advance(90 * day);
    await asserter.refresh();
    assert.equal(keyIdOf(asserter.sign(host)), first);
    clock.advance(hour);
    await asserter.refresh();
    const second = keyIdOf(asserter.sign(host));
    assert.notEqual(second, first);
    const { rows } = await database.admin.query("select from signing_keys");
    assert.equal(rows.length, 2);
  });

  it("stops using a retired key at once and continues with a new one", async () => {
    const asserter = await start();
    const leaked = keyIdOf(asserter.sign(host));
    await database.admin.query("update signing_keys set retired_at = now()");
    await asserter.refresh();
    assert.notEqual(keyIdOf(asserter.sign(host)), leaked);
  });

  it("continues without the database, and starts without it from the sealed snapshot", async () => {
    const unreachable = openPool("postgres://user@127.0.0.1:1/none", () => undefined);
    const none = await start({ pool: unreachable });
    assert.equal(none.sign(host), null, "there is no snapshot yet");
    const first = await start();
    const keyId = keyIdOf(first.sign(host));
    const second = await start({ pool: unreachable });
    assert.equal(keyIdOf(second.sign(host)), keyId);
    await second.refresh();
    assert.equal(keyIdOf(second.sign(host)), keyId);
    const file = path.join(directory, "assertion-keys.json");
    assert.equal(statSync(file).mode & 0o777, 0o600);
    const [row] = JSON.parse(readFileSync(file, "utf8")) as { sealed: string }[];
    assert.match(row?.sealed ?? "", /^v1\./);
    assert.doesNotMatch(readFileSync(file, "utf8"), /"d":|PRIVATE/);
    await unreachable.end();
  });

  it("neither sees nor makes a key of widget tokens", async () => {
    await database.admin.query(
      `insert into signing_keys (id, purpose, public_jwk, sealed, created_at)
       values ('w', 'widget', '{}', 'sealed', now())`,
    );
    const seen = await database.pool.query("select id from signing_keys");
    assert.deepEqual(seen.rows, []);
    await assert.rejects(
      database.pool.query(
        `insert into signing_keys (id, purpose, public_jwk, sealed, created_at)
         values ('x', 'widget', '{}', 'sealed', now())`,
      ),
      /row-level security/,
    );
    await assert.rejects(database.pool.query("delete from signing_keys"), /permission denied/);
  });
});
