import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { listenHttp } from "@mooring/testing/egress/loopback";
import { createGuard } from "./guard.ts";

const guard = createGuard({ allow: ["127.0.0.0/8"], lookup: async () => ["127.0.0.1"] });

describe("fetch", () => {
  test("speaks JSON as a provider's API expects it", async () => {
    await using server = await listenHttp(async (request, response) => {
      const chunks: Buffer[] = await request.toArray();
      response.setHeader("content-type", "application/json");
      response.end(
        JSON.stringify({
          method: request.method,
          token: request.headers.authorization,
          type: request.headers["content-type"],
          body: JSON.parse(Buffer.concat(chunks).toString()),
        }),
      );
    });
    const response = await guard.fetch(new URL(`http://api.example:${server.port}/zones`), {
      method: "PUT",
      headers: { Authorization: "Bearer t", "content-type": "application/json" },
      body: JSON.stringify({ name: "é" }),
    });
    assert.ok(response.ok);
    assert.equal(response.headers.get("content-type"), "application/json");
    assert.deepEqual(await response.json(), {
      method: "PUT",
      token: "Bearer t",
      type: "application/json",
      body: { name: "é" },
    });
  });

  test("spells the names of headers as they were given, as the platform's does", async () => {
    await using server = await listenHttp((request, response) => {
      response.end(JSON.stringify(request.rawHeaders));
    });
    const response = await guard.fetch(`http://api.example:${server.port}/`, {
      headers: { "X-Signature": "abc", accept: "application/json" },
    });
    const sent: unknown = await response.json();
    assert.ok(Array.isArray(sent));
    assert.deepEqual(sent.slice(sent.indexOf("X-Signature")).slice(0, 2), ["X-Signature", "abc"]);
    assert.ok(sent.includes("accept") && !sent.includes("x-signature"));
  });

  test("takes a Request and form bodies, and sets their content type", async () => {
    await using server = await listenHttp(async (request, response) => {
      const chunks: Buffer[] = await request.toArray();
      response.end(`${request.headers["content-type"]} ${Buffer.concat(chunks)}`);
    });
    const body = new URLSearchParams({ a: "1 2" });
    const request = new Request(`http://api.example:${server.port}/`, { method: "POST", body });
    const response = await guard.fetch(request);
    assert.equal(await response.text(), "application/x-www-form-urlencoded;charset=UTF-8 a=1+2");
  });

  test("gives error statuses and empty answers as responses", async () => {
    await using server = await listenHttp((request, response) => {
      response.writeHead(Number(request.url?.slice(1))).end();
    });
    for (const status of [204, 304, 404, 429, 500]) {
      const response = await guard.fetch(`http://api.example:${server.port}/${status}`);
      assert.deepEqual([response.status, await response.text()], [status, ""]);
    }
    const odd = guard.fetch(`http://api.example:${server.port}/999`);
    await assert.rejects(odd, { kind: "connect" });
  });

  test("fails rather than hand over half a document", async () => {
    await using server = await listenHttp((_, response) => response.end("[1,2,3]"));
    const small = createGuard({
      allow: ["127.0.0.1"],
      lookup: async () => ["127.0.0.1"],
      fetchLimits: { maxBytes: 6 },
    });
    const sent = small.fetch(`http://api.example:${server.port}/`);
    await assert.rejects(sent, { kind: "too_large" });
  });

  test("rejects with the signal's own reason when aborted", async () => {
    await using server = await listenHttp(() => undefined);
    const url = `http://api.example:${server.port}/`;
    const reason = new Error("shutting down");
    await assert.rejects(guard.fetch(url, { signal: AbortSignal.abort(reason) }), reason);
    const timedOut = guard.fetch(url, { signal: AbortSignal.timeout(30) });
    await assert.rejects(timedOut, { name: "TimeoutError" });
  });
});
