import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { startTestApp, type TestApp } from "@mooring/testing/control/app";
import { type Answer, call } from "@mooring/testing/control/http";
import { makeWorld, type World, withoutLimits } from "@mooring/testing/control/world";
import { dropIns } from "./index.ts";

interface Sample {
  readonly path: string;
  readonly body?: object;
}

/** A call that changes something, of every route that can. */
type Samples = Readonly<Record<string, () => Promise<readonly Sample[]>>>;

describe("the audit log of the drop-in APIs", () => {
  let app: TestApp;
  let world: World;
  before(async () => {
    app = await startTestApp(withoutLimits, { dropIns });
    world = await makeWorld(app, (await app.tenant("own")).keys.test, "own");
  });
  after(() => app.close());

  const cloudflare = "/compat/cloudflare/client/v4";
  const vercel = "/compat/vercel";
  let made = 0;

  function freshName(): string {
    made += 1;
    return `shop.audited-${made}.test`;
  }

  const zone = () => `/zones/${world.applicationId}/custom_hostnames`;
  const project = () => `/v9/projects/${world.applicationId}/domains`;

  function send(method: string, path: string, body?: object): Promise<Answer> {
    const { key } = world;
    return call(app.api.url, path, { key, method, ...(body === undefined ? {} : { body }) });
  }

  async function customHostname(): Promise<string> {
    const added = await send("POST", cloudflare + zone(), { hostname: freshName() });
    assert.equal(added.status, 201, added.text);
    return `${zone()}/${(added.json()["result"] as { id: string }).id}`;
  }

  async function projectDomain(): Promise<string> {
    const name = freshName();
    const added = await send("POST", vercel + project(), { name });
    assert.equal(added.status, 200, added.text);
    return name;
  }

  /** Domains whose TXT record is published. */
  async function provableDomain(): Promise<string> {
    const name = freshName();
    const added = await send("POST", vercel + project(), { name });
    const [proof] = added.json()["verification"] as { domain: string; value: string }[];
    const records = [{ host: proof?.domain, type: "TXT", value: proof?.value }];
    const path = `/v1/sandbox/zones/${name.slice("shop.".length)}/records`;
    assert.equal((await send("PUT", path, { records })).status, 200);
    return name;
  }

  const samples: Samples = {
    [`PUT ${cloudflare}/zones/{zone}/custom_hostnames/fallback_origin`]: async () => [
      { path: `${zone()}/fallback_origin`, body: { origin: "fallback.example.com" } },
    ],
    [`DELETE ${cloudflare}/zones/{zone}/custom_hostnames/fallback_origin`]: async () => [
      { path: `${zone()}/fallback_origin` },
    ],
    [`POST ${cloudflare}/zones/{zone}/custom_hostnames`]: async () => [
      { path: zone(), body: { hostname: freshName() } },
    ],
    [`PATCH ${cloudflare}/zones/{zone}/custom_hostnames/{id}`]: async () => {
      const path = await customHostname();
      return [
        { path, body: { custom_metadata: { customer: "1" } } },
        { path, body: { custom_metadata: { customer: "2" } } },
        { path, body: { custom_metadata: null } },
        { path, body: { custom_origin_sni: "origin.example.com" } },
        { path, body: { custom_origin_server: "origin.example.com" } },
        { path, body: { ssl: { method: "http", settings: { http2: "on" } } } },
        { path, body: { custom_metadata: { customer: "3" }, custom_origin_server: "b.example" } },
      ];
    },
    [`DELETE ${cloudflare}/zones/{zone}/custom_hostnames/{id}`]: async () => [
      { path: await customHostname() },
    ],
    [`POST ${vercel}/v10/projects/{project}/domains`]: async () => [
      { path: project().replace("v9", "v10"), body: { name: freshName() } },
    ],
    [`POST ${vercel}/v9/projects/{project}/domains`]: async () => [
      { path: project(), body: { name: freshName() } },
    ],
    [`PATCH ${vercel}/v9/projects/{project}/domains/{domain}`]: async () => {
      const target = await projectDomain();
      const path = `${project()}/${await projectDomain()}`;
      return [
        { path, body: { redirect: target } },
        { path, body: { redirect: target, redirectStatusCode: 301 } },
        { path, body: { redirect: null } },
        { path, body: { gitBranch: "main" } },
      ];
    },
    [`DELETE ${vercel}/v9/projects/{project}/domains/{domain}`]: async () => [
      { path: `${project()}/${await projectDomain()}` },
    ],
    [`POST ${vercel}/v9/projects/{project}/domains/{domain}/verify`]: async () => [
      { path: `${project()}/${await provableDomain()}/verify` },
    ],
    [`DELETE ${vercel}/v6/domains/{domain}`]: async () => [
      { path: `/v6/domains/${await projectDomain()}` },
    ],
  };

  interface Row {
    readonly actor: { readonly kind: string };
    readonly action: string;
    readonly request_id: string;
    readonly details: object;
  }

  async function rowsOf(answer: Answer): Promise<readonly Row[]> {
    const rows = (await send("GET", "/v1/audit?limit=20")).json()["data"] as readonly Row[];
    return rows.filter((row) => row.request_id === answer.headers.get("x-request-id"));
  }

  const writing = dropIns.flatMap(({ prefix, routes }) =>
    routes
      .filter(({ method }) => method !== "GET")
      .map(({ method, path }) => ({ name: `${method} ${prefix}${path}`, method, prefix })),
  );

  for (const { name, method, prefix } of writing) {
    it(`has one row for each ${name}`, async () => {
      const sample = samples[name];
      assert.ok(sample, "every route that changes something has a sample here");
      for (const { path, body } of await sample()) {
        const answer = await send(method, prefix + path, body);
        const what = `${path} ${JSON.stringify(body)}: ${answer.text}`;
        assert.ok(answer.status < 300, what);
        const rows = await rowsOf(answer);
        assert.equal(rows.length, 1, `${what} ${JSON.stringify(rows)}`);
        assert.equal(rows[0]?.actor.kind, "key", what);
      }
    });
  }

  it("names what was changed, and has no row for a repeat that changes nothing", async () => {
    const path = cloudflare + (await customHostname());
    const body = { custom_metadata: { customer: "1" }, custom_origin_server: "a.example" };
    const [changed] = await rowsOf(await send("PATCH", path, body));
    assert.equal(changed?.action, "connection.update");
    assert.deepEqual(changed?.details, { changed: ["origin_url", "custom_metadata"] });
    assert.deepEqual(await rowsOf(await send("PATCH", path, body)), []);
  });
});
