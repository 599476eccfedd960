import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { startTestApp, type TestApp } from "@mooring/testing/control/app";
import { type Answer, call, codeOf, textOf } from "@mooring/testing/control/http";
import { mintToken } from "@mooring/testing/control/world";
import pg from "pg";
import { languages } from "../../domain/locales/languages.ts";
import { statusTexts } from "../../domain/locales/status/texts.ts";
import { sweepStatusPages } from "../../services/share/status-links.ts";

const day = 86_400_000;
const origin = "http://10.20.30.40:9999";
const hostile = `<img src=x onerror=alert(1)>"'&`;

describe("a customer's status page", () => {
  let app: TestApp;
  let admin: pg.Client;
  let key = "";
  let liveKey = "";
  let foreignKey = "";
  let applicationId = "";

  const send = (path: string, body: object, as = key) => call(app.api.url, path, { key: as, body });
  const open = (path: string, headers: Readonly<Record<string, string>> = {}): Promise<Answer> =>
    call(app.api.url, path, { headers });
  const connect = async (hostname: string, customer_ref: string, as = key, to = applicationId) =>
    textOf(await send("/v1/connections", { application_id: to, hostname, customer_ref }, as), "id");
  const link = async (customer_ref: string, more: object = {}, as = key) => {
    const made = await send("/v1/status-links", { customer_ref, ...more }, as);
    assert.equal(made.status, 201, made.text);
    return { id: textOf(made, "id"), path: new URL(textOf(made, "url")).pathname, made };
  };
  const revoke = (id: string, as = key) =>
    call(app.api.url, `/v1/status-links/${id}`, { key: as, method: "DELETE" });
  const set = (id: string, columns: string) =>
    admin.query(`update connections set ${columns} where id = $1`, [id]);

  before(async () => {
    app = await startTestApp({ ORIGIN_ALLOW_PRIVATE: "true" });
    admin = new pg.Client({ connectionString: app.databaseUrl });
    await admin.connect();
    const { keys } = await app.tenant("Own Holding Ltd");
    ({ test: key, live: liveKey } = keys);
    foreignKey = (await app.tenant("Foreign")).keys.test;
    const made = await send("/v1/applications", { name: "Shop", origin_url: origin });
    applicationId = textOf(made, "id");
  });
  after(async () => {
    await admin.end();
    await app.close();
  });

  it("shows the customer's own domains, each with its word, next step, certificate and check", async () => {
    const first = await connect("a.seen.test", "acme/1");
    const second = await connect("b.seen.test", "acme/1");
    const third = await connect("c.seen.test", "acme/1");
    await connect("other.seen.test", "acme/2");
    await connect("nobody.seen.test", "acme");
    await set(first, "state = 'live', last_checked_at = '2026-11-01T10:00:00Z'");
    await set(second, "state = 'issuing_cert'");
    const finding = JSON.stringify({ code: "origin_unreachable", actor: "tenant", title: origin });
    await set(third, `state = 'live', finding = '${finding}'`);
    await admin.query(
      `insert into certificates (hostname, connection_id, tenant_id, environment, epoch, status, not_after, created_at, due_at)
       select hostname, id, tenant_id, environment, 1, 'issued', '2099-02-03T04:05:00Z', now(), now()
       from connections where id = $1`,
      [first],
    );
    const { path, made } = await link("acme/1");
    assert.match(textOf(made, "url"), /^http:\/\/api\.mooring\.example\/status\/[\w-]{43}$/);
    const page = await open(path);
    assert.equal(page.status, 200, page.text);
    const cards = page.text.split('<li class="record">').slice(1);
    assert.equal(cards.length, 3);
    assert.match(cards[0] ?? "", /a\.seen\.test[\s\S]*Live[\s\S]*everything is right/);
    assert.match(cards[0] ?? "", /Valid until <time[^>]*>Feb 3, 2099[\s\S]*Nov 1, 2026/);
    assert.match(
      cards[1] ?? "",
      /Issuing certificate[\s\S]*continues by itself[\s\S]*None yet[\s\S]*Not yet/,
    );
    assert.match(cards[2] ?? "", /Shop is taking care of it/);
    // Nothing of another customer, of the tenant, or of its servers.
    for (const secret of [
      "other.seen",
      "nobody.seen",
      "acme/",
      "Holding",
      "10.20.30.40",
      applicationId,
      first,
    ]) {
      assert.ok(!page.text.includes(secret), secret);
    }
  });

  it("calls a name that waits for its switch ready, whatever its checks say", async () => {
    for (const state of ["verified", "propagating", "stalled"]) {
      const id = await connect(`${state}.ready.test`, `ready-${state}`);
      await set(id, `state = '${state}', cutover = '{"status":"ready"}'`);
      const { path } = await link(`ready-${state}`);
      const page = await open(path);
      assert.match(page.text, /Ready to switch[\s\S]*Switch when it suits you/, state);
    }
  });

  it("leads to the records of a domain that waits for the customer, and to no other name", async () => {
    const id = await connect("shop.steps.test", "steps");
    await connect("shop.foreign-steps.test", "another");
    const { path } = await link("steps");
    await call(app.api.url, `/v1/connections/${id}/diagnosis`, { key });
    const page = await open(path);
    assert.match(page.text, /For you to do:<\/strong> [^<{]*not there yet</);
    const [, href = ""] = /href="([^"]*shop\.steps\.test[^"]*)"/.exec(page.text) ?? [];
    const at = new URL(href, `${app.api.url}${path}`);
    const detail = await open(at.pathname);
    assert.equal(detail.status, 200);
    assert.match(detail.text, /Connect shop\.steps\.test to Shop/);
    assert.match(detail.text, new RegExp(`href="\\.\\./${path.split("/").at(-1)}\\?lang=en"`));
    const file = await open(`${at.pathname}/zone.txt`);
    assert.match(file.text, /^shop\.steps\.test\..*CNAME/m);
    const style = /href="([^"]*share\.css)"/.exec(detail.text)?.[1] ?? "";
    assert.equal(new URL(style, `${app.api.url}${at.pathname}`).pathname, "/share/share.css");
    for (const name of ["shop.foreign-steps.test", "%2e%2e", "x".repeat(300), "%00"]) {
      assert.equal((await open(`${path}/${name}`)).status, 404, name);
    }
  });

  it("is not stored anywhere, shown to nobody else and framed by nobody", async () => {
    await connect("a.headers.test", "headers");
    const { path } = await link("headers");
    const { headers } = await open(path);
    assert.equal(headers.get("cache-control"), "no-store");
    assert.equal(headers.get("referrer-policy"), "no-referrer");
    assert.match(headers.get("x-robots-tag") ?? "", /noindex/);
    const policy = headers.get("content-security-policy") ?? "";
    assert.match(policy, /default-src 'none'.*frame-ancestors 'none'/);
    assert.doesNotMatch(policy, /script-src|unsafe/);
    const token = path.split("/").at(-1) ?? "";
    assert.ok(!app.logLines.some((line) => line.includes(token)));
    const { rows } = await admin.query("select * from status_links");
    assert.ok(!JSON.stringify(rows).includes(token));
  });

  it("is the same page for a wrong, a revoked and an expired link, of any kind", async () => {
    const id = await connect("a.ended.test", "ended");
    const { path, id: linkId } = await link("ended");
    const short = await link("ended", { expires_in_days: 1 });
    const shared = await call(app.api.url, `/v1/connections/${id}/share`, { key, method: "POST" });
    const never = await open(`/status/${"A".repeat(43)}`);
    assert.equal(never.status, 404);
    assert.match(never.text, /no longer valid/);
    assert.doesNotMatch(never.text, /ended|Shop/);
    assert.equal((await revoke(linkId)).status, 204);
    assert.equal((await revoke(linkId)).status, 404);
    app.clock.advance(day);
    const token = new URL(textOf(shared, "url")).pathname.split("/").at(-1);
    for (const ended of [path, short.path, "/status/x", `/status/${token}`]) {
      const answer = await open(ended);
      assert.deepEqual([answer.status, answer.text], [404, never.text], ended);
    }
    for (const ended of [
      `${path}/a.ended.test`,
      `${path}/brand.css`,
      `${path}/a.ended.test/zone.txt`,
    ]) {
      const { status, text } = await open(ended);
      assert.equal(status, 404, ended);
      assert.doesNotMatch(text, /a\.ended\.test/);
    }
    await sweepStatusPages(app.operator);
    const { rows } = await admin.query("select 1 from status_links where id = $1", [short.id]);
    assert.deepEqual(rows, []);
  });

  it("is made, listed and revoked within one tenant and environment only, and by no widget", async () => {
    await connect("a.scope.test", "scope");
    const { id } = await link("scope");
    const query = "/v1/status-links?customer_ref=scope";
    const own = await call(app.api.url, query, { key });
    assert.deepEqual(
      (own.json()["data"] as readonly { id: string }[]).map((one) => one.id),
      [id],
    );
    assert.doesNotMatch(own.text, /\/status\//);
    for (const other of [foreignKey, liveKey]) {
      assert.deepEqual((await call(app.api.url, query, { key: other })).json()["data"], []);
      assert.equal((await revoke(id, other)).status, 404);
      const made = await send("/v1/status-links", { customer_ref: "scope" }, other);
      assert.deepEqual([made.status, codeOf(made)], [404, "not_found"]);
    }
    const foreign = textOf(await send("/v1/applications", { name: "F" }, foreignKey), "id");
    await connect("same.scope.test", "scope", foreignKey, foreign);
    const page = await open((await link("scope", {}, foreignKey)).path);
    assert.doesNotMatch(page.text, /a\.scope\.test/);
    assert.match(page.text, /same\.scope\.test/);
    const widget = await mintToken(app, key, applicationId);
    assert.equal((await send("/v1/status-links", { customer_ref: "scope" }, widget)).status, 403);
  });

  it("asks which application is meant where there are several, and shows that one", async () => {
    const second = textOf(await send("/v1/applications", { name: "Blog" }), "id");
    await connect("a.both.test", "both");
    await connect("b.both.test", "both", key, second);
    const unnamed = await send("/v1/status-links", { customer_ref: "both" });
    assert.deepEqual([unnamed.status, codeOf(unnamed)], [400, "invalid"]);
    const page = await open((await link("both", { application_id: second })).path);
    assert.match(page.text, /Your domains at Blog[\s\S]*b\.both\.test/);
    assert.doesNotMatch(page.text, /a\.both\.test/);
    const bad = await send("/v1/status-links", { customer_ref: "both", expires_in_days: 366 });
    assert.equal(bad.status, 400);
  });

  it("is written in seven languages, and shows a hostile brand and reference as text", async () => {
    const brand = {
      name: hostile.slice(0, 60),
      color: "#aa3300",
      support_url: "https://help.example/",
    };
    const made = await send("/v1/applications", { name: hostile, brand });
    assert.equal(made.status, 201, made.text);
    const id = await connect("münchen.words.test", hostile, key, textOf(made, "id"));
    const finding = { code: "record_mismatch", actor: "end_customer", title: hostile };
    await set(
      id,
      `finding = '${JSON.stringify({ ...finding, params: { name: hostile } }).replaceAll("'", "''")}'`,
    );
    const { path } = await link(hostile);
    for (const language of languages) {
      const { text, headers } = await open(`${path}?lang=${language}`);
      assert.equal(headers.get("content-language"), language);
      assert.ok(
        text.includes(`<html lang="${language}" dir="${language === "ar" ? "rtl" : "ltr"}">`),
      );
      assert.ok(text.includes(statusTexts[language].lede));
      assert.doesNotMatch(text, /<img|onerror=alert\(1\)>|\{\w+\}/);
      assert.match(text, /münchen\.words\.test/);
    }
    const asked = await open(path, { "accept-language": "ja;q=0.9, xx" });
    assert.equal(asked.headers.get("content-language"), "ja");
    assert.match((await open(`${path}/brand.css`)).text, /--brand: #aa3300/);
  });
});
