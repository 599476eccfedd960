import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { startTestApp, type TestApp } from "@mooring/testing/control/app";
import { call } from "@mooring/testing/control/http";
import { routes } from "../routes.ts";

describe("the reference of a running API", () => {
  let app: TestApp;
  before(async () => {
    app = await startTestApp();
  });
  after(() => app.close());

  it("has every route in its document, without a key and for a browser elsewhere", async () => {
    const headers = { origin: "http://localhost:5173" };
    const answer = await call(app.api.url, "/v1/openapi.json", { headers });
    assert.equal(answer.status, 200);
    assert.equal(answer.headers.get("access-control-allow-origin"), headers.origin);
    const paths = Object(answer.json()["paths"]);
    for (const route of routes) {
      assert.ok(paths[route.path]?.[route.method.toLowerCase()], `${route.method} ${route.path}`);
    }
  });

  it("shows the page, and the API's not_found for other paths beside it", async () => {
    const page = await call(app.api.url, "/docs");
    assert.equal(page.status, 200);
    assert.match(page.headers.get("content-type") ?? "", /^text\/html/);
    const nothing = await call(app.api.url, "/docs/nothing");
    assert.deepEqual([nothing.status, Object(nothing.json()["error"]).code], [404, "not_found"]);
  });
});
