import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { freshZone } from "@mooring/testing/clients/connecting";
import { startTestApp, type TestApp } from "@mooring/testing/control/app";
import { call, textOf } from "@mooring/testing/control/http";
import { resumeTenant, suspendTenant } from "../../control/src/services/operator/tenant-states.ts";
import { dropIns } from "./index.ts";

describe("the drop-in APIs of a suspended tenant", () => {
  let app: TestApp;
  let key = "";
  let application = "";
  before(async () => {
    app = await startTestApp({}, { dropIns });
    const { keys } = await app.tenant("Acme");
    key = keys.test;
    const made = await call(app.api.url, "/v1/applications", { key, body: { name: "Shop" } });
    application = textOf(made, "id");
  });
  after(() => app.close());

  const ask = (path: string, body?: object) =>
    call(app.api.url, `/compat${path}`, body === undefined ? { key } : { key, body });
  const hostname = `shop.${freshZone()}`;

  it("answer 403 to a change in the vendor's form, and reads as before", async () => {
    const hostnames = `/cloudflare/client/v4/zones/${application.replaceAll("-", "")}/custom_hostnames`;
    const domains = `/vercel/v10/projects/${application}/domains`;
    await suspendTenant(app.operator, "Acme", null);
    const cloudflare = await ask(hostnames, { hostname, ssl: { method: "http", type: "dv" } });
    assert.equal(cloudflare.status, 403, cloudflare.text);
    assert.partialDeepStrictEqual(cloudflare.json(), {
      result: null,
      success: false,
      errors: [{ code: 9109 }],
    });
    assert.match(cloudflare.text, /this account is suspended/);
    const vercel = await ask(domains, { name: hostname });
    assert.equal(vercel.status, 403, vercel.text);
    assert.partialDeepStrictEqual(vercel.json(), { error: { code: "forbidden" } });
    assert.match(vercel.text, /this account is suspended/);
    assert.equal((await ask(hostnames)).status, 200);
    assert.equal((await ask(domains.replace("v10", "v9"))).status, 200);
    await resumeTenant(app.operator, "Acme");
    assert.equal((await ask(domains, { name: hostname })).status, 200);
  });
});
