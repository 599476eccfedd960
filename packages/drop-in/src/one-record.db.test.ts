import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { startTestApp, type TestApp } from "@mooring/testing/control/app";
import { type Answer, call } from "@mooring/testing/control/http";
import { makeWorld, type World, withoutLimits } from "@mooring/testing/control/world";
import { dropIns } from "./index.ts";

describe("a subdomain with a target of its own, in the vendors' words", () => {
  let app: TestApp;
  let world: World;
  before(async () => {
    const env = { ...withoutLimits, EDGE_TARGETS: "unique", EDGE_IPV4: "192.0.2.7" };
    app = await startTestApp(env, { dropIns });
    world = await makeWorld(app, (await app.tenant("own")).keys.test, "own");
  });
  after(() => app.close());

  const request = (path: string, options: object = {}): Promise<Answer> =>
    call(app.api.url, path, { key: world.key, ...options });

  it("asks for the CNAME alone at Vercel's, and for the TXT record of an apex", async () => {
    const project = `/compat/vercel/v10/projects/${world.applicationId}/domains`;
    const add = async (name: string) => (await request(project, { body: { name } })).json();
    const added = await add("www.vercel-one.test");
    assert.deepEqual([added["verified"], added["verification"]], [true, undefined]);
    const config = await request("/compat/vercel/v6/domains/www.vercel-one.test/config");
    const { recommendedCNAME, misconfigured } = config.json() as {
      readonly recommendedCNAME: readonly { readonly value: string }[];
      readonly misconfigured: boolean;
    };
    assert.match(recommendedCNAME[0]?.value ?? "", /^[a-z2-7]{26}\.edge\.localhost$/);
    assert.equal(misconfigured, true);
    const apex = await add("vercel-apex.test");
    assert.equal(apex["verified"], false);
    assert.equal((apex["verification"] as readonly { type: string }[])[0]?.type, "TXT");
  });

  it("names no TXT record to validate by at Cloudflare's, and still the ownership record", async () => {
    const zone = `/compat/cloudflare/client/v4/zones/${world.applicationId}/custom_hostnames`;
    const made = await request(zone, { body: { hostname: "shop.cloudflare-one.test" } });
    assert.equal(made.status, 201, made.text);
    const { ssl, ownership_verification: ownership } = made.json()["result"] as {
      readonly ssl: Readonly<Record<string, unknown>>;
      readonly ownership_verification: { readonly type: string };
    };
    assert.deepEqual([ssl["txt_name"], ssl["validation_records"]], [undefined, []]);
    assert.equal(ownership.type, "txt");
  });
});
