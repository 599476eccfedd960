import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { freshZone } from "@mooring/testing/clients/connecting";
import { startTestApp, type TestApp } from "@mooring/testing/control/app";
import { type Answer, call } from "@mooring/testing/control/http";
import { makeWorld, type World, withoutLimits } from "@mooring/testing/control/world";
import { createOwnershipTokens } from "../../edge/src/proxy/response/probe.ts";
import { dropIns } from "./index.ts";

const cloudflare = "/compat/cloudflare/client/v4";
const vercel = "/compat/vercel";

interface VercelConfig {
  readonly nameservers: readonly string[];
  readonly conflicts: readonly object[];
  readonly recommendedCNAME: readonly { readonly value: string }[];
}

describe("answers in the vendors' words", () => {
  let app: TestApp;
  let world: World;
  before(async () => {
    const env = { ...withoutLimits, EDGE_TARGETS: "unique", EDGE_IPV4: "192.0.2.7" };
    app = await startTestApp(env, { dropIns });
    world = await makeWorld(app, (await app.tenant("own")).keys.test, "own");
  });
  after(() => app.close());

  function send(method: string, path: string, body?: object): Promise<Answer> {
    const { key } = world;
    return call(app.api.url, path, { key, method, ...(body === undefined ? {} : { body }) });
  }

  const zone = () => `${cloudflare}/zones/${world.applicationId}`;
  const hostnames = () => `${zone()}/custom_hostnames`;
  const project = () => `${vercel}/v9/projects/${world.applicationId}`;
  const domains = () => `${project()}/domains`;

  async function publish(name: string, records: readonly object[]): Promise<void> {
    const written = await send("PUT", `/v1/sandbox/zones/${name}/records`, { records });
    assert.equal(written.status, 200, written.text);
  }

  describe("at Cloudflare's", () => {
    const fallback = () => `${hostnames()}/fallback_origin`;

    it("the fallback origin is what was put, else the edge, and never the application's origin", async () => {
      await send("PATCH", `/v1/applications/${world.applicationId}`, {
        origin_url: "https://secret-origin.acme.example",
      });
      const untouched = await send("GET", fallback());
      assert.equal(untouched.status, 200, untouched.text);
      assert.partialDeepStrictEqual(untouched.json()["result"], {
        origin: "edge.localhost",
        status: "active",
      });
      assert.equal((await send("DELETE", fallback())).status, 404);
      const first = resultOf(await send("PUT", fallback(), { origin: "one.acme.example" }));
      assert.equal(first["origin"], "one.acme.example");
      app.clock.advance(60_000);
      const second = resultOf(await send("PUT", fallback(), { origin: "two.acme.example" }));
      assert.equal(second["created_at"], first["created_at"]);
      assert.ok(String(second["updated_at"]) > String(first["updated_at"]));
      const application = await send("GET", `/v1/applications/${world.applicationId}`);
      assert.equal(application.json()["origin_url"], "https://two.acme.example");
      await send("PATCH", `/v1/applications/${world.applicationId}`, {
        origin_url: "https://secret-origin.acme.example",
      });
      assert.equal(resultOf(await send("GET", fallback()))["origin"], "two.acme.example");
      assert.equal((await send("DELETE", fallback())).status, 200);
      assert.equal(resultOf(await send("GET", fallback()))["origin"], "edge.localhost");
      const after = await send("GET", `/v1/applications/${world.applicationId}`);
      assert.equal(after.json()["origin_url"], "https://secret-origin.acme.example");
      assert.equal((await send("DELETE", fallback())).status, 404);
    });

    it("a zone has meta and plan", async () => {
      const shown = resultOf(await send("GET", zone()));
      assert.partialDeepStrictEqual(shown, {
        meta: { phishing_detected: false },
        plan: { is_subscribed: true },
      });
      const found = await send(
        "GET",
        `${cloudflare}/zones?name=${encodeURIComponent("canary-own app")}`,
      );
      assert.deepEqual(found.json()["result"], [shown]);
    });

    it("a field that the vendor does not have is refused, and nothing is written", async () => {
      const hostname = `strict.${freshZone()}`;
      for (const extra of [
        { customer: "1" },
        { ssl: { method: "http", type: "dv", certificate: "x" } },
        { ssl: { settings: { http3: "on" } } },
      ]) {
        const refused = await send("POST", hostnames(), { hostname, ...extra });
        assert.equal(refused.status, 400, refused.text);
        assert.partialDeepStrictEqual(refused.json(), {
          success: false,
          result: null,
          errors: [{ code: 1000 }],
        });
      }
      const made = await send("POST", hostnames(), { hostname });
      assert.equal(made.status, 201, made.text);
      const path = `${hostnames()}/${resultOf(made)["id"]}`;
      assert.equal((await send("PATCH", path, { status: "active" })).status, 400);
      assert.equal((await send("PATCH", path, { ssl: { status: "active" } })).status, 400);
      const other = await send("PATCH", path, { hostname: `other.${freshZone()}` });
      assert.partialDeepStrictEqual(other.json(), { errors: [{ code: 1407 }] });
      assert.equal((await send("PATCH", path, { hostname })).status, 202);
    });

    it("a route that is not there is the vendor's, and no hostname that was not found", async () => {
      const unknown = await send("GET", `${zone()}/dns_records`);
      assert.equal(unknown.status, 404);
      assert.deepEqual(unknown.json(), {
        result: null,
        success: false,
        errors: [{ code: 7000, message: "No route for that URI" }],
        messages: [],
      });
    });

    it("the token of the HTTP verification is what the edge answers with", async () => {
      const hostname = `token.${freshZone()}`;
      const made = resultOf(await send("POST", hostnames(), { hostname }));
      const { http_url: url, http_body: body } = made["ownership_verification_http"] as {
        readonly http_url: string;
        readonly http_body: string;
      };
      const id = new URL(url).pathname.split("/").at(-1) ?? "";
      assert.equal(new URL(url).hostname, hostname);
      assert.equal(body, createOwnershipTokens(app.operator.vault)(hostname, id));
      const read = resultOf(await send("GET", `${hostnames()}/${made["id"]}`));
      assert.deepEqual(read["ownership_verification_http"], made["ownership_verification_http"]);
    });

    it("a hostname is deleted once", async () => {
      const made = await send("POST", hostnames(), { hostname: `once.${freshZone()}` });
      const path = `${hostnames()}/${resultOf(made)["id"]}`;
      assert.equal((await send("DELETE", path)).status, 200);
      const again = await send("DELETE", path);
      assert.equal(again.status, 404);
      assert.partialDeepStrictEqual(again.json(), { errors: [{ code: 1436 }] });
    });
  });

  describe("at Vercel's", () => {
    it("a bad name, a bad redirect and an unknown field have codes of their own", async () => {
      const name = `codes.${freshZone()}`;
      const refusal = async (body: object) => failureOf(await send("POST", domains(), body));
      for (const bad of ["", "no hostname", "localhost", "127.0.0.1", "a".repeat(2_000)]) {
        assert.deepEqual(await refusal({ name: bad }), [400, "invalid_domain"], bad.slice(0, 20));
      }
      assert.deepEqual(await refusal({}), [400, "bad_request"]);
      assert.deepEqual(await refusal({ name, customer: "1" }), [400, "bad_request"]);
      const absent = `absent.${freshZone()}`;
      assert.deepEqual(await refusal({ name, redirect: absent }), [400, "invalid_redirect"]);
      assert.deepEqual(await refusal({ name, redirect: name }), [400, "invalid_redirect"]);
      assert.deepEqual(await refusal({ name, redirect: "no name" }), [400, "invalid_redirect"]);
      assert.equal((await send("GET", `${domains()}/${name}`)).status, 404, "nothing was made");
      assert.equal((await send("POST", domains(), { name })).status, 200);
      const change = (body: object) => send("PATCH", `${domains()}/${name}`, body);
      assert.deepEqual(failureOf(await change({ redirect: absent })), [400, "invalid_redirect"]);
      assert.deepEqual(failureOf(await change({ verified: true })), [400, "bad_request"]);
      const unchanged = (await send("GET", `${domains()}/${name}`)).json();
      assert.equal(unchanged["redirect"], null);
    });

    it("the status code of a redirect is what was sent", async () => {
      const apex = freshZone();
      await send("POST", domains(), { name: apex });
      const body = { name: `www.${apex}`, redirect: apex };
      const redirected = (await send("POST", domains(), body)).json();
      assert.deepEqual([redirected["redirect"], redirected["redirectStatusCode"]], [apex, null]);
      const path = `${domains()}/www.${apex}`;
      const changed = (await send("PATCH", path, { redirectStatusCode: 307 })).json();
      assert.deepEqual([changed["redirect"], changed["redirectStatusCode"]], [apex, 307]);
      await send("DELETE", `${domains()}/${apex}`);
      assert.equal((await send("GET", path)).json()["redirect"], null);
    });

    it("the configuration names the name servers, the records in the way and the target", async () => {
      const apex = freshZone();
      const name = `shop.${apex}`;
      await publish(apex, [{ host: name, type: "A", value: "203.0.113.5" }]);
      await send("POST", domains(), { name });
      const config = async () =>
        (
          await send("GET", `${vercel}/v6/domains/${name}/config`)
        ).json() as unknown as VercelConfig;
      const before = await config();
      assert.ok(before.nameservers.length > 0, JSON.stringify(before));
      assert.deepEqual(before.conflicts, [{ name, type: "A", value: "203.0.113.5" }]);
      const target = before.recommendedCNAME[0]?.value ?? "";
      assert.match(target, /^[a-z2-7]{26}\.edge\.localhost$/);
      await publish(apex, [{ host: name, type: "CNAME", value: target }]);
      assert.deepEqual((await config()).conflicts, []);
    });

    it("a project is read by its id or name", async () => {
      const name = "canary-own app";
      for (const path of [
        project(),
        project().replace("v9", "v10"),
        `${vercel}/v9/projects/${name}`,
      ]) {
        const shown = (await send("GET", path)).json();
        assert.deepEqual([shown["id"], shown["name"]], [world.applicationId, name], path);
      }
      const absent = await send("GET", `${vercel}/v9/projects/absent`);
      assert.deepEqual(failureOf(absent), [404, "not_found"]);
    });

    it("domains are listed once each, whichever of their names were added", async () => {
      const { test: key } = (await app.tenant("lists")).keys;
      await call(app.api.url, "/v1/applications", { key, body: { name: "Lists" } });
      const path = `${vercel}/v9/projects/Lists/domains`;
      const read = async (query = "") =>
        (await call(app.api.url, `${vercel}/v5/domains${query}`, { key })).json() as {
          readonly domains: readonly { readonly name: string; readonly verified: boolean }[];
          readonly pagination: { readonly count: number; readonly next: number | null };
        };
      assert.deepEqual((await read()).domains, []);
      const [one, two] = [freshZone(), freshZone()];
      for (const name of [one, `www.${one}`, `shop.${two}`]) {
        app.clock.advance(1_000);
        const added = await call(app.api.url, path, { key, body: { name } });
        assert.equal(added.status, 200, added.text);
      }
      const all = await read();
      assert.deepEqual(
        all.domains.map(({ name, verified }) => [name, verified]),
        [
          [two, false],
          [one, false],
        ],
      );
      const first = await read("?limit=1");
      assert.deepEqual([first.domains[0]?.name, first.pagination.count], [two, 1]);
      const next = await read(`?limit=1&until=${first.pagination.next}`);
      assert.deepEqual([next.domains[0]?.name, next.pagination.next], [one, null]);
      const single = await call(app.api.url, `${vercel}/v5/domains/${one}`, { key });
      assert.partialDeepStrictEqual(single.json()["domain"], { name: one, verified: false });
      const foreign = await send("GET", `${vercel}/v5/domains/${one}`);
      assert.deepEqual(failureOf(foreign), [404, "not_found"]);
    });

    it("a domain is deleted once, and an unknown route is not found", async () => {
      const name = `once.${freshZone()}`;
      await send("POST", domains(), { name });
      const remove = () => send("DELETE", `${domains()}/${name}`);
      assert.equal((await remove()).status, 200);
      assert.deepEqual(failureOf(await remove()), [404, "not_found"]);
      assert.deepEqual(failureOf(await send("GET", `${vercel}/v2/user`)), [404, "not_found"]);
    });
  });
});

function resultOf(answer: Answer): Readonly<Record<string, unknown>> {
  return answer.json()["result"] as Readonly<Record<string, unknown>>;
}

function failureOf(answer: Answer): [number, string | undefined] {
  const { error } = answer.json() as { readonly error?: { readonly code: string } };
  return [answer.status, error?.code];
}
