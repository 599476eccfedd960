import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { openSession } from "@mooring/testing/clients/connecting";
import { startTestApp, type TestApp } from "@mooring/testing/control/app";
import { call, codeOf, textOf } from "@mooring/testing/control/http";
import {
  type Browser,
  linkPath,
  openLink,
  parseCookie,
  redeem,
  signIn,
  signInOperator,
} from "@mooring/testing/control/session";
import { keyWith, withoutLimits } from "@mooring/testing/control/world";
import type { NewTenant } from "../../services/operator/tenants.ts";

describe("people of a tenant", () => {
  let app: TestApp;
  let tenant: NewTenant;
  let owner: Browser;
  before(async () => {
    app = await startTestApp(withoutLimits);
    tenant = await app.tenant("Harbour");
    owner = await signIn(app, tenant.tenant.id, "owner", "Olga@harbour.example");
  });
  after(() => app.close());

  describe("a one-time link", () => {
    it("shows a button to who opens it, however often, and signs in once", async () => {
      const path = await linkPath(app, tenant.tenant.id, "support");
      for (let visit = 0; visit < 3; visit += 1) {
        const page = await call(app.api.url, path);
        assert.equal(page.status, 200);
        assert.match(page.text, /<button[^>]*>Sign in<\/button>/);
        assert.match(page.text, /Harbour/);
        assert.match(page.headers.get("content-security-policy") ?? "", /frame-ancestors 'none'/);
      }
      const answers = await Promise.all([1, 2, 3, 4].map(() => redeem(app, path)));
      assert.deepEqual(answers.map(({ status }) => status).sort(), [303, 404, 404, 404]);
      const signedIn = answers.find(({ status }) => status === 303);
      assert.equal(signedIn?.headers.get("location"), "../");
      assert.equal((await call(app.api.url, path)).status, 404);
    });

    it("ends after a quarter of an hour", async () => {
      const path = await linkPath(app, tenant.tenant.id, "viewer");
      app.clock.advance(15 * 60_000);
      assert.equal((await redeem(app, path)).status, 404);
    });

    it("is bound to a member by an address, whose role holds", async () => {
      const browser = await signIn(app, tenant.tenant.id, null, "olga@HARBOUR.example");
      const session = (await browser.call("/v1/session")).json();
      assert.equal(session["role"], "owner");
      assert.partialDeepStrictEqual(session["member"], {
        email: "olga@harbour.example",
        name: null,
      });
      await assert.rejects(signIn(app, tenant.tenant.id, "viewer", "olga@harbour.example"), {
        code: "conflict",
      });
      await assert.rejects(signIn(app, tenant.tenant.id, null, "nobody@harbour.example"), {
        code: "not_found",
      });
    });
  });

  describe("a session", () => {
    it("says whose it is, and lists and ends with its cookie", async () => {
      const browser = await signIn(app, tenant.tenant.id, "viewer");
      const session = (await browser.call("/v1/session")).json();
      assert.partialDeepStrictEqual(session, {
        member: null,
        role: "viewer",
        operator: false,
        tenant: { id: tenant.tenant.id, name: "Harbour" },
      });
      const own = (await browser.call("/v1/sessions")).json()["data"];
      assert.deepEqual(Array.isArray(own) && own.map((one) => [one.id, one.current]), [
        [session["id"], true],
      ]);
      const out = await browser.call("/v1/session", { method: "DELETE" });
      assert.equal(out.status, 204);
      assert.match(out.headers.get("set-cookie") ?? "", /^__Host-mooring=; Max-Age=0;/);
      assert.equal((await browser.call("/v1/session")).status, 401);
    });

    it("names an environment in each call, and sees that one only", async () => {
      const made = await call(app.api.url, "/v1/applications", {
        key: tenant.keys.test,
        body: { name: "Only in test" },
      });
      const path = `/v1/applications/${textOf(made, "id")}`;
      assert.equal((await owner.call(path, {}, "test")).status, 200);
      assert.equal((await owner.call(path, {}, "live")).status, 404);
      const { cookie } = owner;
      const none = await call(app.api.url, path, { headers: { cookie } });
      assert.equal(none.status, 400);
      assert.match(none.text, /X-Mooring-Environment/);
      const wrong = { cookie, "x-mooring-environment": "staging" };
      assert.equal((await call(app.api.url, path, { headers: wrong })).status, 400);
    });

    it("ends after twelve hours without a request, and after seven days with them", async () => {
      const idle = await signIn(app, tenant.tenant.id, "viewer");
      const busy = await signIn(app, tenant.tenant.id, "viewer");
      const hour = 3_600_000;
      for (let hours = 0; hours < 7 * 24; hours += 11) {
        assert.equal((await busy.call("/v1/session")).status, 200, `after ${hours} h`);
        app.clock.advance(11 * hour);
        if (hours === 0) assert.equal((await call(app.api.url, "/v1/session")).status, 401);
        if (hours === 11) assert.equal((await idle.call("/v1/session")).status, 401);
      }
      assert.equal((await busy.call("/v1/session")).status, 401);
      owner = await signIn(app, tenant.tenant.id, "owner", "olga@harbour.example");
    });
  });

  describe("members", () => {
    const invite = async (by: Browser, email: string, role: string) =>
      by.call("/v1/members", { body: { email, role } });

    it("are invited again by a link that ends the one before, and are listed with its end", async () => {
      const made = await invite(owner, "late@harbour.example", "viewer");
      const { id, invitation } = made.json() as { id: string; invitation: { url: string } };
      const listed = async () => {
        const { data } = (await owner.call("/v1/members?limit=100")).json();
        return (data as readonly { id: string; invitation: { expires_at: string } | null }[]).find(
          (member) => member.id === id,
        )?.invitation;
      };
      const first = await listed();
      const leftMs = Date.parse(first?.expires_at ?? "") - app.clock.now().getTime();
      assert.equal(Math.round(leftMs / 3_600_000), 72);
      app.clock.advance(4 * 86_400_000);
      const again = async () => {
        const answer = await owner.call(`/v1/members/${id}/invitation`, { method: "POST" });
        assert.equal(answer.status, 201, answer.text);
        return new URL((answer.json()["invitation"] as { url: string }).url).pathname;
      };
      owner = await signIn(app, tenant.tenant.id, null, "olga@harbour.example");
      assert.equal(await listed(), null, "the link has ended");
      const [second, third] = [await again(), await again()];
      assert.equal((await call(app.api.url, new URL(invitation.url).pathname)).status, 404);
      assert.equal((await call(app.api.url, second)).status, 404);
      const late = await openLink(app, third);
      assert.equal((await late.call("/v1/session")).status, 200);
      assert.equal(await listed(), null, "the link was used");
      assert.equal(
        (await late.call(`/v1/members/${id}/invitation`, { method: "POST" })).status,
        403,
      );
    });

    it("are invited with a link that signs them in, and may then do what their role may", async () => {
      const made = await invite(owner, "Dev@Harbour.example", "developer");
      assert.equal(made.status, 201, made.text);
      assert.equal(textOf(made, "email"), "dev@harbour.example");
      assert.equal((await invite(owner, "dev@harbour.example", "viewer")).status, 409);
      const { url } = made.json()["invitation"] as { readonly url: string };
      const lastSeen = async () => {
        const seen = (await owner.call("/v1/members")).json()["data"];
        assert.ok(Array.isArray(seen));
        return seen[0].last_seen_at;
      };
      assert.equal(await lastSeen(), null);
      const before = app.clock.now();
      const developer = await openLink(app, new URL(url).pathname);
      assert.ok(new Date(await lastSeen()) >= before);
      const body = { name: "By a developer" };
      assert.equal((await developer.call("/v1/applications", { body })).status, 201);
      assert.equal((await invite(developer, "x@harbour.example", "viewer")).status, 403);
    });

    it("never get a role above that of who grants it, and the last owner stays", async () => {
      const admin = await signIn(app, tenant.tenant.id, "admin", "admin@harbour.example");
      assert.equal((await invite(admin, "boss@harbour.example", "owner")).status, 403);
      const made = await invite(admin, "second@harbour.example", "admin");
      assert.equal(made.status, 201);
      const id = textOf(made, "id");
      const raise = await admin.call(`/v1/members/${id}`, {
        method: "PATCH",
        body: { role: "owner" },
      });
      assert.equal(raise.status, 403);
      const me = (await owner.call("/v1/session")).json()["member"] as { readonly id: string };
      const byAdmin = await admin.call(`/v1/members/${me.id}`, { method: "DELETE" });
      assert.equal(byAdmin.status, 403);
      for (const change of [{ method: "DELETE" }, { method: "PATCH", body: { role: "admin" } }]) {
        const last = await owner.call(`/v1/members/${me.id}`, change);
        assert.equal(last.status, 409, last.text);
        assert.equal(codeOf(last), "conflict");
      }
      const both = await owner.call(`/v1/members/${id}`, {
        method: "PATCH",
        body: { role: "owner" },
      });
      assert.equal(both.status, 200);
      const lowered = await owner.call(`/v1/members/${id}`, {
        method: "PATCH",
        body: { role: "viewer" },
      });
      assert.equal(textOf(lowered, "role"), "viewer");
    });

    it("lose a role, or their place, on their next request", async () => {
      const browser = await signIn(app, tenant.tenant.id, "admin", "brief@harbour.example");
      const { id } = (await browser.call("/v1/session")).json()["member"] as {
        readonly id: string;
      };
      assert.equal((await invite(browser, "one@harbour.example", "viewer")).status, 201);
      await owner.call(`/v1/members/${id}`, { method: "PATCH", body: { role: "viewer" } });
      assert.equal((await invite(browser, "two@harbour.example", "viewer")).status, 403);
      assert.equal((await owner.call(`/v1/members/${id}`, { method: "DELETE" })).status, 204);
      assert.equal((await browser.call("/v1/session")).status, 401);
    });

    it("of two tenants do not see each other", async () => {
      const other = await app.tenant("Elsewhere");
      const foreign = await signIn(app, other.tenant.id, "owner", "olga@harbour.example");
      const list = (await foreign.call("/v1/members")).json()["data"];
      assert.ok(Array.isArray(list) && list.length === 1);
      const { id } = (await owner.call("/v1/session")).json()["member"] as { readonly id: string };
      for (const method of ["DELETE", "PATCH"]) {
        const answer = await foreign.call(`/v1/members/${id}`, {
          method,
          ...(method === "PATCH" ? { body: { name: "x" } } : {}),
        });
        assert.equal(answer.status, 404);
      }
      const sessions = (await owner.call("/v1/sessions")).json()["data"];
      assert.ok(Array.isArray(sessions));
      for (const { id: session } of sessions) {
        const answer = await foreign.call(`/v1/sessions/${session}`, { method: "DELETE" });
        assert.equal(answer.status, 404);
      }
    });
  });

  it("make keys that never do more than their maker", async () => {
    const developer = await signIn(app, tenant.tenant.id, "developer");
    const made = await developer.call("/v1/applications", { body: { name: "Keys" } });
    const path = `/v1/applications/${textOf(made, "id")}/keys`;
    const key = textOf(await developer.call(path, { body: { name: "mine" } }), "secret");
    // The route needs an owner: neither the key nor one made with it reaches that.
    const second = await keyWith(app, { key, applicationId: textOf(made, "id") }, ["apps:admin"]);
    for (const secret of [key, second.secret]) {
      const subscribe = await call(app.api.url, "/v1/subscriptions", {
        key: secret,
        body: { plan: "starter" },
      });
      assert.equal(subscribe.status, 403, subscribe.text);
      const read = await call(app.api.url, "/v1/applications", { key: secret });
      assert.equal(read.status, 200);
    }
    const live = await developer.call("/v1/applications", { body: { name: "Live" } }, "live");
    const livePath = `/v1/applications/${textOf(live, "id")}/keys`;
    assert.equal((await developer.call(livePath, { body: { name: "x" } }, "live")).status, 403);
    const admin = await signIn(app, tenant.tenant.id, "admin");
    assert.equal((await admin.call(livePath, { body: { name: "x" } }, "live")).status, 201);
  });

  it("mint widget tokens in test alone, for this service's own pages", async () => {
    const made = await owner.call("/v1/applications", { body: { name: "Preview" } });
    const application = textOf(made, "id");
    const path = `/v1/applications/${application}`;
    await owner.call(path, {
      method: "PATCH",
      body: { allowed_origins: ["https://app.harbour.example"] },
    });
    const body = { application_id: application, customer_ref: "preview" };
    const mint = () => owner.call("/v1/tokens", { body });
    const key = textOf(await owner.call(`${path}/keys`, { body: { name: "Backend" } }), "id");
    const token = textOf(await mint(), "auth_token");
    const read = (origin: string) =>
      call(app.api.url, "/v1/connections", { key: token, headers: { origin } });
    assert.equal((await read(owner.origin)).status, 200);
    assert.equal((await read("https://app.harbour.example")).status, 403);
    await owner.call(`${path}/keys/${key}`, { method: "DELETE" });
    assert.equal((await read(owner.origin)).status, 401);
    assert.equal((await owner.call("/v1/tokens", { body }, "live")).status, 403);
    const support = await signIn(app, tenant.tenant.id, "support");
    assert.equal((await support.call("/v1/tokens", { body })).status, 403);
  });

  it("reach no tenant as an operator", async () => {
    const operator = await signInOperator(app);
    const session = (await operator.call("/v1/session")).json();
    assert.partialDeepStrictEqual(session, { tenant: null, role: null, operator: true });
    for (const path of ["/v1/connections", "/v1/members", "/v1/applications", "/v1/plans"]) {
      assert.equal((await operator.call(path)).status, 403, path);
    }
    const tenants = await operator.call("/v1/operator/tenants");
    const [first] = tenants.json()["data"] as readonly Record<string, unknown>[];
    assert.partialDeepStrictEqual(first, { plan: "self_hosted" });
    for (const view of ["edges", "queues", "certificate-authorities", "providers"]) {
      const answer = await operator.call(`/v1/operator/${view}`);
      assert.equal(answer.status, 200, `${view}: ${answer.text}`);
    }
    assert.equal((await owner.call("/v1/operator/tenants")).status, 403);
    assert.equal((await operator.call("/v1/session", { method: "DELETE" })).status, 204);
    assert.equal((await operator.call("/v1/session")).status, 401);
  });

  it("show an operator what the limits of a CA leave, and which names wait for them", async () => {
    const directory = "https://ca.example:14000/dir";
    const now = app.clock.now();
    const seconds = (later: number) => new Date(now.getTime() + later * 1_000);
    const session = await openSession(app.databaseUrl);
    try {
      // Ten orders are taken; one is free again every 36 seconds.
      await session.query(
        `insert into issuance_budget (name, arrives_at, rate_count, rate_seconds, held_until, held_for)
         values ($1, $2, 300, 10800, $3, 'ca_rate_limited'), ($4, $5, 20, 60, null, null)`,
        [`orders:${directory}`, seconds(360), seconds(900), `renewals:${directory}`, seconds(0)],
      );
      await session.query("set session_replication_role = replica");
      await session.query(
        `insert into certificates (hostname, connection_id, tenant_id, environment, epoch, status, created_at, waits_for)
         select n || '.acme.test', gen_random_uuid(), $1, 'live', 1, 'pending', $2, waits
         from (values (1, $3), (2, $3), (3, $4)) as waiting (n, waits)`,
        [tenant.tenant.id, now, `orders:${directory}`, `domain:${directory}:acme.test`],
      );
    } finally {
      await session.end();
    }
    const operator = await signInOperator(app);
    const answer = await operator.call("/v1/operator/certificate-authorities");
    const all = answer.json()["data"] as readonly { readonly issuer: string }[];
    assert.deepEqual(
      all.find(({ issuer }) => issuer === directory),
      {
        issuer: directory,
        waiting: 3,
        waiting_for: { orders: 2, renewals: 0, domain: 1, name: 0, failures: 0 },
        issued_last_day: 0,
        issued_last_week: 0,
        failing: 0,
        budget: {
          orders: { left: 290, limit: 300, per_s: 10_800 },
          renewals: { left: 20, limit: 20, per_s: 60 },
          held_until: seconds(900).toISOString(),
          held_for: "ca_rate_limited",
        },
      },
    );
    const named = async (q: string) =>
      ((await operator.call(`/v1/operator/tenants?q=${q}`)).json()["data"] as readonly object[])
        .length;
    assert.deepEqual([await named("HARB"), await named("nobody")], [1, 0]);
  });

  it("sign in with a cookie of the right flags", async () => {
    const path = await linkPath(app, tenant.tenant.id, "viewer");
    const response = await redeem(app, path);
    assert.match(parseCookie(response), /^__Host-mooring=[A-Za-z0-9_-]{43}$/);
    const flags = response.headers.getSetCookie()[0]?.split("; ").slice(1).sort();
    assert.deepEqual(flags, ["HttpOnly", "Max-Age=604800", "Path=/", "SameSite=Lax", "Secure"]);
  });
});
