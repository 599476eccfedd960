import assert from "node:assert/strict";
import type { IncomingMessage } from "node:http";
import { after, afterEach, before, beforeEach, describe, it } from "node:test";
import {
  type Caller,
  connect as connectName,
  openCaller,
} from "@mooring/testing/clients/connecting";
import { startTestApp, type TestApp } from "@mooring/testing/control/app";
import { type Answer, call, textOf } from "@mooring/testing/control/http";
import {
  type Answering,
  domainAnswer,
  type Registry,
  startRegistry,
} from "@mooring/testing/control/rdap-registry";
import pg from "pg";
import type { Runtime } from "../runtime.ts";
import { createBootstrapSource, refreshBootstrap, shippedBootstrap } from "./bootstrap.ts";
import {
  checkLeasedRegistration,
  type DueRegistration,
  dueRegistrations,
  emptyCounts,
} from "./check.ts";
import { enrolDomains } from "./enrol.ts";

const second = 1_000;
const day = 86_400 * second;

describe("registrations", () => {
  let app: TestApp;
  let client: pg.Client;
  let registry: Registry;
  let other: Registry;
  let key: string;
  let caller: Caller;
  let runtime: Runtime;
  let at = new Date(0);
  let published = 0;
  let names = 0;

  before(async () => {
    [registry, other] = await Promise.all([startRegistry(), startRegistry()]);
    app = await startTestApp({ RDAP: "on", RDAP_RATE: "2", EGRESS_ALLOW: "127.0.0.0/8" });
    client = new pg.Client({ connectionString: app.databaseUrl });
    await client.connect();
    at = new Date(Math.floor(app.clock.now().getTime() / second) * second);
    runtime = { ...app.operator, clock: { now } };
    key = (await app.tenant("Acme")).keys.test;
    caller = await openCaller(app.api.url, key);
  });
  after(async () => {
    registry.close();
    other.close();
    await client.end();
    await app.close();
  });
  beforeEach(async () => {
    await install({ test: registry.url });
  });
  afterEach(async () => {
    registry.asked.length = 0;
    other.asked.length = 0;
    await client.query(
      "truncate registrations, registered_names, rdap_servers; update registration_scan set after_id = null, started_at = null",
    );
    await client.query("update connections set state = 'archived', archived_at = now()");
  });

  /** The workers' clock stands still unless it is moved; the API's goes with it. */
  const now = (): Date => at;
  const advance = (ms: number): void => {
    at = new Date(at.getTime() + ms);
    app.clock.advance(ms);
  };

  const checks = { bootstrap: createBootstrapSource(), counts: emptyCounts() };
  const signal = new AbortController().signal;

  /** A bootstrap file with these servers, newer than those before. */
  async function install(servers: Readonly<Record<string, string>>): Promise<number> {
    published += 1;
    const publication = new Date(Date.UTC(2027, 0, 1) + published * second).toISOString();
    const services = Object.entries(servers).map(([suffix, url]) => [[suffix], [url]]);
    const text = JSON.stringify({ version: "1.0", publication, services });
    return (await refreshBootstrap(runtime, text)).woken;
  }

  const fresh = (): string => {
    names += 1;
    return `acme-${names}.test`;
  };
  const get = (path: string): Promise<Answer> => call(app.api.url, path, { key });
  const connect = async (hostname: string): Promise<string> =>
    (await connectName(caller, hostname)).id;
  const registrationOf = async (id: string): Promise<unknown> =>
    (await get(`/v1/connections/${id}`)).json()["registration"];
  async function events(id: string): Promise<readonly Record<string, unknown>[]> {
    const { rows } = await client.query<{ body: string }>(
      "select body from events where connection_id = $1 and type = 'domain.expiring' order by sequence",
      [id],
    );
    return rows.map(({ body }) => JSON.parse(body) as Record<string, unknown>);
  }

  const claim = (): Promise<readonly DueRegistration[]> => {
    const until = new Date(now().getTime() + 30 * second);
    return dueRegistrations(runtime).claim(now(), until, 1_000, []);
  };
  /** What workers do at this time. */
  async function work(): Promise<void> {
    await enrolDomains(runtime);
    for (const row of await claim()) {
      await checkLeasedRegistration(runtime, checks, row, signal);
    }
  }
  const ago = (ms: number): Date => new Date(now().getTime() + ms);

  it("are asked for once a day and domain, however many names are below it", async () => {
    const domain = fresh();
    const end = ago(400 * day);
    registry.behave(domainAnswer(end, { status: ["client hold", "active"] }));
    const ids = await Promise.all(
      ["", "www.", "shop.", "a.b."].map((at) => connect(`${at}${domain}`)),
    );
    assert.equal(await registrationOf(ids[0] ?? ""), null);
    await work();
    await work();
    assert.deepEqual(registry.asked, [`/domain/${domain}`]);
    const checkedAt = now();
    for (const id of ids) {
      assert.deepEqual(await registrationOf(id), {
        expires_at: end.toISOString(),
        status: ["clientHold", "active"],
        registrar: null,
        checked_at: checkedAt.toISOString(),
      });
    }
    for (let step = 0; step < 40; step += 1) {
      advance(day / 8);
      await work();
    }
    const days = registry.asked.length - 1;
    assert.ok(days === 5 || days === 4, String(days));
    const diagnosis = await get(`/v1/connections/${ids[0]}/diagnosis`);
    assert.match(diagnosis.text, /"code":"registration_on_hold"/);
  });

  it("are not asked for where no server is known, until a file names one", async () => {
    const domain = fresh();
    const id = await connect(`shop.${domain}`);
    await install({ example: registry.url });
    await work();
    advance(3 * day);
    await work();
    assert.deepEqual(registry.asked, []);
    assert.equal(await registrationOf(id), null);
    registry.behave(domainAnswer(ago(100 * day)));
    assert.equal(await install({ test: registry.url }), 1);
    await work();
    assert.deepEqual(registry.asked, [`/domain/${domain}`]);
  });

  it("are null when the registry says nothing, and never trouble", async () => {
    const huge = `{"objectClassName":"domain","x":"${"x".repeat(300 * 1024)}"}`;
    const nobody: readonly (readonly [string, Answering])[] = [
      ["404", (_, response) => void response.writeHead(404).end()],
      ["500", (_, response) => void response.writeHead(500).end("{}")],
      ["broken JSON", (_, response) => void response.end('{"objectClassName":')],
      ["more than 256 KB", (_, response) => void response.end(huge)],
      ["a connection that ends", (request) => void request.socket.destroy()],
      [
        "another name",
        (_, response) => void response.end('{"objectClassName":"domain","ldhName":"x.test"}'),
      ],
    ];
    for (const [what, answer] of nobody) {
      const id = await connect(`shop.${fresh()}`);
      registry.behave(answer);
      await work();
      assert.equal(await registrationOf(id), null, what);
      const { rows } = await client.query(
        "select state, error_code from connections where id = $1",
        [id],
      );
      assert.deepEqual(rows, [{ state: "pending_ownership", error_code: null }], what);
      assert.deepEqual(await events(id), []);
      advance(day);
    }
  });

  it("follow redirects three times, to servers of the file only", async () => {
    await install({ test: registry.url, example: other.url });
    const redirect =
      (location: string): Answering =>
      (_, response) =>
        void response.writeHead(302, { location }).end();
    const good = fresh();
    const id = await connect(`shop.${good}`);
    other.behave(domainAnswer(ago(50 * day)));
    registry.behave(redirect(`${other.url}domain/${good}`));
    await work();
    assert.notEqual(await registrationOf(id), null);
    assert.equal(other.asked.length, 1);

    const loop = await connect(`shop.${fresh()}`);
    registry.asked.length = 0;
    registry.behave(({ url = "" }, response) =>
      redirect(url)({ url } as IncomingMessage, response),
    );
    await work();
    assert.equal(registry.asked.length, 4);
    assert.equal(await registrationOf(loop), null);

    const stranger = await startRegistry();
    try {
      const led = await connect(`shop.${fresh()}`);
      registry.behave(redirect(`${stranger.url}domain/x.test`));
      stranger.behave(domainAnswer(ago(50 * day)));
      await work();
      assert.deepEqual(stranger.asked, []);
      assert.equal(await registrationOf(led), null);
    } finally {
      stranger.close();
    }
  });

  it("keep the limit of a registry over all workers, and lose no question", async () => {
    registry.behave(domainAnswer(ago(200 * day)));
    for (let made = 0; made < 12; made += 1) await connect(`shop.${fresh()}`);
    await work();
    // Five at once, then two a second.
    assert.equal(registry.asked.length, 5);
    advance(2 * second);
    await work();
    assert.equal(registry.asked.length, 9);
    for (let tries = 0; tries < 2; tries += 1) {
      advance(second);
      await work();
    }
    assert.equal(new Set(registry.asked).size, 12);
    assert.equal(registry.asked.length, 12);
  });

  it("leave a registry alone for as long as it asks", async () => {
    registry.behave((_, response) => void response.writeHead(429, { "retry-after": "7200" }).end());
    const domains = [fresh(), fresh(), fresh()];
    const ids = await Promise.all(domains.map((domain) => connect(`shop.${domain}`)));
    await work();
    assert.ok(registry.asked.length <= 3);
    registry.asked.length = 0;
    registry.behave(domainAnswer(ago(90 * day)));
    advance(7_199 * second);
    await connect(`shop.${fresh()}`);
    await work();
    assert.deepEqual(registry.asked, []);
    for (let tries = 0; tries < 5; tries += 1) {
      advance(second);
      await work();
    }
    assert.equal(registry.asked.length, 4);
    for (const id of ids) assert.notEqual(await registrationOf(id), null);
  });

  it("are notified 30, 7 and 1 days before the end, once each, and again after a renewal", async () => {
    const domain = fresh();
    let end = ago(60 * day);
    registry.behave((request, response) => domainAnswer(end)(request, response));
    const ids = await Promise.all([connect(domain), connect(`www.${domain}`)]);
    const archived = await connect(`old.${domain}`);
    await work();
    await call(app.api.url, `/v1/connections/${archived}`, { key, method: "DELETE" });
    const days: number[] = [];
    const follow = async (until: Date): Promise<void> => {
      while (now() < until) {
        const before = (await events(ids[0] ?? "")).length;
        advance(day / 2);
        await work();
        if ((await events(ids[0] ?? "")).length > before) {
          days.push(Math.ceil((end.getTime() - now().getTime()) / day));
        }
      }
    };
    advance(28 * day);
    await work();
    await follow(new Date(end.getTime() - day / 2));
    assert.deepEqual(days, [30, 7, 1]);
    for (const id of ids) assert.equal((await events(id)).length, 3);
    assert.deepEqual(await events(archived), []);
    const [first] = await events(ids[1] ?? "");
    assert.ok(first);
    const { registration } = first["data"] as { registration: object };
    const current = (await registrationOf(ids[1] ?? "")) as { checked_at: string };
    assert.deepEqual({ ...registration, checked_at: current.checked_at }, current);
    end = new Date(end.getTime() + 365 * day);
    await follow(new Date(now().getTime() + 2 * day));
    assert.equal(days.length, 3);
    advance(end.getTime() - now().getTime() - 20 * day);
    await work();
    await work();
    assert.equal((await events(ids[0] ?? "")).length, 4);
  });

  it("are notified by the tightest notice when nobody worked, and to a new connection at once", async () => {
    const domain = fresh();
    const end = ago(60 * day);
    registry.behave(domainAnswer(end));
    const id = await connect(domain);
    await work();
    advance(end.getTime() - now().getTime() - 0.5 * day);
    await work();
    await work();
    assert.equal((await events(id)).length, 1);
    const late = await connect(`late.${domain}`);
    await work();
    await work();
    assert.equal((await events(late)).length, 1);
    assert.equal((await events(id)).length, 1);
  });

  it("are notified once when two workers have the same row, and one of them late", async () => {
    const domain = fresh();
    registry.behave(domainAnswer(ago(20 * day)));
    const id = await connect(domain);
    await enrolDomains(runtime);
    const [frozen] = await claim();
    assert.ok(frozen);
    advance(31 * second);
    const [taken] = await claim();
    assert.ok(taken);
    const results = await Promise.all(
      [frozen, taken].map((row) => checkLeasedRegistration(runtime, checks, row, signal)),
    );
    assert.deepEqual(results, [false, true]);
    assert.equal((await events(id)).length, 1);
    assert.deepEqual(await claim(), []);
  });

  it("are forgotten with the last name below the domain", async () => {
    const domain = fresh();
    registry.behave(domainAnswer(ago(200 * day)));
    const id = await connect(domain);
    await work();
    await call(app.api.url, `/v1/connections/${id}`, { key, method: "DELETE" });
    advance(2 * day);
    await work();
    const { rows } = await client.query(
      "select from registrations union all select from registered_names",
    );
    assert.equal(rows.length, 0);
    assert.equal(registry.asked.length, 1);
  });

  it("are listed with their end, and by it, with the other filters", async () => {
    const [soon, far] = [fresh(), fresh()];
    registry.behave(({ url = "" }, response) => {
      const end = ago((url.endsWith(soon) ? 10 : 300) * day);
      domainAnswer(end)({ url } as IncomingMessage, response);
    });
    const at = [`one.${soon}`, `two.${soon}`, `three.${soon}`, `one.${far}`];
    for (const name of at) await connect(name);
    await work();
    await work();
    const listed = async (query: string): Promise<readonly string[]> => {
      const answer = await get(`/v1/connections?${query}`);
      assert.equal(answer.status, 200, answer.text);
      return (answer.json()["data"] as { hostname: string }[]).map(({ hostname }) => hostname);
    };
    const of = "registration_ends_within=30";
    assert.deepEqual(await listed(of), [`three.${soon}`, `two.${soon}`, `one.${soon}`]);
    assert.deepEqual(await listed(`${of}&q=two`), [`two.${soon}`]);
    assert.deepEqual(
      await listed(`${of}&state=pending_ownership&wildcard=false&hostname=one.${soon}`),
      [`one.${soon}`],
    );
    assert.deepEqual(await listed(`${of}&state=live`), []);
    assert.deepEqual(await listed(`${of}&wildcard=true`), []);
    assert.deepEqual(await listed("registration_ends_within=9"), []);
    const first = await get(`/v1/connections?${of}&limit=2`);
    advance(61 * second);
    const cursor = textOf(first, "next_cursor");
    assert.deepEqual(await listed(`${of}&limit=2&cursor=${cursor}`), [`one.${soon}`]);
    const all = (await get("/v1/connections?q=one.")).json()["data"] as {
      hostname: string;
      registration_ends_at: string | null;
    }[];
    assert.equal(
      typeof all.find(({ hostname }) => hostname === `one.${far}`)?.registration_ends_at,
      "string",
    );
    for (const wrong of ["0", "367", "soon", "1.5"]) {
      assert.equal((await get(`/v1/connections?registration_ends_within=${wrong}`)).status, 400);
    }
    // Another tenant with a name below the same domain sees its own only.
    const { keys } = await app.tenant("Stranger");
    const answer = await call(app.api.url, `/v1/connections?${of}`, { key: keys.test });
    assert.deepEqual(answer.json()["data"], []);
  });

  it("are found for connections that are made at once, more than one piece has", async () => {
    for (let made = 0; made < 7; made += 1) await connect(fresh());
    await enrolDomains(runtime, 2);
    const count = async (): Promise<unknown> =>
      (await client.query("select count(*)::int as n from registrations")).rows;
    assert.deepEqual(await count(), [{ n: 7 }]);
    // What a transaction commits late is read for five minutes, and everything once a day.
    const forget = () => client.query("delete from registered_names");
    const names = async (): Promise<unknown> =>
      (await client.query("select count(*)::int as n from registered_names")).rows;
    await forget();
    await enrolDomains(runtime, 2);
    assert.deepEqual(await names(), [{ n: 7 }]);
    advance(3_600 * second);
    await enrolDomains(runtime, 2);
    await forget();
    await enrolDomains(runtime, 2);
    assert.deepEqual(await names(), [{ n: 0 }]);
    advance(day);
    await enrolDomains(runtime, 2);
    await enrolDomains(runtime, 2);
    assert.deepEqual(await names(), [{ n: 7 }]);
  });

  it("are off with RDAP=off, and continue when it is on again", async () => {
    const off = { ...runtime, config: { ...runtime.config, rdap: false } };
    registry.behave(domainAnswer(ago(200 * day)));
    await connect(fresh());
    await work();
    await enrolDomains(off);
    advance(2 * day);
    assert.deepEqual(await claim(), []);
    await work();
    assert.equal(registry.asked.length, 2);
    await client.query("truncate registrations, registered_names");
    await enrolDomains(off);
    const { rows } = await client.query("select from registered_names");
    assert.equal(rows.length, 0);
    const until = new Date(now().getTime() + second);
    assert.deepEqual(await dueRegistrations(off).claim(now(), until, 10, []), []);
  });

  it("come from the file of the release until a newer one is installed", async () => {
    await client.query("delete from rdap_bootstrap");
    const current = createBootstrapSource();
    assert.equal((await current(runtime)).publishedAt, shippedBootstrap().publishedAt);
    await install({ test: registry.url });
    assert.equal((await current(runtime)).servers.size, 1);
  });
});
