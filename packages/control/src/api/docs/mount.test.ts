import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { after, before, describe, it } from "node:test";
import { gunzipSync } from "node:zlib";
import fastify, { type FastifyInstance } from "fastify";
import { mountDocs } from "./mount.ts";

const document = {
  openapi: "3.1.0",
  info: { title: "Mooring" },
  tags: [{ name: "API keys", description: "Keys of `you` & others." }, { name: "Events" }],
  paths: {
    "/v1/keys/{id}": {
      post: { operationId: "post_keys", tags: ["API keys"], summary: "Make <b> $& a key" },
    },
  },
  webhooks: { "domain.contest_won": { post: { tags: ["Events"], summary: "It is won" } } },
};
const assets = readdirSync(new URL("../../../assets/docs/", import.meta.url)).filter((name) =>
  name.includes("."),
);

const types: Readonly<Record<string, string>> = {
  css: "text/css; charset=utf-8",
  js: "text/javascript; charset=utf-8",
  ico: "image/x-icon",
};

describe("the reference", () => {
  let app: FastifyInstance;
  before(() => {
    app = fastify();
    mountDocs(app, () => document);
  });
  after(() => app.close());

  const get = (url: string, headers: Readonly<Record<string, string>> = {}) =>
    app.inject({ method: "GET", url, headers });

  it("serves the document without a key, as it was given", async () => {
    const answer = await get("/v1/openapi.json");
    assert.equal(answer.statusCode, 200);
    assert.equal(answer.headers["content-type"], "application/json; charset=utf-8");
    assert.deepEqual(answer.json(), document);
  });

  it("lists every operation and event in the page itself, before any script", async () => {
    const { body } = await get("/docs");
    const row = (anchor: string, method: string, path: string, summary: string) =>
      `<li id="${anchor}"><a href="#${anchor}"><b>${method}</b> <code>${path}</code> <span>${summary}</span></a></li>`;
    const operation = "Make &lt;b&gt; $&amp; a key";
    assert.ok(body.includes(row("tag/api-keys/post_keys", "POST", "/v1/keys/{id}", operation)));
    const event = "tag/events/webhook/POST/domain.contest-won";
    assert.ok(body.includes(row(event, "POST", "domain.contest_won", "It is won")));
    assert.ok(body.includes("<p>Keys of you &amp; others.</p>"));
    assert.doesNotMatch(body, /<script[^>]*scalar|\{\{/);
  });

  it("answers 304 to a client with the current version, in each form of If-None-Match", async () => {
    for (const url of ["/docs/scalar.js", "/docs/reference.js", "/v1/openapi.json"]) {
      const { headers } = await get(url);
      const etag = String(headers.etag);
      assert.match(etag, /^"[\w-]{27}"$/);
      for (const known of [etag, `W/${etag}`, `"other", ${etag}`, "*"]) {
        const again = await get(url, { "if-none-match": known });
        assert.deepEqual([again.statusCode, again.body, again.headers.etag], [304, "", etag]);
      }
      assert.equal((await get(url, { "if-none-match": '"other"' })).statusCode, 200);
    }
  });

  it("has another ETag for another document", async () => {
    const other = fastify();
    mountDocs(other, () => ({ ...document, paths: {} }));
    const { headers } = await other.inject("/v1/openapi.json");
    assert.notEqual(headers.etag, (await get("/v1/openapi.json")).headers.etag);
    await other.close();
  });

  it("lets the page run its own scripts and styles and nothing else", async () => {
    const { headers, body } = await get("/docs");
    const policy = String(headers["content-security-policy"]);
    const nonce = /<meta property="csp-nonce" content="([\w+/]{24})" \/>/.exec(body)?.[1];
    assert.ok(nonce);
    for (const rule of [
      "default-src 'none'",
      "script-src 'self'",
      `style-src 'self' 'nonce-${nonce}'`,
      "connect-src 'self'",
      "img-src 'self' data:",
      "frame-ancestors 'none'",
    ]) {
      assert.ok(policy.split("; ").includes(rule), rule);
    }
    assert.doesNotMatch(policy, /unsafe/);
    assert.equal(headers["x-content-type-options"], "nosniff");
    // What the policy would block, and any other host.
    assert.doesNotMatch(body, /<script(?![^>]*\ssrc=)|<style|\sstyle=|\son\w+=/i);
    assert.doesNotMatch(body, /(?:src|href)="(?:https?:)?\/\//i);
    assert.match(body, /<noscript>[\s\S]*href="v1\/openapi\.json"[\s\S]*<\/noscript>/);
  });

  it("gives every answer its own nonce and has none of them stored", async () => {
    const answers = await Promise.all([get("/docs"), get("/docs")]);
    const policies = answers.map(({ headers }) => headers["content-security-policy"]);
    assert.notEqual(policies[0], policies[1]);
    for (const { headers } of answers) assert.equal(headers["cache-control"], "no-store");
  });

  it("serves Scalar compressed where the client accepts that, under different ETags", async () => {
    const plain = await get("/docs/scalar.js");
    assert.equal(plain.headers["content-encoding"], undefined);
    for (const accepted of ["gzip", "br, gzip;q=0.5"]) {
      const packed = await get("/docs/scalar.js", { "accept-encoding": accepted });
      assert.equal(packed.headers["content-encoding"], "gzip");
      assert.ok(gunzipSync(packed.rawPayload).equals(plain.rawPayload));
      assert.notEqual(packed.headers.etag, plain.headers.etag);
    }
    const refused = await get("/docs/scalar.js", { "accept-encoding": "gzip;q=0, br" });
    assert.equal(refused.headers["content-encoding"], undefined);
    assert.equal(refused.headers.vary, "Accept-Encoding");
  });

  it("serves every file that the page or its scripts name, with the right type", async () => {
    const named = new Set<string>();
    const page = (await get("/docs")).body;
    const fromPage = /(?:src|href)="((?:docs\/|favicon)[^"]+)"/g;
    for (const [, path] of page.matchAll(fromPage)) named.add(`/${path}`);
    for (const script of assets.filter((file) => file.endsWith(".js"))) {
      const { body } = await get(`/docs/${script}`);
      for (const [, path] of body.matchAll(/from "\.\/([^"]+)"/g)) named.add(`/docs/${path}`);
      for (const [, path] of body.matchAll(/"(docs\/[^"]+)"/g)) named.add(`/${path}`);
      assert.doesNotMatch(body, /\.innerHTML|outerHTML|insertAdjacentHTML|document\.write|eval\(/);
    }
    assert.ok(named.size >= 5);
    for (const path of named) {
      const answer = await get(path);
      assert.equal(answer.statusCode, 200, path);
      const type = types[path.split(".").at(-1) ?? ""];
      assert.equal(answer.headers["content-type"], type);
    }
    const files = assets.filter((file) => file !== "index.html");
    const served = files.map((file) => (file === "favicon.ico" ? `/${file}` : `/docs/${file}`));
    assert.deepEqual([...named].sort(), [...served, "/docs/scalar.js"].sort());
  });

  it("serves no other file, however it is asked for", async () => {
    for (const url of [
      "/docs/index.html",
      "/docs/../package.json",
      "/docs/..%2f..%2fpackage.json",
      "/docs/%2e%2e/%2e%2e/package.json",
      "/docs/....//package.json",
      "/docs/reference.js%00.html",
      "/docs/dist/scalar.js.gz",
      "/docs//etc/passwd",
      "/docs/\\..\\package.json",
    ]) {
      const answer = await get(url);
      assert.ok([400, 404].includes(answer.statusCode), `${url}: ${answer.statusCode}`);
      assert.doesNotMatch(answer.body, /"dependencies"|root:/);
    }
  });

  it("sends /docs/ to /docs by a relative address, and answers HEAD", async () => {
    const moved = await get("/docs/");
    assert.deepEqual([moved.statusCode, moved.headers["location"]], [308, "../docs"]);
    const head = await app.inject({ method: "HEAD", url: "/docs" });
    assert.deepEqual([head.statusCode, head.body], [200, ""]);
  });
});
