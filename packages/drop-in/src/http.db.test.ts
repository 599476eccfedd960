import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { startTestApp, type TestApp } from "@mooring/testing/control/app";
import { call } from "@mooring/testing/control/http";
import { makeWorld, type World, withoutLimits } from "@mooring/testing/control/world";
import { dropIns } from "./index.ts";

describe("the rate limit of the drop-in APIs", () => {
  let app: TestApp;
  before(async () => {
    app = await startTestApp({ RATE_LIMITS: "general=4:2" }, { dropIns });
  });
  after(() => app.close());

  it("lets reads wait for their share, a few at most, and refuses changes at once", async () => {
    const { keys } = await app.tenant("patient");
    const key = keys.test;
    const read = async (path: string) => (await call(app.api.url, path, { key })).status;
    const several = Array.from({ length: 6 }, () => read("/compat/vercel/v5/domains"));
    assert.deepEqual(await Promise.all(several), [200, 200, 200, 200, 200, 200]);
    const zones = "/compat/cloudflare/client/v4/zones";
    const many = await Promise.all(Array.from({ length: 60 }, () => read(zones)));
    assert.ok(many.filter((status) => status === 200).length >= 8, many.join(" "));
    assert.ok(many.includes(429), many.join(" "));
    const writes = Array.from({ length: 20 }, () =>
      call(app.api.url, `${zones}/none/custom_hostnames`, { key, body: { hostname: "a.test" } }),
    );
    const statuses = (await Promise.all(writes)).map(({ status }) => status);
    assert.ok(statuses.includes(429), statuses.join(" "));
  });
});

describe("requests of the vendors' clients", () => {
  let app: TestApp;
  let world: World;
  before(async () => {
    app = await startTestApp(withoutLimits, { dropIns });
    world = await makeWorld(app, (await app.tenant("own")).keys.test, "own");
  });
  after(() => app.close());

  const types = [
    "application/json",
    "application/json; charset=utf-8",
    "text/plain;charset=UTF-8",
    "application/x-www-form-urlencoded",
    "application/octet-stream",
  ];
  for (const [index, type] of types.entries()) {
    it(`have their JSON read as ${type} too`, async () => {
      const { key, applicationId } = world;
      const headers = { "content-type": type };
      const hostname = `shop.typed-${index}.test`;
      const zone = `/compat/cloudflare/client/v4/zones/${applicationId}/custom_hostnames`;
      const custom = await call(app.api.url, zone, { key, headers, body: { hostname } });
      assert.equal(custom.status, 201, custom.text);
      const project = `/compat/vercel/v10/projects/${applicationId}/domains`;
      const body = { name: `www.typed-${index}.test` };
      const domain = await call(app.api.url, project, { key, headers, body });
      assert.equal(domain.status, 200, domain.text);
    });
  }

  it("get a challenge with every 401", async () => {
    for (const { prefix, routes } of dropIns) {
      for (const { method, path } of routes) {
        const answer = await call(app.api.url, `${prefix}${path}`, { method });
        assert.ok([401, 403].includes(answer.status), `${method} ${path}: ${answer.text}`);
        const challenge = answer.headers.get("www-authenticate");
        const expected = answer.status === 401 ? 'Bearer realm="mooring"' : null;
        assert.equal(challenge, expected, `${method} ${path}`);
      }
    }
  });
});
