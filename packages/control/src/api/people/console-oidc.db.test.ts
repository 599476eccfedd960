import assert from "node:assert/strict";
import { after, afterEach, before, describe, it } from "node:test";
import { openSession as openDatabase } from "@mooring/testing/clients/connecting";
import { startTestApp, type TestApp } from "@mooring/testing/control/app";
import { call, textOf } from "@mooring/testing/control/http";
import { type OidcIssuer, startOidcIssuer } from "@mooring/testing/control/oidc-issuer";
import { openBrowser, signIn } from "@mooring/testing/control/session";
import { withoutLimits } from "@mooring/testing/control/world";
import { setConsoleDomain } from "../../services/operator/console-links.ts";
import type { NewTenant } from "../../services/operator/tenants.ts";

/** A browser's cookies by name. */
type Jar = Map<string, string>;

describe("sign-in with OpenID Connect", () => {
  let app: TestApp;
  let issuer: OidcIssuer;
  let tenant: NewTenant;
  before(async () => {
    issuer = await startOidcIssuer();
    app = await startTestApp({
      ...withoutLimits,
      OIDC_ISSUER: issuer.url,
      OIDC_CLIENT_ID: issuer.clientId,
      OIDC_CLIENT_SECRET: issuer.clientSecret,
    });
    tenant = await app.tenant("Harbour");
    await signIn(app, tenant.tenant.id, "support", "sam@harbour.example");
  });
  after(async () => {
    await app.close();
    await issuer.close();
  });
  afterEach(() => {
    issuer.faults = {};
  });

  /** Follows one step without its redirect, with the browser's cookies. */
  async function visit(url: string, jar: Jar, init: RequestInit = {}): Promise<Response> {
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join("; ");
    const own = url.replace(app.config.baseUrl, app.api.url);
    const response = await fetch(own, {
      redirect: "manual",
      ...init,
      headers: { cookie, ...init.headers },
    });
    for (const line of response.headers.getSetCookie()) {
      const [pair = ""] = line.split(";", 1);
      const at = pair.indexOf("=");
      jar.set(pair.slice(0, at), pair.slice(at + 1));
    }
    return response;
  }

  /** From the console to the issuer and back; answers the callback's response. */
  async function comeBack(jar: Jar, change = (url: string) => url): Promise<Response> {
    const start = await visit(`${app.config.baseUrl}/console/oidc/start`, jar);
    assert.equal(start.status, 303);
    const atIssuer = await visit(start.headers.get("location") ?? "", new Map());
    return visit(change(atIssuer.headers.get("location") ?? ""), jar);
  }

  function openSession(jar: Jar) {
    return openBrowser(app, `__Host-mooring=${jar.get("__Host-mooring")}`);
  }

  /** The year 1970 of who was never seen. */
  async function lastSeen(email: string): Promise<Date> {
    const owner = await signIn(app, tenant.tenant.id, "owner", "olga@harbour.example");
    const found = (await owner.call("/v1/members")).json()["data"];
    const members = found as readonly { email: string; last_seen_at: string | null }[];
    return new Date(members.find((member) => member.email === email)?.last_seen_at ?? 0);
  }

  it("signs a member in by a verified address, and says that it can", async () => {
    const ways = await call(app.api.url, "/console/sign-in.json");
    assert.deepEqual(ways.json(), { oidc: true, passkeys: true });
    issuer.identity = { email: "Sam@Harbour.example", email_verified: true, name: "Sam" };
    const jar: Jar = new Map();
    const before = app.clock.now();
    const back = await comeBack(jar);
    assert.equal(back.status, 303, await back.text());
    assert.equal(back.headers.get("location"), "../");
    const session = await (await openSession(jar)).call("/v1/session");
    assert.equal(textOf(session, "role"), "support");
    assert.equal(jar.get("__Host-mooring-sign-in"), "");
    assert.ok((await lastSeen("sam@harbour.example")) >= before);
  });

  it("refuses who is no member, whose address is not verified, and forged identities", async () => {
    const known = { email: "sam@harbour.example", email_verified: true };
    const cases = [
      ["a stranger", { email: "eve@evil.example", email_verified: true }, {}],
      ["an unverified address", { email: known.email, email_verified: false }, {}],
      ["no address", { email_verified: true }, {}],
      ["another nonce", known, { nonce: "other" }],
      ["another audience", known, { audience: "another-client" }],
      ["another key", known, { isForged: true }],
    ] as const;
    for (const [what, identity, faults] of cases) {
      issuer.identity = identity;
      issuer.faults = faults;
      const jar: Jar = new Map();
      const back = await comeBack(jar);
      assert.equal(back.status, 403, what);
      assert.equal(jar.has("__Host-mooring"), false, what);
    }
  });

  it("takes an answer only in the browser that asked, once, and with its own state", async () => {
    issuer.identity = { email: "sam@harbour.example", email_verified: true };
    const jar: Jar = new Map();
    let answer = "";
    const other = await comeBack(new Map(), (url) => {
      answer = url;
      return url.replace(/state=[^&]+/, "state=forged");
    });
    assert.notEqual(other.status, 303);
    assert.equal((await visit(answer, new Map())).status, 403, "another browser");
    const good = await comeBack(jar, (url) => {
      answer = url;
      return url;
    });
    assert.equal(good.status, 303);
    assert.equal((await visit(answer, jar)).status, 403, "again");
  });

  it("takes the cookie of a finished sign-in for no second one", async () => {
    issuer.identity = { email: "sam@harbour.example", email_verified: true };
    const jar: Jar = new Map();
    const begin = async (browser: Jar): Promise<string> => {
      const start = await visit(`${app.config.baseUrl}/console/oidc/start`, browser);
      const atIssuer = await visit(start.headers.get("location") ?? "", new Map());
      return atIssuer.headers.get("location") ?? "";
    };
    const answer = await begin(jar);
    const cookie = jar.get("__Host-mooring-sign-in") ?? "";
    const { searchParams } = new URL(answer);
    assert.equal((await visit(answer, jar)).status, 303);
    // A code that was not used yet, for the state that was.
    const fresh = new URL(await begin(new Map()));
    fresh.searchParams.set("state", searchParams.get("state") ?? "");
    for (const url of [answer, fresh.href]) {
      const again: Jar = new Map([["__Host-mooring-sign-in", cookie]]);
      assert.equal((await visit(url, again)).status, 403);
      assert.equal(again.has("__Host-mooring"), false);
    }
    const forged: Jar = new Map([["__Host-mooring-sign-in", `${cookie.slice(0, -4)}AAAA`]]);
    assert.equal((await visit(await begin(new Map()), forged)).status, 403);
  });

  it("stores nothing of sign-ins that only begin, and limits them by address", async (t) => {
    const limited = await startTestApp({
      RATE_LIMITS: "unauthorized=0.001:3",
      OIDC_ISSUER: issuer.url,
      OIDC_CLIENT_ID: issuer.clientId,
      OIDC_CLIENT_SECRET: issuer.clientSecret,
    });
    const session = await openDatabase(limited.databaseUrl);
    t.after(() => Promise.all([session.end(), limited.close()]));
    const statuses = async (path: string, method: string) => {
      const seen: number[] = [];
      for (let count = 0; count < 5; count += 1) {
        const answer = await fetch(limited.api.url + path, { method, redirect: "manual" });
        if (answer.status === 429) assert.ok(Number(answer.headers.get("retry-after")) > 0);
        seen.push(answer.status);
      }
      return seen;
    };
    assert.deepEqual(await statuses("/console/oidc/start", "GET"), [303, 303, 303, 429, 429]);
    const challenges = await statuses("/console/passkey/challenge", "POST");
    assert.deepEqual(challenges, [200, 200, 200, 429, 429]);
    assert.equal((await fetch(`${limited.api.url}/console/sign-in.json`)).status, 200);
    const { rows } = await session.query("select * from sign_in_attempts");
    assert.deepEqual(rows, []);
  });

  it("makes a member of who has an address of a listed domain, with that role", async () => {
    const before = app.clock.now();
    await setConsoleDomain(app.operator, "Harbour", "Crew.example", "developer");
    issuer.identity = { email: "new@crew.example", email_verified: true, name: "New Person" };
    const jar: Jar = new Map();
    assert.equal((await comeBack(jar)).status, 303);
    const browser = await openSession(jar);
    const session = (await browser.call("/v1/session")).json();
    assert.partialDeepStrictEqual(session, {
      role: "developer",
      member: { email: "new@crew.example", name: "New Person" },
    });
    assert.ok((await lastSeen("new@crew.example")) >= before);
    await setConsoleDomain(app.operator, "Harbour", "crew.example", null);
    issuer.identity = { email: "late@crew.example", email_verified: true };
    assert.equal((await comeBack(new Map())).status, 403);
  });

  it("lets a person of several tenants choose, and only among those", async () => {
    const second = await app.tenant("Second");
    const third = await app.tenant("Third");
    await signIn(app, second.tenant.id, "viewer", "sam@harbour.example");
    issuer.identity = { email: "sam@harbour.example", email_verified: true };
    const jar: Jar = new Map();
    const page = await comeBack(jar);
    assert.equal(page.status, 200);
    const text = await page.text();
    assert.match(text, /Harbour/);
    assert.match(text, /Second/);
    assert.doesNotMatch(text, /Third/);
    const choose = (id: string, headers: Record<string, string> = {}) =>
      visit(`${app.config.baseUrl}/console/oidc/choose/${id}`, jar, { method: "POST", headers });
    const foreign = await choose(second.tenant.id, { origin: "https://evil.example" });
    assert.equal(foreign.status, 403);
    const chosen = await choose(second.tenant.id);
    assert.equal(chosen.status, 303);
    const session = (await (await openSession(jar)).call("/v1/session")).json();
    assert.partialDeepStrictEqual(session["tenant"], { name: "Second" });
    const again: Jar = new Map();
    await comeBack(again);
    const elsewhere = await visit(
      `${app.config.baseUrl}/console/oidc/choose/${third.tenant.id}`,
      again,
      {
        method: "POST",
      },
    );
    assert.equal(elsewhere.status, 403);
  });
});
