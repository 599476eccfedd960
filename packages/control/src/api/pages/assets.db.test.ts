import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { request } from "node:http";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, before, describe, it } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { startTestApp, type TestApp } from "@mooring/testing/control/app";
import { type RunningApi, startApi } from "../../process/start-api.ts";

const script = `console.log(${JSON.stringify("mooring ".repeat(200))});\n`;

describe("the asset server", () => {
  let app: TestApp;
  let api: RunningApi;
  let directory = "";

  before(async () => {
    directory = await mkdtemp(path.join(tmpdir(), "mooring-assets-"));
    await mkdir(path.join(directory, "widget/locales"), { recursive: true });
    await mkdir(path.join(directory, "docs/guide"), { recursive: true });
    await writeFile(path.join(directory, "secret.txt"), "secret content");
    await writeFile(path.join(directory, "widget/widget.js"), script);
    await writeFile(path.join(directory, "widget/locales/de-3F9AB2C1.js"), "export {};\n");
    await writeFile(path.join(directory, "widget/.inputs"), "hidden");
    await symlink(path.join(directory, "secret.txt"), path.join(directory, "widget/link.txt"));
    await symlink(directory, path.join(directory, "widget/up"));
    await writeFile(path.join(directory, "docs/guide/index.html"), "<h1>Guide</h1>");
    await writeFile(path.join(directory, "docs/webhooks.html"), "<h1>Webhooks</h1>");
    app = await startTestApp();
    api = await startApi(
      { ...app.config, demoUrl: "http://localhost:8082/" },
      {
        clock: app.clock,
        log: app.operator.log,
        assets: {
          widget: path.join(directory, "widget"),
          docs: path.join(directory, "docs"),
        },
      },
    );
  });
  after(async () => {
    await api.close();
    await app.close();
    await rm(directory, { recursive: true, force: true });
  });

  /** With node:http: `fetch` decodes bodies and normalises paths. */
  function get(
    target: string,
    headers: Readonly<Record<string, string>> = {},
    method = "GET",
  ): Promise<{ status: number; headers: NodeJS.Dict<string | string[]>; body: Buffer }> {
    const { hostname, port } = new URL(api.url);
    return new Promise((resolve, reject) => {
      const sent = request({ hostname, port, path: target, method, headers }, (response) => {
        const parts: Buffer[] = [];
        response.on("data", (part: Buffer) => parts.push(part));
        response.on("end", () =>
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            body: Buffer.concat(parts),
          }),
        );
      });
      sent.on("error", reject);
      sent.end();
    });
  }

  it("serves the bundle to every origin, with a short lifetime and an ETag of its content", async () => {
    const plain = await get("/sdk/v1/widget.js", { origin: "https://anyone.example" });
    assert.equal(plain.status, 200);
    assert.equal(plain.body.toString(), script);
    assert.equal(plain.headers["content-type"], "text/javascript; charset=utf-8");
    assert.equal(plain.headers["access-control-allow-origin"], "*");
    assert.equal(plain.headers["cross-origin-resource-policy"], "cross-origin");
    assert.equal(plain.headers["cache-control"], "public, max-age=300, must-revalidate");
    assert.equal(plain.headers["x-content-type-options"], "nosniff");
    assert.equal(plain.headers["vary"], "Accept-Encoding");
    assert.match(String(plain.headers["etag"]), /^"[\w-]{27}"$/);
  });

  it("answers 304 to a matching ETag, in each encoding", async () => {
    for (const accepted of ["identity", "gzip", "br"]) {
      const first = await get("/sdk/v1/widget.js", { "accept-encoding": accepted });
      const etag = String(first.headers["etag"]);
      const again = await get("/sdk/v1/widget.js", {
        "accept-encoding": accepted,
        "if-none-match": `"other", W/${etag}`,
      });
      assert.deepEqual([again.status, again.body.length], [304, 0]);
      assert.equal(again.headers["etag"], etag);
    }
  });

  it("compresses when accepted, and each encoding has its own ETag", async () => {
    const br = await get("/sdk/v1/widget.js", { "accept-encoding": "gzip, br" });
    const gz = await get("/sdk/v1/widget.js", { "accept-encoding": "gzip" });
    assert.deepEqual(
      [br.headers["content-encoding"], gz.headers["content-encoding"]],
      ["br", "gzip"],
    );
    assert.equal(brotliDecompressSync(br.body).toString(), script);
    assert.equal(gunzipSync(gz.body).toString(), script);
    assert.notEqual(br.headers["etag"], gz.headers["etag"]);
    assert.ok(br.body.length < script.length / 4);
  });

  it("answers HEAD with the same headers and no body", async () => {
    const [full, head] = [
      await get("/sdk/v1/widget.js"),
      await get("/sdk/v1/widget.js", {}, "HEAD"),
    ];
    assert.deepEqual([head.status, head.body.length], [200, 0]);
    for (const name of ["etag", "content-length", "content-type", "cache-control"]) {
      assert.equal(head.headers[name], full.headers[name], name);
    }
  });

  it("lets a file be cached for ever whose name has the hash of its content", async () => {
    const { headers } = await get("/sdk/v1/locales/de-3F9AB2C1.js");
    assert.equal(headers["cache-control"], "public, max-age=31536000, immutable");
  });

  it("serves the new content as soon as a file has changed", async () => {
    const file = path.join(directory, "widget/changing.js");
    await writeFile(file, "one");
    const first = await get("/sdk/v1/changing.js");
    await writeFile(file, "another");
    const second = await get("/sdk/v1/changing.js");
    assert.deepEqual([first.body.toString(), second.body.toString()], ["one", "another"]);
    assert.notEqual(first.headers["etag"], second.headers["etag"]);
  });

  it("serves only plain files below its directory", async () => {
    for (const target of [
      "/sdk/v1/../../secret.txt",
      "/sdk/v1/..%2fsecret.txt",
      "/sdk/v1/%2e%2e/secret.txt",
      "/sdk/v1/%2e%2e%2fsecret.txt",
      "/sdk/v1/..%5csecret.txt",
      "/sdk/v1/locales/../../secret.txt",
      "/sdk/v1//etc/passwd",
      "/sdk/v1/%2fetc%2fpasswd",
      "/sdk/v1/link.txt",
      "/sdk/v1/up/secret.txt",
      "/sdk/v1/.inputs",
      "/sdk/v1/widget.js%00.txt",
      "/sdk/v1/locales",
      "/sdk/v1/",
      "/docs/%2e%2e%2fsecret.txt",
    ]) {
      const answer = await get(target);
      assert.equal(answer.status, 404, target);
      assert.doesNotMatch(answer.body.toString(), /secret content|hidden|root:/, target);
    }
  });

  it("serves the guide's pages beside the reference, under a strict policy", async () => {
    const page = await get("/docs/webhooks");
    assert.deepEqual([page.status, page.body.toString()], [200, "<h1>Webhooks</h1>"]);
    assert.equal(page.headers["content-type"], "text/html; charset=utf-8");
    assert.match(String(page.headers["content-security-policy"]), /^default-src 'none';/);
    assert.equal((await get("/docs/guide")).body.toString(), "<h1>Guide</h1>");
    assert.match((await get("/docs")).body.toString(), /Mooring API reference/);
  });

  it("says how to build what is missing", async () => {
    const { api: bare } = app;
    for (const target of ["/sdk/v1/widget.js", "/docs/webhooks"]) {
      const answer = await fetch(bare.url + target);
      assert.equal(answer.status, 404);
      assert.match(await answer.text(), /run `npm run build`/);
    }
  });

  it("holds a request while its directory is being built, and then serves what was built", async () => {
    const state = path.join(directory, "docs/.build");
    await writeFile(state, JSON.stringify({ pid: process.pid }));
    const asked = get("/docs/new");
    const isAnswered = await Promise.race([asked.then(() => true), delay(300, false)]);
    assert.equal(isAnswered, false);
    assert.equal((await get("/sdk/v1/widget.js")).status, 200);
    await writeFile(path.join(directory, "docs/new.html"), "<h1>New</h1>");
    await rm(state);
    assert.match((await asked).body.toString(), /New/);
  });

  it("says why a build failed, and does not wait for one that was killed", async () => {
    const state = path.join(directory, "docs/.build");
    await writeFile(state, JSON.stringify({ error: "the build of docs failed: no such page" }));
    const failed = await get("/docs/webhooks");
    assert.equal(failed.status, 503);
    assert.match(failed.body.toString(), /the build of docs failed: no such page/);
    const { pid } = spawnSync(process.execPath, ["--version"]);
    await writeFile(state, JSON.stringify({ pid }));
    assert.equal((await get("/docs/webhooks")).status, 200);
    await rm(state);
  });

  it("redirects to the demo where one runs, and nowhere else", async () => {
    const answer = await get("/demo");
    assert.deepEqual([answer.status, answer.headers["location"]], [302, "http://localhost:8082/"]);
    assert.equal((await fetch(`${app.api.url}/demo`)).status, 404);
  });
});
