import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { openSession } from "@mooring/testing/clients/connecting";
import { goodSettings, zoneName } from "@mooring/testing/control/domain-connect";
import {
  type DomainConnectApp,
  freshHostname,
  startDomainConnectApp,
} from "@mooring/testing/control/domain-connect-app";
import { call, codeOf, textOf } from "@mooring/testing/control/http";
import { mintToken } from "@mooring/testing/control/world";
import { newCutover } from "../../domain/connections/cutover.ts";
import { activateKey, retireKey } from "./keys.ts";

const { signal } = new AbortController();

function parseReason(answer: { readonly text: string }): unknown {
  const { error } = JSON.parse(answer.text) as { error: { details: { reason: unknown } } };
  return error.details.reason;
}

describe("domain-connect:start", () => {
  let one: DomainConnectApp;
  before(async () => {
    one = await startDomainConnectApp();
    await one.makeKey();
    await one.deploy();
  });
  after(() => one.close());

  it("is refused while a cut-over is prepared: consent would move the name at once", async () => {
    const id = await one.connect(freshHostname());
    const session = await openSession(one.app.databaseUrl);
    const setMove = (status: string) =>
      session.query("update connections set cutover = $2 where id = $1", [
        id,
        JSON.stringify({ ...newCutover(null), status }),
      ]);
    await setMove("preparing");
    const early = await one.start(id);
    assert.deepEqual([early.status, codeOf(early)], [409, "conflict"]);
    await setMove("ready");
    assert.equal((await one.start(id)).status, 200);
    await session.end();
  });

  it("returns a link with our own values, signed by the key in DNS", async () => {
    const hostname = freshHostname();
    const id = await one.connect(hostname);
    const answer = await one.start(id);
    assert.equal(answer.status, 200, answer.text);
    const { apply_url, expires_at, ...rest } = answer.json();
    const size = { width: 700, height: 800 };
    assert.deepEqual(rest, {
      provider_name: "DNS Example",
      mode: "sync",
      ...size,
      covers: [id],
    });
    const leftMs = new Date(String(expires_at)).getTime() - one.app.clock.now().getTime();
    assert.ok(leftMs > 3_540_000 && leftMs <= 3_600_000, String(leftMs));
    const url = new URL(String(apply_url));
    const { state, redirect_uri, token, sig, ...values } = Object.fromEntries(url.searchParams);
    assert.equal(
      `${url.origin}${url.pathname}`,
      "https://consent.dns.example/v2/domainTemplates/providers/mooring.example/services/sub/apply",
    );
    assert.deepEqual(values, {
      domain: "acme.example",
      host: hostname.split(".")[0],
      key: "_dck1",
    });
    assert.equal(
      redirect_uri,
      `https://connect.mooring.example/v1/connect/domain-connect/return/${state}`,
    );
    const detail = await call(one.app.api.url, `/v1/connections/${id}`, { key: one.key });
    const { value } = detail.json()["ownership_challenge"] as { value: string };
    assert.equal(`service-verify=${token}`, value);
    assert.ok(String(apply_url).endsWith(`&sig=${encodeURIComponent(sig ?? "")}`));
    assert.ok(one.provider.isGood(String(apply_url)));
  });

  it("covers both names of a pair by one link where the provider has the template for both", async () => {
    const { applicationId: application_id, key } = one;
    const base = one.app.api.url;
    const body = { application_id, hostname: zoneName };
    const made = await call(base, "/v1/connections:pair", { key, body });
    assert.equal(made.status, 201, made.text);
    const [apex, www] = made.json()["connections"] as { id: string }[];
    assert.ok(apex !== undefined && www !== undefined);
    const answer = await one.start(www.id, { pair: true });
    assert.equal(answer.status, 200, answer.text);
    const { apply_url: link, covers } = answer.json();
    assert.deepEqual(covers, [www.id, apex.id]);
    assert.ok(one.provider.isGood(String(link)));
    await one.visit(String(new URL(String(link)).searchParams.get("redirect_uri")));
    for (const { id } of [apex, www]) assert.equal((await one.timeline(id)).length, 1);
    one.provider.state.templates.delete("pair");
    one.app.clock.advance(301_000);
    const alone = await one.start(www.id, { pair: true });
    assert.deepEqual(alone.json()["covers"], [www.id], "one name at a time");
    await one.deploy();
    const single = await one.connect(freshHostname());
    assert.equal((await one.start(single, { pair: true })).status, 409);
  });

  it("cannot be altered: a link with anything changed, added or removed is refused", async () => {
    const link = await one.link(await one.connect(freshHostname()));
    const query = link.slice(link.indexOf("?") + 1).split("&");
    const at = link.slice(0, link.indexOf("?"));
    const variants = query.flatMap((pair, index) => {
      const [name = "", value = ""] = pair.split("=");
      const others = query.toSpliced(index, 1);
      return [
        query.toSpliced(index, 1, `${name}=x${value}`),
        query.toSpliced(index, 1, `${name}=`),
        others,
        [...others.slice(0, -1), pair, ...others.slice(-1)],
      ];
    });
    variants.push(["evil=1", ...query], [...query, "host=other"], ["pointsTo=evil", ...query]);
    const altered = variants
      .map((parts) => parts.join("&"))
      .filter((one) => one !== query.join("&"));
    assert.ok(altered.length > 20);
    const moved = altered.filter((text) => one.provider.isGood(`${at}?${text}`));
    // `key` and `sig` may be anywhere: they are not part of the signed text.
    const unsigned = (text: string) => text.split("&").filter((pair) => !/^(key|sig)=/.test(pair));
    for (const text of moved) assert.deepEqual(unsigned(text), unsigned(query.join("&")));
  });

  it("refuses a redirect to an origin that the application does not list", async () => {
    const id = await one.connect(freshHostname());
    const refused = [
      "https://evil.example/",
      "https://app.shop.example.evil.example/",
      "https://app.shop.example@evil.example/",
      "https://user:pw@app.shop.example/",
      "https://app.shop.example:8443/",
      "http://app.shop.example/",
      "javascript:alert(1)//https://app.shop.example",
      "//app.shop.example/",
      "/done",
      "http://localhost:3000/",
      "https://connect.mooring.example.evil.example/",
    ];
    for (const redirect_uri of refused) {
      const answer = await one.start(id, { redirect_uri });
      assert.equal(answer.status, 400, `${redirect_uri}: ${answer.text}`);
    }
    for (const redirect_uri of [
      "https://app.shop.example/done?a=1#b",
      "https://connect.mooring.example/x",
    ]) {
      assert.equal((await one.start(id, { redirect_uri })).status, 200, redirect_uri);
    }
  });

  it("serves a widget token for its own connection, and no other", async () => {
    const { app, key, applicationId } = one;
    const hostname = freshHostname();
    const id = await one.connect(hostname);
    const bound = await mintToken(app, key, applicationId, hostname);
    assert.equal((await one.start(id, {}, { key: bound })).status, 200);
    const elsewhere = await mintToken(app, key, applicationId, freshHostname());
    assert.equal((await one.start(id, {}, { key: elsewhere })).status, 404);
    const made = await call(app.api.url, "/v1/applications", { key, body: { name: "Other" } });
    const otherToken = await mintToken(app, key, textOf(made, "id"));
    assert.equal((await one.start(id, {}, { key: otherToken })).status, 404);
  });

  it("says why it is not possible, and that the records can be added by hand", async () => {
    const { provider } = one;
    const { state } = provider;
    const cases: readonly (readonly [string, number, () => void])[] = [
      ["template_unsupported", 409, () => state.templates.clear()],
      ["no_sync_flow", 409, () => Object.assign(state.settings, { urlSyncUX: "" })],
      ["settings_invalid", 409, () => Object.assign(state, { settings: {} })],
      ["settings_unavailable", 502, () => Object.assign(state, { settingsStatus: 503 })],
      ["zone_not_found", 409, () => Object.assign(state, { settingsStatus: 404 })],
      ["no_record", 409, () => provider.zone.splice(0)],
    ];
    const zone = [...provider.zone];
    for (const [reason, status, change] of cases) {
      const id = await one.connect(freshHostname());
      // Cached offers expire after five minutes.
      one.app.clock.advance(301_000);
      change();
      const answer = await one.start(id);
      assert.equal(answer.status, status, `${reason}: ${answer.text}`);
      assert.equal(parseReason(answer), reason);
      assert.match(answer.text, /by hand/);
      assert.equal(codeOf(answer), status === 409 ? "conflict" : "provider_error");
    }
    one.app.clock.advance(301_000);
    provider.zone.push(...zone);
    provider.state.settings = { ...goodSettings };
    provider.state.settingsStatus = 200;
    await one.deploy();
  });

  it("refuses an archived connection, and one of another tenant", async () => {
    const id = await one.connect(freshHostname());
    const path = `/v1/connections/${id}`;
    await call(one.app.api.url, path, { key: one.key, method: "DELETE" });
    assert.equal((await one.start(id)).status, 409);
    const other = await one.app.tenant("Other");
    assert.equal((await one.start(id, {}, { key: other.keys.live })).status, 404);
  });

  it("logs neither state nor token, and audits who did it", async () => {
    const id = await one.connect(freshHostname());
    const link = new URL(await one.link(id));
    const log = one.app.logLines.join("\n");
    for (const name of ["state", "token", "sig"]) {
      assert.ok(!log.includes(link.searchParams.get(name) ?? "missing"), name);
    }
    const session = await openSession(one.app.databaseUrl);
    const { rows } = await session.query<{ actor: string; details: object }>(
      "select actor, details from audit_log where action = 'connection.domain_connect_start' and subject = $1",
      [`connection:${id}`],
    );
    await session.end();
    assert.match(rows[0]?.actor ?? "", /^key:/);
    assert.deepEqual(rows[0]?.details, {
      zone: "acme.example",
      provider: "DNS Example",
      mode: "sync",
      key: "_dck1",
    });
  });

  it("signs with a new key as soon as DNS has it, and not before", async () => {
    const id = await one.connect(freshHostname());
    const labelNow = async () => new URL(await one.link(id)).searchParams.get("key");
    const first = await labelNow();
    const second = await one.makeKey({ publish: false });
    assert.equal(await labelNow(), first);
    const { operator } = one.app;
    await activateKey(operator, second, signal);
    assert.equal(await labelNow(), second);
    await assert.rejects(retireKey(operator, second, { force: false }, signal), /signs the links/);
    await retireKey(operator, second, { force: true }, signal);
    assert.equal(await labelNow(), first);
    const third = await one.makeKey();
    assert.equal(await labelNow(), third);
    const link = await one.link(id);
    assert.ok(one.provider.isGood(link));
    // The previous key still verifies its signatures until its records are removed from DNS.
    assert.equal((await retireKey(operator, first ?? "", { force: false }, signal)).use, "retired");
  });
});

describe("domain-connect:start without its prerequisites", () => {
  it("needs https, and a key that is in use", async () => {
    const plain = await startDomainConnectApp({ BASE_URL: "http://connect.mooring.example" });
    const bare = await startDomainConnectApp();
    try {
      assert.equal(
        parseReason(await plain.start(await plain.connect(freshHostname()))),
        "no_https",
      );
      const id = await bare.connect(freshHostname());
      assert.equal(parseReason(await bare.start(id)), "no_key");
      await bare.makeKey({ publish: false });
      assert.equal(parseReason(await bare.start(id)), "no_key");
    } finally {
      await plain.close();
      await bare.close();
    }
  });
});
