import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, before, describe, it } from "node:test";
import { hurry, openSession, readState } from "@mooring/testing/clients/connecting";
import { goodSettings, txt } from "@mooring/testing/control/domain-connect";
import {
  type DomainConnectApp,
  freshHostname,
  startDomainConnectApp,
} from "@mooring/testing/control/domain-connect-app";
import { call } from "@mooring/testing/control/http";
import { until } from "@mooring/testing/processes/until";
import type pg from "pg";
import { type RunningWorkers, startWorker } from "../../process/start-worker.ts";

interface World {
  readonly one: DomainConnectApp;
  readonly session: pg.Client;
  reach(id: string, state: string): Promise<void>;
  close(): Promise<void>;
}

async function startWorld(env: Readonly<Record<string, string>> = {}): Promise<World> {
  const one = await startDomainConnectApp(env);
  const { resolver, egress } = one.provider;
  const { clock, config, operator, databaseUrl } = one.app;
  const parts = { clock, log: operator.log, resolver, egress };
  const worker: RunningWorkers = await startWorker(config, parts);
  const session = await openSession(databaseUrl);
  await one.makeKey();
  await one.deploy();
  return {
    one,
    session,
    reach: (id, state) =>
      until(async () => {
        if ((await readState(session, id)) === state) return true;
        await hurry(session);
        return false;
      }, state),
    async close() {
      await worker.close();
      await session.end();
      await one.close();
    },
  };
}

describe("a connection through Domain Connect", () => {
  let world: World;
  before(async () => {
    world = await startWorld();
  });
  after(() => world.close());

  it("is automatic when the provider offers it, in the check and in the connection", async () => {
    const { one } = world;
    const hostname = freshHostname();
    const { url } = one.app.api;
    const body = { domain: hostname, application_id: one.applicationId };
    const check = await call(url, "/v1/domains:check", { key: one.key, body });
    assert.equal(check.json()["setup_type"], "automatic");
    assert.equal(check.json()["domain_connect"], true);
    const made = await call(url, `/v1/connections/${await one.connect(hostname)}`, {
      key: one.key,
    });
    assert.equal(made.json()["setup_type"], "automatic");
  });

  it("passes verified when DNS has the ownership record and the desired records", async () => {
    const { one, reach, session } = world;
    const id = await one.connect(freshHostname());
    const back = one.provider.consent(await one.link(id));
    assert.equal((await one.visit(back)).status, 200);
    await reach(id, "issuing_cert");
    const { rows } = await session.query<{ to_state: string }>(
      "select to_state from timeline where connection_id = $1 and kind = 'state' order by created_at, id",
      [id],
    );
    assert.deepEqual(
      rows.map(({ to_state }) => to_state),
      ["pending_ownership", "verified", "propagating", "issuing_cert"],
    );
  });

  it("does not change state when a customer returns without having set anything", async () => {
    const { one, session } = world;
    const id = await one.connect(freshHostname());
    const link = new URL(await one.link(id));
    assert.equal((await one.visit(link.searchParams.get("redirect_uri") ?? "")).status, 200);
    await until(async () => {
      await hurry(session);
      const { rows } = await session.query<{ checks: number }>(
        "select checks from connections where id = $1",
        [id],
      );
      return (rows[0]?.checks ?? 0) > 0;
    }, "a check");
    assert.equal(await readState(session, id), "pending_ownership");
  });

  it("shows a customer who cancelled what remains to do", async () => {
    const { one } = world;
    const id = await one.connect(freshHostname());
    const link = new URL(await one.link(id));
    await one.visit(`${link.searchParams.get("redirect_uri")}?error=access_denied`);
    const answer = await call(one.app.api.url, `/v1/connections/${id}/diagnosis`, {
      key: one.key,
    });
    const { findings } = answer.json() as { findings: { code: string; fix: string }[] };
    const found = findings.find(({ code }) => code === "domain_connect_cancelled");
    assert.match(found?.fix ?? "", /DNS Example.*by hand/);
  });

  it("offers nothing that could not be started: without a key it is manual", async () => {
    const bare = await startDomainConnectApp();
    try {
      await bare.deploy();
      const body = { domain: freshHostname(), application_id: bare.applicationId };
      const check = () => call(bare.app.api.url, "/v1/domains:check", { key: bare.key, body });
      assert.equal((await check()).json()["domain_connect"], false);
      await bare.makeKey();
      assert.equal((await check()).json()["domain_connect"], true);
    } finally {
      await bare.close();
    }
  });

  it("uses the apex template, with addresses, at the top of a zone", async () => {
    const { one, reach } = world;
    const id = await one.connect("acme.example");
    const link = await one.link(id);
    assert.match(link, /services\/apex\/apply\?domain=acme\.example&redirect_uri/);
    await one.visit(one.provider.consent(link));
    await reach(id, "issuing_cert");
  });
});

describe("a connection through the asynchronous flow", () => {
  let world: World;
  let directory = "";
  before(async () => {
    directory = await mkdtemp(path.join(tmpdir(), "mooring-clients-"));
    const file = path.join(directory, "clients.json");
    const client = {
      provider_id: goodSettings.providerId,
      url_api: `${goodSettings.urlAPI}/`,
      client_id: "mooring-client",
      client_secret: "the-client-secret",
    };
    await writeFile(file, JSON.stringify([client]));
    world = await startWorld({ DOMAIN_CONNECT_CLIENTS_FILE: file });
    world.one.provider.state.settings["urlAsyncUX"] = "https://async.dns.example";
  });
  after(async () => {
    await world.close();
    await rm(directory, { recursive: true, force: true });
  });

  const granted = async (
    known?: string,
  ): Promise<{ readonly id: string; readonly status: number }> => {
    const { one } = world;
    const id = known ?? (await one.connect(freshHostname()));
    const answer = await one.start(id);
    assert.equal(answer.json()["mode"], "async", answer.text);
    const link = new URL(String(answer.json()["apply_url"]));
    const redirect = link.searchParams.get("redirect_uri");
    const state = link.searchParams.get("state");
    const { status } = await one.visit(`${redirect}?state=${state}&code=the-code`);
    return { id, status };
  };

  it("asks for consent by the client's name, without secret and without the state in the path", async () => {
    const { one } = world;
    const id = await one.connect(freshHostname());
    const link = new URL(await one.link(id));
    assert.equal(
      `${link.origin}${link.pathname}`,
      "https://async.dns.example/v2/domainTemplates/providers/mooring.example",
    );
    const { state, token, host, ...values } = Object.fromEntries(link.searchParams);
    assert.deepEqual(values, {
      domain: "acme.example",
      client_id: "mooring-client",
      redirect_uri: "https://connect.mooring.example/v1/connect/domain-connect/return",
      response_type: "code",
      scope: "sub",
    });
    assert.ok(state && token && host);
  });

  it("stores the grant sealed, applies it, and reverts it at the provider", async () => {
    const { one, session, reach } = world;
    const { id, status } = await granted();
    assert.equal(status, 200);
    await reach(id, "issuing_cert");
    const { rows } = await session.query<{ row: string }>(
      "select row_to_json(g)::text as row from domain_connect_grants g where connection_id = $1",
      [id],
    );
    assert.ok(rows[0]);
    assert.doesNotMatch(rows[0].row, /at-secret|rt-secret/);
    const called = one.provider.state.calls.map(({ path: at }) => at.replace(/^.*\//, ""));
    assert.deepEqual(called, ["access_token", "apply"]);
    const { rows: audited } = await session.query<{ action: string }>(
      "select action from audit_log where subject = $1 order by at, id",
      [`domain_connect_grant:${id}`],
    );
    assert.deepEqual(
      audited.map(({ action }) => action),
      ["domain_connect_grant.create", "domain_connect_grant.open"],
    );
    const at = `/v1/connections/${id}/records:revert`;
    const revert = (body: object) => call(one.app.api.url, at, { key: one.key, body });
    const dry = await revert({ dry_run: true });
    assert.equal(dry.status, 200, dry.text);
    assert.equal(dry.json()["applied"], false);
    const done = await revert({});
    assert.equal(done.json()["applied"], true, done.text);
    assert.equal(done.json()["provider"], "dns.example");
    assert.match(one.provider.state.calls.at(-1)?.path ?? "", /services\/sub\/revert$/);
    const { rowCount } = await session.query("select 1 from domain_connect_grants");
    assert.equal(rowCount, 0);
    const log = one.app.logLines.join("\n");
    assert.doesNotMatch(log, /at-secret|rt-secret|the-client-secret|the-code/);
  });

  it("is used after ownership was proven by hand", async () => {
    const { one, session, reach } = world;
    const hostname = freshHostname();
    const id = await one.connect(hostname);
    const { rows } = await session.query<{ challenge: string }>(
      "select challenge from connections where id = $1",
      [id],
    );
    one.provider.zone.push(txt(`_service-challenge.${hostname}`, rows[0]?.challenge ?? ""));
    await reach(id, "propagating");
    assert.equal((await granted(id)).status, 200);
    await reach(id, "issuing_cert");
  });

  it("is reverted when the connection is deleted with revert_dns", async () => {
    const { one, reach } = world;
    const { id } = await granted();
    await reach(id, "issuing_cert");
    const at = `/v1/connections/${id}?revert_dns=true`;
    const gone = await call(one.app.api.url, at, { key: one.key, method: "DELETE" });
    assert.equal(gone.status, 200, gone.text);
    assert.match(one.provider.state.calls.at(-1)?.path ?? "", /\/revert$/);
  });

  it("reports a refused code, and leaves the manual setup", async () => {
    const { one, session } = world;
    one.provider.state.failure = { call: "access_token", status: 400 };
    const { id, status } = await granted();
    one.provider.state.failure = null;
    assert.equal(status, 200);
    const [last] = await one.timeline(id);
    assert.equal(last?.["outcome"], "failed");
    const { rowCount } = await session.query(
      "select 1 from domain_connect_grants where connection_id = $1",
      [id],
    );
    assert.equal(rowCount, 0);
  });

  it("becomes manual when the provider refuses to apply", async () => {
    const { one, session } = world;
    one.provider.state.failure = { call: "apply", status: 403 };
    const { id } = await granted();
    await until(async () => {
      await hurry(session);
      const { rows } = await session.query<{ setup_type: string }>(
        "select setup_type from connections where id = $1",
        [id],
      );
      return rows[0]?.setup_type === "manual";
    }, "the refusal");
    one.provider.state.failure = null;
    const { rowCount } = await session.query(
      "select 1 from domain_connect_grants where connection_id = $1",
      [id],
    );
    assert.equal(rowCount, 0);
  });

  it("never sends the secret to an API that a zone names instead of the configured one", async () => {
    const { one } = world;
    one.app.clock.advance(301_000);
    one.provider.state.settings["urlAPI"] = "https://api.evil.example";
    const id = await one.connect(freshHostname());
    const answer = await one.start(id);
    assert.equal(answer.json()["mode"], "sync", answer.text);
    const hosts = new Set(one.provider.state.calls.map(({ host }) => host));
    assert.deepEqual([...hosts], ["api.dns.example"]);
  });
});
