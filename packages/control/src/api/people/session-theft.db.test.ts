import assert from "node:assert/strict";
import { request } from "node:http";
import { after, before, describe, it } from "node:test";
import { Mooring, type WebhookEvent } from "@mooring/sdk";
import { startTestApp, type TestApp } from "@mooring/testing/control/app";
import { call, textOf } from "@mooring/testing/control/http";
import {
  type Browser,
  linkPath,
  parseCookie,
  redeem,
  signIn,
} from "@mooring/testing/control/session";
import { makeSides, type Sides, withoutLimits } from "@mooring/testing/control/world";
import { until } from "@mooring/testing/processes/until";

/** What somebody could do with, or to, the session of a signed-in browser. */
describe("a session cannot be stolen or abused", () => {
  let app: TestApp;
  let own: Sides;
  let owner: Browser;
  before(async () => {
    app = await startTestApp(withoutLimits);
    own = await makeSides(app, "own");
    owner = await signIn(app, own.tenant.tenant.id, "owner");
  });
  after(() => app.close());

  const body = { name: "Made by a page" };
  const post = (headers: Readonly<Record<string, string>>) =>
    call(app.api.url, "/v1/applications", { body, headers });

  /** With a `Host` of our own, which fetch does not send. */
  function rawStatus(path: string, headers: Readonly<Record<string, string>>): Promise<number> {
    return new Promise((resolve, reject) => {
      const type = { "content-type": "application/json" };
      const options = { method: "POST", headers: { ...type, ...headers }, agent: false };
      const sent = request(app.api.url + path, options, (response) => {
        response.resume().on("end", () => resolve(response.statusCode ?? 0));
      });
      sent.on("error", reject).end(JSON.stringify(body));
    });
  }

  it("by fixation: a sign-in takes no secret that the browser had, and ends it", async () => {
    const planted = `__Host-mooring=${"A".repeat(43)}`;
    const path = await linkPath(app, own.tenant.tenant.id, "viewer");
    const first = parseCookie(await redeem(app, path, { cookie: planted }));
    assert.notEqual(first, planted);
    assert.equal(
      (await call(app.api.url, "/v1/session", { headers: { cookie: planted } })).status,
      401,
    );
    const again = await linkPath(app, own.tenant.tenant.id, "viewer");
    const second = parseCookie(await redeem(app, again, { cookie: first }));
    assert.notEqual(second, first);
    assert.equal(
      (await call(app.api.url, "/v1/session", { headers: { cookie: first } })).status,
      401,
    );
    assert.equal(
      (await call(app.api.url, "/v1/session", { headers: { cookie: second } })).status,
      200,
    );
  });

  it("by two cookies of one name, of which somebody put one there", async () => {
    const cookie = `${owner.cookie}; __Host-mooring=${"B".repeat(43)}`;
    assert.equal((await call(app.api.url, "/v1/session", { headers: { cookie } })).status, 401);
  });

  it("by another site: a change needs our origin and the session's token", async () => {
    const { cookie, origin, csrf } = owner;
    const good = { cookie, origin, "x-mooring-csrf": csrf, "x-mooring-environment": "test" };
    const other = await signIn(app, own.tenant.tenant.id, "owner");
    const variants: readonly (readonly [string, Readonly<Record<string, string>>])[] = [
      ["no token", { ...good, "x-mooring-csrf": "" }],
      ["another session's token", { ...good, "x-mooring-csrf": other.csrf }],
      ["another origin", { ...good, origin: "https://evil.example" }],
      ["our name on another port", { ...good, origin: `${origin}:8443` }],
      ["our name under theirs", { ...good, origin: `${origin}.evil.example` }],
      ["no scheme of ours", { ...good, origin: origin.replace("http:", "https:") }],
      ["an opaque origin", { ...good, origin: "null" }],
      ["a cross-site fetch", { ...good, "sec-fetch-site": "cross-site" }],
    ];
    for (const [what, headers] of variants) assert.equal((await post(headers)).status, 403, what);
    for (const host of ["evil.example", "127.0.0.1:8080"]) {
      const forged = { ...good, host, origin: `http://${host}` };
      assert.equal(await rawStatus("/v1/applications", forged), 403, `Host and Origin ${host}`);
    }
    assert.equal(await rawStatus("/v1/applications", { ...good, host: "evil.example" }), 201);
    const { origin: _origin, ...withoutOrigin } = good;
    assert.equal((await post(withoutOrigin)).status, 403, "no origin");
    assert.equal((await post(good)).status, 201);
    const form = await fetch(`${app.api.url}/v1/applications`, {
      method: "POST",
      headers: { ...good, "content-type": "text/plain" },
      body: JSON.stringify(body),
    });
    assert.equal(form.status, 415);
  });

  it("by a page of another origin that reads: it is refused, and gets no permission to read", async () => {
    const headers = {
      cookie: owner.cookie,
      origin: "http://localhost:3000",
      "x-mooring-environment": "test",
    };
    const answer = await call(app.api.url, "/v1/connections", { headers });
    assert.equal(answer.status, 403);
    for (const origin of ["http://localhost:3000", "https://evil.example"]) {
      const preflight = await fetch(`${app.api.url}/v1/session`, {
        method: "OPTIONS",
        headers: { origin, "access-control-request-method": "DELETE" },
      });
      assert.equal(preflight.headers.get("access-control-allow-credentials"), null);
      assert.doesNotMatch(
        preflight.headers.get("access-control-allow-headers") ?? "",
        /mooring/,
        "the token's header is not allowed elsewhere",
      );
    }
  });

  it("by a form on another site that signs the browser in as somebody else", async () => {
    const path = await linkPath(app, own.tenant.tenant.id, "viewer");
    for (const headers of [
      { origin: "https://evil.example" },
      { "sec-fetch-site": "cross-site" },
    ]) {
      const answer = await redeem(app, path, headers);
      assert.equal(answer.status, 403);
      assert.deepEqual(answer.headers.getSetCookie(), []);
    }
    const forged = { host: "evil.example", origin: "http://evil.example" };
    assert.equal(await rawStatus(path, forged), 403, "a forged Host");
    assert.equal((await redeem(app, path, { origin: owner.origin })).status, 303);
  });

  it("by clickjacking: neither the console nor a sign-in page can be framed", async () => {
    const page = await call(app.api.url, await linkPath(app, own.tenant.tenant.id, "viewer"));
    assert.match(page.headers.get("content-security-policy") ?? "", /frame-ancestors 'none'/);
    assert.equal(page.headers.get("x-frame-options"), "DENY");
    assert.doesNotMatch(page.text, /<script|style=/);
  });

  it("by a key beside it: a request that names a credential never uses the cookie", async () => {
    const headers = { cookie: owner.cookie, authorization: "Bearer sk_test_wrong" };
    assert.equal((await call(app.api.url, "/v1/connections", { headers })).status, 401);
    const session = await call(app.api.url, "/v1/session", {
      key: own.test.key,
      headers: { cookie: owner.cookie },
    });
    assert.equal(session.status, 403);
  });

  it("after it was revoked: at once, in every process and in an open stream", async () => {
    const victim = await signIn(app, own.tenant.tenant.id, "support");
    const second = await app.another();
    const { cookie } = victim;
    const id = textOf(await victim.call("/v1/session"), "id");
    const headers = { cookie, "x-mooring-environment": "test" };
    const stream = await fetch(`${app.api.url}/v1/events:stream`, { headers });
    assert.equal(stream.status, 200);
    const ended = stream.text();
    assert.equal((await owner.call(`/v1/sessions/${id}`, { method: "DELETE" })).status, 204);
    for (const { url } of [app.api, second]) {
      assert.equal((await call(url, "/v1/session", { headers })).status, 401);
    }
    assert.match(await ended, /^retry: 2000/);
  });

  it("streams events as they happen, and resumes after the last one without a gap", async () => {
    const client = new Mooring({
      baseUrl: app.api.url,
      session: { environment: "test", csrfToken: owner.csrf },
      fetch: (input, init) =>
        fetch(input, { ...init, headers: { ...init?.headers, cookie: owner.cookie } }),
    });
    const seen: WebhookEvent[] = [];
    const follow = (after: string | null, enough: number) => {
      const end = new AbortController();
      const options = { signal: end.signal, ...(after === null ? {} : { after }) };
      const done = (async () => {
        for await (const event of client.events.stream({}, options)) {
          seen.push(event);
          if (seen.length >= enough) end.abort();
        }
      })();
      return { done, end };
    };
    const make = async (hostname: string) =>
      call(app.api.url, "/v1/connections", {
        key: own.test.key,
        body: { application_id: own.test.applicationId, hostname },
      });
    const first = follow(null, 1);
    let made = 0;
    // The stream begins when it is open; until then events are not its own.
    await until(async () => {
      if (seen.length > 0) return true;
      made += 1;
      await make(`stream-${made}.test`);
      return false;
    });
    await first.done;
    const last = seen[0];
    assert.equal(last?.type, "domain.added");
    const missed = ["missed-1.test", "missed-2.test"];
    for (const hostname of missed) await make(hostname);
    const all = await client.events.list({ type: "domain.added" }).toArray();
    const expected = all
      .filter((event) => event.id > (last?.id ?? ""))
      .map((event) => event.id)
      .reverse();
    assert.ok(expected.length >= missed.length);
    seen.length = 0;
    await follow(last?.id ?? "", expected.length).done;
    assert.deepEqual(
      seen.map((event) => event.id),
      expected,
    );
    const foreign = await app.tenant("Foreign");
    const none = await call(app.api.url, `/v1/events:stream?after=${last?.id}`, {
      key: foreign.keys.test,
    });
    assert.doesNotMatch(none.text, /data:/);
    const bad = await call(app.api.url, "/v1/events:stream", {
      key: own.test.key,
      headers: { "last-event-id": "7" },
    });
    assert.equal(bad.status, 400);
  });
});
