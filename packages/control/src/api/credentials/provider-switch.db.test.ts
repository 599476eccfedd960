import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { type Caller, connect, freshZone, openCaller } from "@mooring/testing/clients/connecting";
import { startTestApp, type TestApp } from "@mooring/testing/control/app";
import { call } from "@mooring/testing/control/http";
import { recordRoutes } from "@mooring/testing/control/record-plan";
import { withoutLimits } from "@mooring/testing/control/world";
import { z } from "zod";

const Providers = z.object({
  data: z.array(z.object({ slug: z.string(), setup_type: z.string() })),
});
const Check = z.object({
  provider_slug: z.string(),
  setup_type: z.string(),
  auto_configurable: z.boolean(),
  credential_fields: z.array(z.unknown()),
});
const Refusal = z.object({
  error: z.object({ code: z.string(), details: z.object({ kind: z.string() }) }),
});

describe("a provider that the operator switched off", () => {
  let app: TestApp;
  let caller: Caller;
  before(async () => {
    app = await startTestApp({ ...withoutLimits, PROVIDERS_OFF: "sandbox" });
    caller = await openCaller(app.api.url, (await app.tenant("Acme")).keys.test);
  });
  after(() => app.close());

  it("is listed, and found at a domain, as one to set up by hand", async () => {
    const { key } = caller;
    const { data } = Providers.parse((await call(app.api.url, "/v1/providers", { key })).json());
    const types = new Map(data.map(({ slug, setup_type }) => [slug, setup_type]));
    assert.deepEqual([types.get("sandbox"), types.get("cloudflare")], ["manual", "automatic"]);
    const body = { domain: `shop.${freshZone()}` };
    const checked = await call(app.api.url, "/v1/domains:check", { key, method: "POST", body });
    assert.deepEqual(Check.parse(checked.json()), {
      provider_slug: "sandbox",
      setup_type: "manual",
      auto_configurable: false,
      credential_fields: [],
    });
  });

  it("is sent nothing, with any credential", async () => {
    const connection = await connect(caller, `shop.${freshZone()}`);
    const { apply } = recordRoutes(app.api.url, caller.key);
    const reply = await apply(connection.id, { provider: "sandbox", fields: { token: "sandbox" } });
    assert.equal(reply.status, 502);
    const { error } = Refusal.parse(reply.json());
    assert.deepEqual([error.code, error.details.kind], ["provider_error", "unsupported"]);
  });
});
