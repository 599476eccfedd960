import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { startTestApp, type TestApp } from "@mooring/testing/control/app";
import { type Answer, call, textOf } from "@mooring/testing/control/http";
import { makeSides, mintToken, type Sides, withoutLimits } from "@mooring/testing/control/world";

const listed = "https://app.acme.example";
const listedPort = "http://dev.acme.example:3000";

/** Everything that resembles a listed origin without being one. */
const tricks = [
  "null",
  "",
  "*",
  "https://evil.example",
  "https://app.acme.example.evil.example",
  "https://evilapp.acme.example",
  "https://app.acme.example@evil.example",
  "https://app.acme.exampl",
  "https://app.acme.example.",
  "https://app.acme.example/",
  "https://app.acme.example:8443",
  "https://app.acme.example:443",
  "http://app.acme.example",
  "HTTPS://app.acme.example",
  "https://APP.acme.example",
  "https://sub.app.acme.example",
  "https://acme.example",
  "https://app-acme.example",
  "https://appXacme.example",
  "http://dev.acme.example",
  "http://dev.acme.example:30000",
  "http://dev.acme.example:300",
  "https://app.acme.example, https://evil.example",
  "https://app.acme.example https://evil.example",
  "file://",
  "http://localhost.evil.example",
  "http://localhost:3000.evil.example",
  "http://127.0.0.1.evil.example",
  "https://localhost:3000",
  "http://localhost:123456",
  "http://127.0.0.2:3000",
  "http://[::1]:3000",
];

describe("browser origins", () => {
  let app: TestApp;
  let own: Sides;
  let listToken: string;
  let testToken: string;
  let liveToken: string;
  before(async () => {
    app = await startTestApp(withoutLimits);
    own = await makeSides(app, "own");
    const made = await call(app.api.url, "/v1/applications", {
      key: own.test.key,
      body: { name: "Listed", allowed_origins: [listed, listedPort] },
    });
    listToken = await mintToken(app, own.test.key, textOf(made, "id"));
    testToken = await mintToken(app, own.test.key, own.test.applicationId);
    liveToken = await mintToken(app, own.live.key, own.live.applicationId);
  });
  after(() => app.close());

  function from(origin: string, key: string, path = "/v1/plans"): Promise<Answer> {
    return call(app.api.url, path, { key, headers: { origin } });
  }

  /** A widget token on this route is 403 either way; the message says which check refused it. */
  function refusedOrigin(answer: Answer): boolean {
    assert.equal(answer.status, 403);
    return answer.text.includes("allowed_origins");
  }

  it("that an application lists pass, to the letter, and nothing like them does", async () => {
    for (const origin of [listed, listedPort]) {
      assert.equal(refusedOrigin(await from(origin, listToken)), false, origin);
    }
    for (const origin of tricks) {
      assert.equal(refusedOrigin(await from(origin, listToken)), true, origin);
    }
    for (const origin of ["http://localhost:3000", "http://api.mooring.example"]) {
      assert.equal(refusedOrigin(await from(origin, listToken)), true, `${origin} is not listed`);
    }
  });

  it("are none but the service's own for an empty list, and localhost in the test environment", async () => {
    const local = ["http://localhost", "http://localhost:3000", "http://127.0.0.1:65535"];
    const same = ["http://api.mooring.example", app.api.url];
    for (const origin of same) {
      assert.equal(refusedOrigin(await from(origin, testToken)), false, origin);
      assert.equal(refusedOrigin(await from(origin, liveToken)), false, origin);
    }
    for (const origin of local) {
      assert.equal(refusedOrigin(await from(origin, testToken)), false, origin);
      assert.equal(refusedOrigin(await from(origin, liveToken)), true, origin);
    }
    for (const origin of [listed, ...tricks]) {
      assert.equal(refusedOrigin(await from(origin, testToken)), true, origin);
      assert.equal(refusedOrigin(await from(origin, liveToken)), true, origin);
    }
  });

  it("concern tokens only: a key passes from anywhere, and a token without an Origin does", async () => {
    for (const origin of ["null", "https://evil.example"]) {
      assert.equal((await from(origin, own.test.key)).status, 200);
    }
    assert.equal(refusedOrigin(await call(app.api.url, "/v1/plans", { key: listToken })), false);
  });

  it("can be listed as origins alone: no path, wildcard, credentials or other scheme", async () => {
    const wrong = [
      "null",
      "*",
      "https://*.acme.example",
      "https://a.example/x",
      "https://a.example?x",
      "a.example",
      "https://u:p@a.example",
      "ftp://a.example",
      "javascript:alert(1)",
      "data:,x",
    ];
    for (const origin of wrong) {
      const body = { name: "x", allowed_origins: [origin] };
      const refused = await call(app.api.url, "/v1/applications", { key: own.test.key, body });
      assert.equal(refused.status, 400, origin);
      assert.match(refused.text, /"path":"allowed_origins\.0"/);
    }
  });

  function preflight(origin: string, path: string): Promise<Answer> {
    const headers = {
      origin,
      "access-control-request-method": "POST",
      "access-control-request-headers": "authorization,content-type",
    };
    return call(app.api.url, path, { method: "OPTIONS", headers });
  }

  it("get a preflight answer when any application lists them, or on localhost", async () => {
    for (const origin of [listed, listedPort, "http://localhost:5173", "http://127.0.0.1:8080"]) {
      const answer = await preflight(origin, "/v1/connections/x/records:check");
      assert.equal(answer.status, 204);
      assert.equal(answer.headers.get("access-control-allow-origin"), origin);
      assert.match(
        answer.headers.get("access-control-allow-headers") ?? "",
        /authorization, content-type/,
      );
      assert.match(answer.headers.get("access-control-allow-methods") ?? "", /POST.*PATCH.*DELETE/);
      assert.equal(answer.headers.get("access-control-max-age"), "600");
      assert.equal(answer.headers.get("access-control-allow-credentials"), null);
      assert.match(answer.headers.get("vary") ?? "", /origin/i);
    }
    for (const origin of tricks) {
      const answer = await preflight(origin, "/v1/connections");
      assert.equal(answer.headers.get("access-control-allow-origin"), null, origin);
      assert.match(answer.headers.get("vary") ?? "", /origin/i);
    }
  });

  it("can read every answer under /v1, errors included", async () => {
    const asks: readonly (readonly [number, string, Parameters<typeof call>[2]])[] = [
      [200, "/v1/plans", { key: own.test.key }],
      [401, "/v1/plans", {}],
      [403, "/v1/plans", { key: listToken }],
      [404, "/v1/nothing", { key: own.test.key }],
      [405, "/v1/plans", { key: own.test.key, method: "DELETE" }],
      [400, "/v1/applications", { key: own.test.key, body: {} }],
      [413, "/v1/applications", { key: own.test.key, body: { name: "x".repeat(70_000) } }],
      [
        415,
        "/v1/applications",
        { key: own.test.key, body: {}, headers: { "content-type": "text/plain" } },
      ],
    ];
    for (const [status, path, options] of asks) {
      const headers = { ...options?.headers, origin: listed };
      const answer = await call(app.api.url, path, { ...options, headers });
      assert.equal(answer.status, status, path);
      assert.equal(answer.headers.get("access-control-allow-origin"), listed, `${status}`);
      assert.match(answer.headers.get("access-control-expose-headers") ?? "", /x-request-id/);
      assert.ok(answer.headers.get("x-request-id"));
      const hostile = await call(app.api.url, path, {
        ...options,
        headers: { ...headers, origin: "https://evil.example" },
      });
      assert.equal(hostile.headers.get("access-control-allow-origin"), null);
    }
  });
});
