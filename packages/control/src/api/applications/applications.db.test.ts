import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { startTestApp, type TestApp } from "@mooring/testing/control/app";
import { call, codeOf, textOf } from "@mooring/testing/control/http";
import pg from "pg";

const unsetTls = { ca: null, client_certificate: null, server_name: null, verify_name: null };
const unsetEdge = {
  first_byte_timeout_s: null,
  idle_timeout_s: null,
  max_body_bytes: null,
  error_page: null,
  hsts: null,
  response_headers: null,
  rate_limit: null,
  allow: null,
  deny: null,
  maintenance: null,
  basic_auth: null,
  compress: null,
  websocket_lifetime_s: null,
  health_check: null,
};

interface Refusal {
  readonly code: string;
  readonly details: {
    readonly issues: readonly { readonly path: string; readonly message: string }[];
  };
}

describe("applications", () => {
  let app: TestApp;
  let key: string;
  before(async () => {
    app = await startTestApp();
    key = (await app.tenant("Acme")).keys.test;
  });
  after(() => app.close());

  it("creates with defaults, in the key's environment, and reads it back", async () => {
    const made = await call(app.api.url, "/v1/applications", { key, body: { name: "Shop" } });
    assert.equal(made.status, 201);
    const body = made.json();
    assert.match(textOf(made, "id"), /^[0-9a-f]{8}-[0-9a-f]{4}-7/);
    assert.match(textOf(made, "created_at"), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    assert.deepEqual(
      { ...body, id: 0, created_at: 0 },
      {
        id: 0,
        name: "Shop",
        environment: "test",
        allowed_origins: [],
        record_template: [],
        origin_url: null,
        origins: [],
        origin_host_header: "preserve",
        origin_tls: unsetTls,
        edge: unsetEdge,
        brand: null,
        wildcards: true,
        proxied: "accept",
        keep_oauth: false,
        proofs: ["txt", "cname", "delegation"],
        created_at: 0,
      },
    );
    const read = await call(app.api.url, `/v1/applications/${textOf(made, "id")}`, { key });
    assert.deepEqual(read.json(), body);
  });

  it("the widget learns brand and features of its application, by its token", async () => {
    const made = await call(app.api.url, "/v1/applications", { key, body: { name: "Branded" } });
    const id = textOf(made, "id");
    const patch = (brand: unknown) =>
      call(app.api.url, `/v1/applications/${id}`, {
        key,
        method: "PATCH",
        body: { brand },
      });
    const brand = {
      name: "Käse & Co",
      logo_url: "https://cdn.example.com/logo.svg",
      color: "#1A73E8",
      support_url: "mailto:help@example.com",
    };
    const stored = { ...brand, color: "#1a73e8" };
    assert.deepEqual((await patch(brand)).json()["brand"], stored);
    const settings = async (claims: object) => {
      const body = { application_id: id, ...claims };
      const token = textOf(await call(app.api.url, "/v1/tokens", { key, body }), "auth_token");
      return (await call(app.api.url, "/v1/widget/settings", { key: token })).json();
    };
    const own = await settings({ customer_ref: "alice" });
    assert.deepEqual(own["brand"], stored);
    assert.equal(own["environment"], "test");
    assert.equal((own["features"] as { disconnect: boolean }).disconnect, true);
    const plain = await settings({});
    assert.equal((plain["features"] as { disconnect: boolean }).disconnect, false);
    const partial = await patch({ support_url: "https://help.example.com/" });
    assert.deepEqual(partial.json()["brand"], {
      name: null,
      logo_url: null,
      color: null,
      support_url: "https://help.example.com/",
    });
    assert.equal((await patch(null)).json()["brand"], null);
    for (const bad of [
      { name: "" },
      { name: "x".repeat(61) },
      { logo_url: "http://cdn.example.com/logo.svg" },
      { logo_url: "javascript:alert(1)" },
      { color: "red" },
      { support_url: "ftp://example.com" },
      { slogan: "x" },
    ]) {
      assert.equal((await patch(bad)).status, 400, JSON.stringify(bad));
    }
  });

  it("names every unknown or wrong field and stores nothing", async () => {
    const body = {
      name: "",
      colour: "red",
      record_template: [{ host: "@", type: "A", value: "{{edge_ip}}" }],
    };
    const refused = await call(app.api.url, "/v1/applications", { key, body });
    assert.equal(refused.status, 400);
    assert.equal(codeOf(refused), "invalid");
    assert.match(refused.text, /"path":"name"/);
    assert.match(refused.text, /"path":"colour","message":"unknown field"/);
    const template = { name: "x", record_template: body.record_template };
    const second = await call(app.api.url, "/v1/applications", { key, body: template });
    assert.equal(second.status, 400);
    assert.match(second.text, /unknown placeholder \{\{edge_ip\}\}/);
  });

  it("refuses the other environment with 403", async () => {
    const body = { name: "x", environment: "live" };
    const refused = await call(app.api.url, "/v1/applications", { key, body });
    assert.deepEqual([refused.status, codeOf(refused)], [403, "forbidden"]);
  });

  it("gets allowed origins beside those that are there, each once", async () => {
    const body = { name: "Grows", allowed_origins: ["https://one.example"] };
    const made = await call(app.api.url, "/v1/applications", { key, body });
    const path = `/v1/applications/${textOf(made, "id")}`;
    const add = (...origins: string[]) =>
      call(app.api.url, path, { key, method: "PATCH", body: { add_allowed_origins: origins } });
    const both = await Promise.all([
      add("https://Two.example/", "https://one.example"),
      add("https://three.example"),
    ]);
    assert.deepEqual(
      both.map(({ status }) => status),
      [200, 200],
    );
    const listed = async () =>
      (await call(app.api.url, path, { key })).json()["allowed_origins"] as string[];
    const three = ["https://one.example", "https://three.example", "https://two.example"];
    assert.deepEqual((await listed()).toSorted(), three);
    const many = Array.from({ length: 98 }, (_, index) => `https://${index}.example`);
    const refused = await add(...many);
    assert.equal(refused.status, 400);
    assert.match(refused.text, /there would be 101 origins, and 100 are allowed/);
    assert.equal((await listed()).length, 3);
  });

  it("changes what is given and leaves the rest", async () => {
    const made = await call(app.api.url, "/v1/applications", {
      key,
      body: { name: "Shop", allowed_origins: ["https://App.example/"] },
    });
    assert.deepEqual(made.json()["allowed_origins"], ["https://app.example"]);
    const path = `/v1/applications/${textOf(made, "id")}`;
    const body = { origin_url: "https://origin.example" };
    const changed = await call(app.api.url, path, { key, method: "PATCH", body });
    assert.equal(changed.status, 200);
    assert.deepEqual(changed.json(), {
      ...made.json(),
      origin_url: "https://origin.example",
      origins: [{ url: "https://origin.example", weight: 1 }],
    });
  });

  it("takes an origin of HTTP/2 without TLS, and says which schemes there are", async () => {
    const create = (url: string) =>
      call(app.api.url, "/v1/applications", { key, body: { name: "Shop", origin_url: url } });
    const made = await create("h2c://app.example:50051");
    assert.equal(made.json()["origin_url"], "h2c://app.example:50051");
    for (const url of ["grpc://app.example", "h2c:app.example"]) {
      const refused = await create(url);
      assert.equal(refused.status, 400);
      assert.match(refused.text, /must begin with http:\/\/, https:\/\/ or h2c:\/\//);
    }
  });

  it("refuses an origin that the edge would refuse, or use otherwise, with the reason", async () => {
    const made = await call(app.api.url, "/v1/applications", { key, body: { name: "Shop" } });
    const path = `/v1/applications/${textOf(made, "id")}`;
    const faults: readonly (readonly [string, RegExp])[] = [
      ["https://app.example:22", /the port must be 443, 80 or at least 1024/],
      ["https://app.example/?page=1", /no query and no fragment/],
      ["https://app.example/#top", /no query and no fragment/],
      ["https://user:secret@app.example", /user name or password/],
      ["http://127.0.0.1:3000", /refused: loopback/],
      ["http://localhost:3000", /refused: loopback/],
      ["http://10.0.0.1", /refused: private/],
      ["http://169.254.169.254/", /refused/],
      [`https://${app.config.edgeCname}`, /the origin is the edge itself/],
    ];
    for (const [url, reason] of faults) {
      const origins = [{ url: "https://a.example" }, { url }];
      const bodies: readonly (readonly [string, object])[] = [
        ["origin_url", { origin_url: url }],
        ["origins.1.url", { origins }],
      ];
      for (const [field, body] of bodies) {
        const created = { key, body: { name: "Shop", ...body } };
        const refusals = [
          await call(app.api.url, "/v1/applications", created),
          await call(app.api.url, path, { key, method: "PATCH", body }),
        ];
        for (const refused of refusals) {
          assert.equal(refused.status, 400, `${url} ${refused.text}`);
          const { code, details } = refused.json()["error"] as Refusal;
          assert.deepEqual([code, details.issues.map((issue) => issue.path)], ["invalid", [field]]);
          assert.match(details.issues[0]?.message ?? "", reason, url);
        }
      }
    }
    const shown = await call(app.api.url, path, { key });
    assert.deepEqual([shown.json()["origin_url"], shown.json()["origins"]], [null, []]);
  });

  it("changes single keys of edge; null takes one back to the default", async () => {
    const edge = { first_byte_timeout_s: 30, max_body_bytes: 1_000_000 };
    const made = await call(app.api.url, "/v1/applications", { key, body: { name: "x", edge } });
    assert.deepEqual(made.json()["edge"], { ...unsetEdge, ...edge });
    const path = `/v1/applications/${textOf(made, "id")}`;
    const patch = async (changes: object): Promise<unknown> => {
      const body = { edge: changes };
      const answer = await call(app.api.url, path, { key, method: "PATCH", body });
      assert.equal(answer.status, 200, answer.text);
      return answer.json()["edge"];
    };
    assert.deepEqual(await patch({ idle_timeout_s: 60 }), {
      ...unsetEdge,
      ...edge,
      idle_timeout_s: 60,
    });
    assert.deepEqual(await patch({ first_byte_timeout_s: null, idle_timeout_s: 90 }), {
      ...unsetEdge,
      max_body_bytes: 1_000_000,
      idle_timeout_s: 90,
    });
    assert.deepEqual(await patch({ health_check: { path: "/up" } }), {
      ...unsetEdge,
      max_body_bytes: 1_000_000,
      idle_timeout_s: 90,
      health_check: { path: "/up", interval_s: 30, status: 200 },
    });
    await patch({ health_check: null });
    const read = await call(app.api.url, path, { key });
    assert.deepEqual(read.json()["edge"], {
      ...unsetEdge,
      max_body_bytes: 1_000_000,
      idle_timeout_s: 90,
    });
  });

  it("refuses limits above the operator's, and keys that do not exist", async () => {
    const bounded = await startTestApp({ EDGE_WEBSOCKET_LIFETIME: "1h" });
    const acme = (await bounded.tenant("Acme")).keys.test;
    const refusal = async (edge: object): Promise<string> => {
      const body = { name: "x", edge };
      const answer = await call(bounded.api.url, "/v1/applications", { key: acme, body });
      assert.equal(answer.status, 400, answer.text);
      return answer.text;
    };
    const most = { first_byte_timeout_s: 121, idle_timeout_s: 601, websocket_lifetime_s: 3_601 };
    const text = await refusal(most);
    for (const [field, value] of Object.entries(most)) {
      const message = `expected at most ${value - 1}, the operator's limit`;
      assert.ok(text.includes(`{"path":"edge.${field}","message":"${message}"}`), text);
    }
    assert.match(await refusal({ colour: 1 }), /"path":"edge.colour","message":"unknown field"/);
    const often = { path: "/", interval_s: 1 };
    assert.match(await refusal({ health_check: often }), /"path":"edge.health_check.interval_s"/);
    const split = { path: "/a b" };
    assert.match(await refusal({ health_check: split }), /"path":"edge.health_check.path"/);
    assert.match(await refusal({ idle_timeout_s: 0 }), /"path":"edge.idle_timeout_s"/);
    assert.match(await refusal({ max_body_bytes: "1" }), /"path":"edge.max_body_bytes"/);
    await bounded.close();
  });

  it("takes an error page, HSTS, header rules and compression, and gives them back", async () => {
    const edge = {
      error_page: `<h1>{{title}}</h1>${'"'.repeat(20_000)}`,
      hsts: { max_age: 31_536_000, include_subdomains: true, preload: true },
      response_headers: [
        { action: "set", name: "X-Frame-Options", value: "DENY" },
        { action: "remove", name: "Server", value: null },
      ],
      compress: true,
    };
    const made = await call(app.api.url, "/v1/applications", { key, body: { name: "x", edge } });
    assert.equal(made.status, 201, made.text);
    assert.deepEqual(made.json()["edge"], { ...unsetEdge, ...edge });
  });

  it("are listed in pages of at most 256 KiB, however large each is", async () => {
    const { keys } = await app.tenant("Large pages");
    const body = { edge: { error_page: "x".repeat(60_000) } };
    for (let number = 0; number < 6; number += 1) {
      const made = await call(app.api.url, "/v1/applications", {
        key: keys.test,
        body: { ...body, name: `large ${number}` },
      });
      assert.equal(made.status, 201, made.text);
    }
    const names: unknown[] = [];
    for (let cursor: unknown = ""; cursor !== null; ) {
      const path = `/v1/applications?limit=100${cursor === "" ? "" : `&cursor=${cursor}`}`;
      const list = await call(app.api.url, path, { key: keys.test });
      assert.ok(Buffer.byteLength(list.text) <= 262_144, String(list.text.length));
      const { data, next_cursor: next } = list.json() as {
        data: { name: unknown }[];
        next_cursor: unknown;
      };
      names.push(...data.map(({ name }) => name));
      cursor = next;
    }
    const large = names.filter((name) => String(name).startsWith("large"));
    assert.deepEqual(
      large.sort(),
      [0, 1, 2, 3, 4, 5].map((number) => `large ${number}`),
    );
  });

  it("refuses what would break a response, and writes nothing", async () => {
    const made = await call(app.api.url, "/v1/applications", { key, body: { name: "x" } });
    const path = `/v1/applications/${textOf(made, "id")}`;
    const set = (name: string, value: unknown = "x") => ({
      response_headers: [{ action: "set", name, value }],
    });
    const refused: readonly (readonly [edge: object, issue: string])[] = [
      ...["Content-Length", "transfer-encoding", "Connection", "Keep-Alive", "X-Svc-Reference"].map(
        (name) => [set(name), "edge.response_headers.0.name"] as const,
      ),
      [set("a b"), "edge.response_headers.0.name"],
      [set("Strict-Transport-Security"), "edge.response_headers.0.name"],
      [set("x-a", "b\r\nx-c: d"), "edge.response_headers.0.value"],
      [set("x-a", null), "edge.response_headers.0.value"],
      [{ hsts: { max_age: -1 } }, "edge.hsts.max_age"],
      [{ hsts: { max_age: 60, preload: true } }, "edge.hsts.preload"],
      [{ error_page: "x".repeat(60_001) }, "edge.error_page"],
      [{ error_page: "{{cookie}}" }, "edge.error_page"],
      [{ error_page: "a\u0000b" }, "edge.error_page"],
      [{ compress: "yes" }, "edge.compress"],
    ];
    for (const [edge, issue] of refused) {
      const answer = await call(app.api.url, path, { key, method: "PATCH", body: { edge } });
      assert.equal(answer.status, 400, JSON.stringify(edge).slice(0, 80));
      assert.ok(answer.text.includes(`"path":"${issue}"`), answer.text);
    }
    assert.deepEqual((await call(app.api.url, path, { key })).json(), made.json());
  });

  it("pages newest first, and refuses a cursor of another list or tenant", async () => {
    const { keys } = await app.tenant("Pager");
    for (const name of ["a", "b", "c", "d"]) {
      app.clock.advance(5);
      await call(app.api.url, "/v1/applications", { key: keys.test, body: { name } });
    }
    const names: unknown[] = [];
    let cursor: unknown = null;
    do {
      const query = cursor ? `&cursor=${String(cursor)}` : "";
      const page = await call(app.api.url, `/v1/applications?limit=2${query}`, { key: keys.test });
      assert.equal(page.status, 200);
      const { data, next_cursor } = page.json();
      assert.ok(Array.isArray(data) && data.length <= 2);
      names.push(...data.map((item: { name: unknown }) => item.name));
      if (next_cursor) {
        const foreign = await call(app.api.url, `/v1/applications?cursor=${String(next_cursor)}`, {
          key,
        });
        assert.deepEqual([foreign.status, codeOf(foreign)], [400, "invalid"]);
      }
      cursor = next_cursor;
    } while (cursor);
    assert.deepEqual(names, ["d", "c", "b", "a", "Default"]);
    for (const limit of ["0", "101", "x", "1.5"]) {
      const refused = await call(app.api.url, `/v1/applications?limit=${limit}`, { key });
      assert.equal(refused.status, 400, limit);
    }
  });

  it("has a bounded number of keys, endpoints and credentials, also when requests race", async () => {
    const made = await call(app.api.url, "/v1/applications", { key, body: { name: "Full" } });
    const id = textOf(made, "id");
    const under = `/v1/applications/${id}`;
    const cases = [
      {
        path: "/v1/webhook-endpoints",
        table: "webhook_endpoints",
        limit: 100,
        body: { application_id: id, url: "https://r.example/" },
      },
      { path: `${under}/keys`, table: "api_keys", limit: 100, body: { name: "k" } },
      {
        path: `${under}/credentials`,
        table: "credentials",
        limit: 500,
        body: { provider: "sandbox", name: "c", fields: { token: "sandbox" } },
      },
    ];
    const session = new pg.Client({ connectionString: app.databaseUrl });
    await session.connect();
    for (const { path, table, limit, body } of cases) {
      const create = () => call(app.api.url, path, { key, body });
      assert.equal((await create()).status, 201, path);
      // Copies of the first, until four more are allowed.
      await session.query(
        `insert into ${table} select (jsonb_populate_record(t, jsonb_build_object('id', gen_random_uuid(),
           'key_hash', '\\x' || encode(sha256(convert_to(n::text, 'UTF8')), 'hex')))).*
         from ${table} t, generate_series(2, ${limit - 4}) as n where application_id = $1`,
        [id],
      );
      const answers = await Promise.all(Array.from({ length: 6 }, create));
      assert.equal(answers.filter(({ status }) => status === 201).length, 4, path);
      const refused = answers.filter(({ status }) => status !== 201);
      for (const answer of refused) {
        assert.deepEqual([answer.status, codeOf(answer)], [409, "conflict"]);
        assert.match(answer.text, new RegExp(`has ${limit} .* already; remove one`));
      }
    }
    await session.end();
    const revoked = await call(app.api.url, `${under}/keys?limit=1`, { key });
    const { id: keyId } = (revoked.json() as { data: { id: string }[] }).data[0] ?? assert.fail();
    await call(app.api.url, `${under}/keys/${keyId}`, { key, method: "DELETE" });
    const again = await call(app.api.url, `${under}/keys`, { key, body: { name: "again" } });
    assert.equal(again.status, 201);
  });
});
