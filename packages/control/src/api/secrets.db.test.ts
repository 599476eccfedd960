import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { after, before, describe, it } from "node:test";
import { startTestApp, type TestApp } from "@mooring/testing/control/app";
import { type Answer, type Call, call, textOf } from "@mooring/testing/control/http";
import { sampledRoutes, sampleRequest } from "@mooring/testing/control/routes/route-samples";
import {
  keyWith,
  makeSides,
  mintToken,
  type Sides,
  type World,
  withoutLimits,
} from "@mooring/testing/control/world";
import { recordPromise } from "@mooring/testing/processes/soak";
import { createVault, generateRootKey, parseRootKeys, VaultError } from "@mooring/vault";
import pg from "pg";
import { generateApiKey } from "../domain/applications/api-key.ts";
import { scopes } from "../domain/tenancy.ts";
import { credentialContext } from "../services/credentials/credentials.ts";
import { signingKeyContext } from "../services/operator/signing-keys.ts";

const keyLength = 16;

/** Secrets to search for, in every encoding in which they could be stored by mistake. */
class Watch {
  readonly secrets: string[] = [];
  /** Spellings by their first characters, so that one pass over a text finds them all. */
  readonly #byStart = new Map<string, { readonly spelling: string; readonly secret: string }[]>();

  add(secret: string): string {
    this.secrets.push(secret);
    for (const spelling of spellings(secret)) {
      const start = spelling.slice(0, keyLength);
      this.#byStart.set(start, [...(this.#byStart.get(start) ?? []), { spelling, secret }]);
    }
    return secret;
  }

  fresh(): string {
    return this.add(`canary${randomBytes(12).toString("hex")}`);
  }

  /** The secrets in a text, plain, in hexadecimal or in base64 at any alignment. */
  foundIn(text: string): string[] {
    const found = new Set<string>();
    for (let at = 0; at + keyLength <= text.length; at += 1) {
      for (const one of this.#byStart.get(text.slice(at, at + keyLength)) ?? []) {
        if (text.startsWith(one.spelling, at)) found.add(one.secret);
      }
    }
    return [...found];
  }
}

function spellings(secret: string): string[] {
  const bytes = Buffer.from(secret);
  // Whole base64 groups of the middle, which any alignment shows.
  const aligned = [0, 1, 2].map((shift) =>
    bytes.subarray(shift, shift + Math.floor((bytes.length - shift) / 3) * 3).toString("base64"),
  );
  return [secret, bytes.toString("hex"), ...aligned];
}

describe("secrets", () => {
  let app: TestApp;
  let own: Sides;
  let foreign: Sides;
  let client: pg.Client;
  const watch = new Watch();
  const errors: string[] = [];
  const listings: string[] = [];

  before(async () => {
    app = await startTestApp(withoutLimits);
    own = await makeSides(app, "own");
    foreign = await makeSides(app, "foreign");
    client = new pg.Client({ connectionString: app.databaseUrl });
    await client.connect();
    for (const sides of [own, foreign]) {
      for (const world of [sides.test, sides.live]) watch.add(world.key);
    }
  });
  after(async () => {
    await client.end();
    await app.close();
  });

  async function send(path: string, options: Call): Promise<Answer> {
    const answer = await call(app.api.url, path, options);
    if (answer.status >= 400) errors.push(answer.text);
    return answer;
  }

  /** Every route with secrets where they belong, and where a confused client would put them. */
  async function sendEverywhere(world: World): Promise<void> {
    for (const one of sampledRoutes()) {
      const ready = one.sample.renew ? await one.sample.renew(app, world) : world;
      const { url, method, body } = sampleRequest(one.route, one.sample.request(ready));
      const plain = { method, key: world.key, ...(body === undefined ? {} : { body }) };
      const good = await send(url, plain);
      noteAnswer(good);
      await sendConfused(url, plain);
    }
    await send(`/v1/applications/${watch.fresh()}`, { key: world.key });
    await send(`/v1/${watch.fresh()}`, { key: world.key });
    await send(`/v1/applications/${"%zz"}${watch.fresh()}`, { key: world.key });
  }

  /** A secret may be in the answer that makes it; from then on it may be nowhere. */
  function noteAnswer(answer: Answer): void {
    const shown = /"(?:signing_secret|secret|auth_token)":"([^"]+)"/.exec(answer.text)?.[1];
    if (shown) watch.add(shown);
    else if (answer.status === 200) listings.push(answer.text);
  }

  async function sendConfused(url: string, plain: Call): Promise<void> {
    if (plain.method !== "GET") {
      await send(url, { ...plain, body: { ...Object(plain.body), unknown: watch.fresh() } });
      await send(url, { ...plain, body: [watch.fresh()] });
    }
    await send(`${url}${url.includes("?") ? "&" : "?"}token=${watch.fresh()}`, plain);
    await send(url, { ...plain, key: watch.add(generateApiKey("test")) });
    await send(url, { ...plain, key: watch.add(`x${generateApiKey("live").slice(1)}`) });
    await send(url, { ...plain, key: `eyJ${watch.fresh()}.${watch.fresh()}.${watch.fresh()}` });
    const headers = {
      cookie: `session=${watch.fresh()}`,
      "x-api-key": watch.fresh(),
      referer: `https://x.example/?key=${watch.fresh()}`,
      "user-agent": watch.fresh(),
      origin: `https://${watch.fresh()}.example`,
    };
    await send(url, { ...plain, headers });
    await send(url, { ...plain, headers: { authorization: `Basic ${watch.fresh()}` } });
  }

  async function storeCredentials(world: World): Promise<void> {
    const path = `/v1/applications/${world.applicationId}/credentials`;
    const store = (provider: string, fields: unknown) =>
      send(path, { key: world.key, body: { provider, name: "Stored", fields } });
    for (let count = 0; count < 30; count += 1) {
      const made = await store("cloudflare", { api_token: watch.fresh() });
      assert.equal(made.status, 201, made.text);
      await store("cloudflare", { wrong_field: watch.fresh() });
      await store("cloudflare", { api_token: [watch.fresh()] });
      await store("nobody", { api_token: watch.fresh() });
      await store("cloudflare", watch.fresh());
    }
    listings.push((await send(`${path}?limit=100`, { key: world.key })).text);
  }

  /** For an application and a connection, right, and where a client would put them by mistake. */
  async function protectPreviews(world: World): Promise<void> {
    const application = `/v1/applications/${world.applicationId}`;
    const connection = `/v1/connections/${world.connectionId}`;
    for (const path of [application, connection]) {
      const protect = (basic: unknown) =>
        send(path, { key: world.key, method: "PATCH", body: { edge: { basic_auth: basic } } });
      const set = await protect({ username: "preview", password: watch.fresh() });
      assert.equal(set.status, 200, set.text);
      await protect({ username: `a:${watch.fresh()}`, password: watch.fresh() });
      await protect({ username: "preview", password: [watch.fresh()], secret: watch.fresh() });
      listings.push((await send(path, { key: world.key })).text);
    }
  }

  async function makeKeysAndTokens(world: World): Promise<void> {
    for (let count = 0; count < 15; count += 1) {
      const { secret } = await keyWith(app, world, scopes);
      watch.add(secret);
      const token = watch.add(await mintToken(app, secret, world.applicationId, world.hostname));
      watch.add(token.split(".")[2] ?? "");
      await send("/v1/plans", { key: token });
      await send("/v1/plans", { key: token, headers: { origin: "https://evil.example" } });
      await send("/v1/plans", { key: secret });
    }
    const path = `/v1/applications/${world.applicationId}/keys?limit=100`;
    listings.push((await send(path, { key: world.key })).text);
  }

  async function dump(): Promise<string> {
    const { rows: tables } = await client.query<{ name: string }>(
      `select c.oid::regclass::text as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
       where c.relkind in ('r', 'p', 'm') and n.nspname not in ('pg_catalog', 'information_schema', 'pg_toast')`,
    );
    assert.ok(tables.length >= 11);
    const parts: string[] = [];
    for (const { name } of tables) {
      const { rows } = await client.query<{ line: string }>(
        `select t::text as line from ${name} t`,
      );
      parts.push(...rows.map((row) => `${name}: ${row.line}`));
    }
    return parts.join("\n");
  }

  it("sent through every route are in no table, log line, error, list or metric", async (context) => {
    for (const world of [own.test, foreign.live]) {
      await sendEverywhere(world);
      await storeCredentials(world);
      await protectPreviews(world);
      await makeKeysAndTokens(world);
    }
    context.diagnostic(`${watch.secrets.length} secrets, ${errors.length} errors`);
    assert.ok(watch.secrets.length >= 500);
    assert.ok(errors.length >= 300 && listings.length >= 10 && app.logLines.length >= 500);
    const stored = await dump();
    assert.ok(stored.includes("Stored"), "the dump holds what was written");
    assert.deepEqual(watch.foundIn(stored), [], "in the database");
    assert.deepEqual(watch.foundIn(app.logLines.join("\n")), [], "in the log");
    assert.deepEqual(watch.foundIn(errors.join("\n")), [], "in error answers");
    assert.deepEqual(watch.foundIn(listings.join("\n")), [], "in answers that list");
    const metrics = (await call(app.api.url, "/metrics")).text;
    assert.match(metrics, /mooring_http_request_seconds/);
    assert.deepEqual(watch.foundIn(metrics), [], "in the metrics");
    const result = "0 in a dump, the log, errors, answers that list, and metrics";
    recordPromise("G24", `${watch.secrets.length} canaries`, result);
  });

  it("would be found if they were there", () => {
    const [secret = ""] = watch.secrets;
    const text = (encoding: "hex" | "base64") => Buffer.from(`xy${secret}z`).toString(encoding);
    for (const leak of [`a ${secret} b`, text("hex"), text("base64")]) {
      assert.deepEqual(watch.foundIn(leak), [secret]);
    }
  });

  it("show at most their last four characters, and none of short ones", async () => {
    const path = `/v1/applications/${own.test.applicationId}/credentials`;
    for (const [api_token, last4] of [
      ["0123456789abcdef", "cdef"],
      ["0123456789a", ""],
    ]) {
      const body = { provider: "cloudflare", name: "x", fields: { api_token } };
      const made = await call(app.api.url, path, { key: own.test.key, body });
      assert.equal(textOf(made, "last4"), last4);
    }
  });

  it("leave no id, name or hostname in the metrics", async () => {
    const metrics = (await call(app.api.url, "/metrics")).text;
    assert.doesNotMatch(metrics, /[0-9a-f]{8}-[0-9a-f]{4}-/);
    for (const word of ["canary", "example.com", own.tenant.tenant.name, "evil"]) {
      assert.ok(!metrics.includes(`"${word}`) && !metrics.includes(`.${word}`), word);
    }
  });

  interface SealedRow {
    readonly id: string;
    readonly tenant_id: string;
    readonly sealed: string;
  }

  async function sealedCredentials(): Promise<SealedRow[]> {
    const { rows } = await client.query<SealedRow>(
      "select id, tenant_id, sealed from credentials where provider = 'cloudflare'",
    );
    assert.ok(rows.length >= 60);
    return rows;
  }

  it("open with the key in their own row, and in no other row", async () => {
    const { vault } = app.operator;
    const rows = await sealedCredentials();
    const open = (at: SealedRow, sealed: string) =>
      vault.open("dns_credential", credentialContext(at.tenant_id, at.id), sealed).toString();
    const opened = rows.map((row) => open(row, row.sealed));
    assert.ok(watch.foundIn(opened.join("\n")).length >= 60, "the right key opens them");
    for (const [index, row] of rows.entries()) {
      const other = rows[(index + 1) % rows.length];
      assert.ok(other);
      assert.throws(() => open(row, other.sealed), VaultError);
      const moved = { ...row, tenant_id: foreign.tenant.tenant.id };
      if (moved.tenant_id !== row.tenant_id)
        assert.throws(() => open(moved, row.sealed), VaultError);
    }
  });

  it("do not open without the key, whatever else was taken", async () => {
    const thief = createVault(parseRootKeys(generateRootKey()));
    for (const row of await sealedCredentials()) {
      const associated = credentialContext(row.tenant_id, row.id);
      assert.throws(() => thief.open("dns_credential", associated, row.sealed), VaultError);
    }
    const { rows } = await client.query<SealedRow>("select id, sealed from signing_keys");
    assert.ok(rows.length > 0);
    for (const row of rows) {
      assert.throws(
        () => thief.open("token_signing", signingKeyContext(row.id), row.sealed),
        VaultError,
      );
      assert.doesNotMatch(row.sealed, /PRIVATE|"d"/);
    }
  });
});
