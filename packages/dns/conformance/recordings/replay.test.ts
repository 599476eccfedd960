import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Exchange, Recording } from "./recording.ts";
import { replay } from "./replay.ts";

const api = "https://api.example.net";

function exchange(method: Exchange["method"], path: string, rest: Partial<Exchange> = {}) {
  return { method, path, query: {}, requestHeaders: {}, status: 200, headers: {}, ...rest };
}

function start(recorded: readonly Exchange[], rules: Recording["rules"] = []) {
  return replay({ exchanges: recorded, unrecorded: [] }, { rules, unrecorded: [] });
}

function send(
  { fetch }: ReturnType<typeof start>,
  method: string,
  path: string,
  body?: unknown,
): Promise<Response> {
  const headers = { "content-type": "application/json" };
  const content = body === undefined ? {} : { body: JSON.stringify(body) };
  return fetch(`${api}${path}`, { method, headers, ...content });
}

describe("replay", () => {
  it("answers as recorded, in any order, and repeats the last answer", async () => {
    const player = start([
      exchange("GET", "/zones", { answer: ["a"] }),
      exchange("GET", "/records", { answer: [1] }),
      exchange("GET", "/records", { answer: [2] }),
    ]);
    assert.deepEqual(player.unused(), ["GET /zones", "GET /records", "GET /records"]);
    for (const [path, answer] of [
      ["/records", [1]],
      ["/records", [2]],
      ["/zones", ["a"]],
      ["/records", [2]],
    ] as const) {
      assert.deepEqual(await (await send(player, "GET", path)).json(), answer);
    }
    assert.deepEqual(player.unused(), []);
    assert.deepEqual(player.differences(), []);
  });

  it("refuses a request that was not recorded, and says what was", async () => {
    const player = start([exchange("GET", "/zones", { query: { page: "1" } })]);
    assert.equal((await send(player, "GET", "/zones?page=2")).status, 400);
    assert.equal((await send(player, "DELETE", "/zones")).status, 400);
    assert.deepEqual(player.differences(), [
      "GET /zones?page=2 is not recorded; recorded are GET /zones?page=1",
      "DELETE /zones is not recorded; recorded are GET /zones?page=1",
    ]);
  });

  it("compares every field of a body, masked ones for their presence", async () => {
    const body = { name: "www", key: "***", values: [{ ttl: 300 }] };
    const player = start([exchange("POST", "/records", { body })]);
    await send(player, "POST", "/records", { ...body, key: "secret" });
    assert.deepEqual(player.differences(), []);
    for (const other of [
      { ...body, name: "" },
      { ...body, key: "" },
      { ...body, more: 1 },
      { ...body, values: [{ ttl: "300" }] },
      { ...body, values: [] },
    ]) {
      assert.equal((await send(player, "POST", "/records", other)).status, 400);
    }
    assert.equal(player.differences().length, 5);
    assert.match(player.differences()[3] ?? "", /"ttl":"300".* recorded .*"ttl":300/);
  });

  it("compares the fields of JSON in a form", async () => {
    const body = { user: "u", input: { domain: "example.com", text: "a" } };
    const player = start([exchange("POST", "/add", { body })]);
    const headers = { "content-type": "application/x-www-form-urlencoded" };
    for (const [input, status] of [
      ['{"text":"a","domain":"example.com"}', 200],
      ['{"text":"b","domain":"example.com"}', 400],
    ] as const) {
      const form = new URLSearchParams({ user: "u", input }).toString();
      const answer = await player.fetch(`${api}/add`, { method: "POST", headers, body: form });
      assert.equal(answer.status, status);
    }
  });

  it("supplies what the scene needs beside its recording, and does not count it", async () => {
    const exchanges = [exchange("GET", "/zones", { answer: ["a"] })];
    const unrecorded = [exchange("GET", "/records", { answer: [1] })];
    const player = replay({ exchanges, unrecorded }, { rules: [], unrecorded: [] });
    assert.deepEqual(await (await send(player, "GET", "/records")).json(), [1]);
    assert.deepEqual(player.unused(), ["GET /zones"]);
    assert.deepEqual(player.differences(), []);
  });

  it("lets a rule allow one difference, and says which rules were needed", async () => {
    const why = "for the test";
    const page = { defaultQuery: { page: "1" }, why };
    const size = { ignoreQuery: ["size"], why };
    const priority = { defaultBody: { "*.priority": 0 }, why };
    const ttl = { ignoreBody: ["*.ttl"], only: "PUT", why };
    const moved = { recordedBelow: "/v1/", ours: "/v2/", why };
    const player = start(
      [
        exchange("GET", "/v1/records"),
        exchange("POST", "/v1/records", { body: [{ name: "www" }] }),
        exchange("PUT", "/v1/records", { body: [{ name: "www" }] }),
      ],
      [page, size, priority, ttl, moved],
    );
    assert.equal((await send(player, "GET", "/v2/records?page=1&size=50")).status, 200);
    assert.deepEqual(player.usedRules(), new Set([page, size, moved]));
    assert.equal((await send(player, "GET", "/v2/records?page=2")).status, 400);
    assert.equal((await send(player, "GET", "/v1/records")).status, 400);

    const put = [{ name: "www", priority: 0, ttl: 60 }];
    assert.equal((await send(player, "PUT", "/v2/records", put)).status, 200);
    assert.equal((await send(player, "POST", "/v2/records", put)).status, 400);
    const weighed = [{ name: "www", priority: 10 }];
    assert.equal((await send(player, "POST", "/v2/records", weighed)).status, 400);
    assert.deepEqual(player.usedRules(), new Set([page, size, moved, priority, ttl]));
  });
});
