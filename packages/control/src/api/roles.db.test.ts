import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { startTestApp, type TestApp } from "@mooring/testing/control/app";
import { type Answer, call, codeOf } from "@mooring/testing/control/http";
import { statedRole } from "@mooring/testing/control/routes/route-roles";
import {
  allSampledRoutes,
  type SampledRoute,
  sampledRoutes,
  sampleRequest,
} from "@mooring/testing/control/routes/route-samples";
import { type Browser, signIn } from "@mooring/testing/control/session";
import { makeSides, mintToken, type Sides, withoutLimits } from "@mooring/testing/control/world";
import { proofSize } from "@mooring/testing/processes/proof-size";
import pg from "pg";
import { type Role, reaches, roles } from "../domain/people/role.ts";
import { environments } from "../domain/tenancy.ts";

/** Of these, the sample's good call has nothing to change, or the route only reads. */
const changesNothing: Readonly<Record<string, string>> = {
  "POST /v1/connections": "resumes",
  "POST /v1/connections:batch": "resumes",
  "POST /v1/connections:pair": "resumes",
  "POST /v1/connections/{id}/verify": "nothing is proven",
  "POST /v1/connections/{id}/records:check": "a check that changes nothing",
  "POST /v1/connections/{id}/records:apply": "a dry run",
  "POST /v1/connections/{id}/records:revert": "a dry run",
  "POST /v1/connections/{id}/domain-connect:start": "refused",
  "POST /v1/connections/{id}/certificate:retry": "refused",
  "PUT /v1/connections/{id}/certificate": "refused",
  "DELETE /v1/connections/{id}/certificate": "refused",
  "POST /v1/domains:check": "reads",
  "POST /v1/email/records": "generates",
  "POST /v1/subscriptions": "refused",
  "POST /v1/passkeys:challenge": "only a question",
  "POST /v1/passkeys": "refused",
  "DELETE /v1/passkeys/{id}": "not found",
  "DELETE /v1/sessions/{id}": "not found",
  "POST /v1/members/{id}/invitation": "not found",
  "PATCH /v1/members/{id}": "not found",
  "DELETE /v1/members/{id}": "not found",
};

/** Of these no call here changes anything: what they need is in another test. */
const changesElsewhere: Readonly<Record<string, string>> = {
  "POST /v1/connections/{id}/domain-connect:start": "needs a provider that speaks Domain Connect",
  "POST /v1/connections/{id}/certificate:retry": "needs an order that failed",
  "PUT /v1/connections/{id}/certificate": "needs a certificate",
  "DELETE /v1/connections/{id}/certificate": "needs a certificate",
  "POST /v1/domains:check": "only reads",
  "POST /v1/email/records": "only generates",
  "POST /v1/subscriptions": "needs Stripe",
  "POST /v1/passkeys:challenge": "only a question",
  "POST /v1/passkeys": "needs an authenticator",
  "DELETE /v1/passkeys/{id}": "needs an authenticator",
};

/** Whether every role makes every call. */
const isWhole = proofSize(0, 1) === 1;

describe("roles and audit", () => {
  let app: TestApp;
  let own: Sides;
  let admin: pg.Client;
  const browsers = new Map<Role, Browser>();

  before(async () => {
    app = await startTestApp(withoutLimits);
    own = await makeSides(app, "own");
    admin = new pg.Client({ connectionString: app.databaseUrl });
    await admin.connect();
    for (const role of roles) {
      browsers.set(role, await signIn(app, own.tenant.tenant.id, role, `${role}@own.example`));
    }
  });
  after(async () => {
    await admin.end();
    await app.close();
  });

  function browserOf(role: Role): Browser {
    const browser = browsers.get(role);
    if (browser === undefined) throw new Error(`nobody is ${role}`);
    return browser;
  }

  async function send(
    one: SampledRoute,
    environment: "test" | "live",
    as: (url: string, options: { method: string; body?: unknown }) => Promise<Answer>,
    isGood: boolean,
  ): Promise<Answer> {
    const world = own[environment];
    const ready = isGood && one.sample.renew ? await one.sample.renew(app, world) : world;
    const { url, method, body } = sampleRequest(one.route, one.sample.request(ready));
    return as(url, { method, ...(body === undefined ? {} : { body }) });
  }

  /** A role that is let in gets the verb's own answer, whatever it is; the others 403. */
  async function expectRole(one: SampledRoute, role: Role, environment: "test" | "live") {
    const least = statedRole(one.name, environment);
    const may = least !== "not in a session" && reaches(role, least);
    const browser =
      one.name === "DELETE /v1/session"
        ? await signIn(app, own.tenant.tenant.id, null, `${role}@own.example`)
        : browserOf(role);
    const answer = await send(
      one,
      environment,
      (url, options) => browser.call(url, options, environment),
      may,
    );
    const what = `${one.name} as ${role} in ${environment}: ${answer.text}`;
    assert.equal(answer.status === 403, !may, what);
    if (!may) assert.equal(codeOf(answer), "forbidden", what);
    if (may && environment === "test") {
      assert.equal(answer.status, one.sample.status ?? one.route.statuses[0], what);
    }
  }

  /**
   * The short form makes the calls that say something new: those that are refused, and in the test
   * environment those of the least role and of the owner. The long form makes all.
   */
  function isMade(one: SampledRoute, role: Role, environment: "test" | "live"): boolean {
    const least = statedRole(one.name, environment);
    if (isWhole || least === "not in a session" || !reaches(role, least)) return true;
    return environment === "test" ? role === least || role === "owner" : least === "admin";
  }

  for (const environment of environments) {
    it(`lets each role call what it may in ${environment}, and nothing else`, async () => {
      const calls = allSampledRoutes().flatMap((one) =>
        roles.filter((role) => isMade(one, role, environment)).map((role) => ({ one, role })),
      );
      for (const { one, role } of calls) await expectRole(one, role, environment);
    });
  }

  it("states the same least roles in the route list", () => {
    for (const { name, route } of allSampledRoutes()) {
      for (const environment of environments) {
        const role = typeof route.role === "string" ? route.role : route.role[environment];
        const stated = statedRole(name, environment);
        assert.equal(
          stated === "not in a session"
            ? ["refused", "operator", "test"].includes(route.session ?? "")
            : role === stated,
          true,
          name,
        );
      }
    }
  });

  async function rowsOf(answer: Answer) {
    const { rows } = await admin.query<{ actor: string; action: string; address: string | null }>(
      "select actor, action, address from audit_log where request_id = $1",
      [answer.headers.get("x-request-id")],
    );
    return rows;
  }

  type Caller = (url: string, options: object) => Promise<Answer>;

  async function expectRow(one: SampledRoute, caller: Caller, actor: RegExp): Promise<void> {
    const answer = await send(one, "test", caller, true);
    const rows = await rowsOf(answer);
    const isRefused = (one.sample.status ?? 200) >= 400;
    const isQuiet = isRefused || Object.hasOwn(changesNothing, one.name);
    assert.ok(isQuiet || answer.status < 300, `${one.name}: ${answer.text}`);
    assert.equal(rows.length, isQuiet ? 0 : 1, `${one.name}: ${JSON.stringify(rows)}`);
    for (const row of rows) {
      assert.match(row.actor, actor, one.name);
      assert.ok(row.address, one.name);
    }
  }

  it("writes one audit row for each call that changes something, with who and from where", async () => {
    const byKey: Caller = (url, options) =>
      call(app.api.url, url, { key: own.test.key, ...options });
    const byOwner: Caller = (url, options) => browserOf("owner").call(url, options);
    const writing = allSampledRoutes().filter(
      ({ route, name }) => route.method !== "GET" && name !== "DELETE /v1/session",
    );
    for (const one of writing) {
      if (!one.sample.session) await expectRow(one, byKey, /^key:/);
      if (one.route.session !== "refused") await expectRow(one, byOwner, /^member:/);
    }
    const leaving = await signIn(app, own.tenant.tenant.id, "viewer");
    const out = await leaving.call("/v1/session", { method: "DELETE" });
    assert.deepEqual(
      (await rowsOf(out)).map(({ action }) => action),
      ["session.end"],
    );
  });

  /** Calls of the routes whose samples change nothing, made so that they change something. */
  interface Changing {
    readonly url: string;
    readonly body?: object;
    /** Instead of the tenant's key. */
    readonly key?: string;
    readonly by?: "owner";
  }
  const ownCredential = { provider: "sandbox", fields: { token: "sandbox" } };

  /** The path of a new connection, in a zone that has the proof of ownership or nothing. */
  async function publishedConnection(zone: string, isProvable: boolean): Promise<string> {
    const { key, applicationId: application_id } = own.test;
    const body = { application_id, hostname: `shop.${zone}` };
    const made = await call(app.api.url, "/v1/connections", { key, body });
    const { name, value } = made.json()["ownership_challenge"] as { name: string; value: string };
    const records = isProvable ? [{ host: name, type: "TXT", value }] : [];
    const at = `/v1/sandbox/zones/${zone}/records`;
    const put = await call(app.api.url, at, { key, method: "PUT", body: { records } });
    assert.equal(put.status, 200, put.text);
    return `/v1/connections/${made.json()["id"]}`;
  }

  async function memberId(email: string): Promise<string> {
    const found = await browserOf("owner").call("/v1/members?limit=100");
    const members = found.json()["data"] as readonly { id: string; email: string }[];
    return members.find((member) => member.email === email)?.id ?? "";
  }

  const changing: Readonly<Record<string, () => Promise<Changing>>> = {
    "POST /v1/connections": async () => {
      const { applicationId: application_id } = own.test;
      return { url: "/v1/connections", body: { application_id, hostname: "a.audit-one.test" } };
    },
    "POST /v1/connections:batch": async () => {
      const { applicationId: application_id } = own.test;
      const hostnames = ["b.audit-one.test"];
      return { url: "/v1/connections:batch", body: { application_id, hostnames } };
    },
    "POST /v1/connections:pair": async () => {
      const { applicationId: application_id } = own.test;
      return { url: "/v1/connections:pair", body: { application_id, hostname: "audit-two.test" } };
    },
    "POST /v1/connections/{id}/verify": async () => ({
      url: `${await publishedConnection("audit-three.test", true)}/verify`,
    }),
    // For a widget token it checks ownership too.
    "POST /v1/connections/{id}/records:check": async () => ({
      url: `${await publishedConnection("audit-four.test", true)}/records:check`,
      key: await mintToken(app, own.test.key, own.test.applicationId),
    }),
    "POST /v1/connections/{id}/records:apply": async () => {
      const path = await publishedConnection("audit-five.test", false);
      return { url: `${path}/records:apply`, body: ownCredential };
    },
    "POST /v1/connections/{id}/records:revert": async () => {
      const path = await publishedConnection("audit-six.test", false);
      const { key } = own.test;
      const url = `${path}/records:apply`;
      const applied = await call(app.api.url, url, { key, body: ownCredential });
      assert.equal(applied.json()["applied"], true, applied.text);
      return { url: `${path}/records:revert`, body: ownCredential };
    },
    "DELETE /v1/sessions/{id}": async () => {
      await signIn(app, own.tenant.tenant.id, "viewer", "ended@own.example");
      const found = await browserOf("owner").call("/v1/sessions?limit=100");
      const sessions = found.json()["data"] as readonly { id: string; member: { email: string } }[];
      const ended = sessions.find(({ member }) => member.email === "ended@own.example");
      return { url: `/v1/sessions/${ended?.id}`, by: "owner" };
    },
    "POST /v1/members/{id}/invitation": async () => {
      const id = await memberId("ended@own.example");
      return { url: `/v1/members/${id}/invitation`, by: "owner" };
    },
    "PATCH /v1/members/{id}": async () => {
      const id = await memberId("ended@own.example");
      return { url: `/v1/members/${id}`, body: { role: "support" }, by: "owner" };
    },
    "DELETE /v1/members/{id}": async () => {
      const id = await memberId("ended@own.example");
      return { url: `/v1/members/${id}`, by: "owner" };
    },
  };

  it("writes one for the calls whose samples change nothing, when they change something", async () => {
    const stated = new Set([...Object.keys(changing), ...Object.keys(changesElsewhere)]);
    assert.deepEqual([...stated].toSorted(), Object.keys(changesNothing).toSorted());
    for (const [name, prepare] of Object.entries(changing)) {
      const { url, body, key = own.test.key, by } = await prepare();
      const method = name.split(" ")[0] ?? "";
      const options = { method, ...(body === undefined ? {} : { body }) };
      const answer =
        by === "owner"
          ? await browserOf("owner").call(url, options)
          : await call(app.api.url, url, { key, ...options });
      assert.ok(answer.status < 300, `${name}: ${answer.text}`);
      const rows = await rowsOf(answer);
      assert.equal(rows.length, 1, `${name}: ${JSON.stringify(rows)}`);
    }
  });

  it("writes one row for a batch, and rows of the service itself for transitions", async () => {
    const { key, applicationId } = own.test;
    const hostnames = ["a.batch-row.test", "b.batch-row.test", "c.batch-row.test"];
    const batch = await call(app.api.url, "/v1/connections:batch", {
      key,
      body: { application_id: applicationId, hostnames },
    });
    assert.deepEqual(
      (await rowsOf(batch)).map(({ action }) => action),
      ["batch.create"],
    );
    const [first] =
      (batch.json()["results"] as { connection: { id: string; hostname: string } }[]) ?? [];
    const detail = await call(app.api.url, `/v1/connections/${first?.connection.id}`, { key });
    const { name, value } = detail.json()["ownership_challenge"] as { name: string; value: string };
    const records = [{ host: name, type: "TXT", value }];
    const zone = "/v1/sandbox/zones/batch-row.test/records";
    await call(app.api.url, zone, { key, method: "PUT", body: { records } });
    const verify = `/v1/connections/${first?.connection.id}/verify`;
    const proven = await call(app.api.url, verify, { key, method: "POST" });
    assert.equal(proven.status, 200, proven.text);
    const rows = await rowsOf(proven);
    assert.deepEqual(
      rows.map(({ action, actor }) => [action, actor.split(":")[0]]),
      [["connection.transition", "key"]],
    );
    const path = `/v1/audit?object_id=${first?.connection.id}`;
    const seen = await browserOf("admin").call(path);
    const [entry] = seen.json()["data"] as { actor: object; object: string; details: object }[];
    assert.partialDeepStrictEqual(entry?.actor, { kind: "key", name: "First key" });
    assert.equal(entry?.object, "connection");
  });

  it("shows the audit log to its tenant only, with names, filters and pages", async () => {
    const browser = browserOf("admin");
    const made = await browser.call("/v1/applications", { body: { name: "Audited" } });
    const entry = async (query: string) =>
      (await browser.call(`/v1/audit?${query}`)).json()["data"] as Record<string, unknown>[];
    const [newest] = await entry("limit=1");
    assert.partialDeepStrictEqual(newest, {
      action: "application.create",
      object: "application",
      object_id: made.json()["id"],
      environment: "test",
      request_id: made.headers.get("x-request-id"),
      actor: { kind: "member", name: "admin@own.example" },
    });
    const people = await entry("actor_kind=member&limit=100");
    assert.ok(people.length > 0);
    assert.ok(people.every((row) => (row["actor"] as { kind: string }).kind === "member"));
    const [named] = await entry("action=connection.create");
    assert.match(String(named?.["object_name"]), /\.test$/, "the hostname");
    const live = (await browser.call("/v1/audit?action=application.create", {}, "live")).json();
    assert.ok(!JSON.stringify(live).includes(String(made.json()["id"])));
    const invites = (await browser.call("/v1/audit?action=member.invite", {}, "live")).json();
    assert.ok((invites["data"] as unknown[]).length >= 5, "those of the tenant are in both");
    const { actor } = newest as unknown as { actor: { id: string } };
    const mine = await entry(`actor_id=${actor.id}`);
    assert.ok(
      mine.length >= 1 && mine.every((row) => JSON.stringify(row["actor"]).includes(actor.id)),
    );
    const foreign = await app.tenant("Foreign");
    const other = await call(app.api.url, "/v1/audit", { key: foreign.keys.test });
    assert.equal((other.json()["data"] as unknown[]).length, 1, "its own creation");
    assert.equal((await call(app.api.url, "/v1/audit", { key: own.test.key })).status, 200);
  });

  it("names no route that does not exist", () => {
    const names = new Set(allSampledRoutes().map(({ name }) => name));
    assert.deepEqual(
      Object.keys(changesNothing).filter((name) => !names.has(name)),
      [],
    );
    assert.ok(sampledRoutes().length < names.size);
  });
});
