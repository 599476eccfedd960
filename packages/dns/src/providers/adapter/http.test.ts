import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { ProviderError } from "./errors.ts";
import { createProviderHttp, type Fetch, type HttpRequest } from "./http.ts";
import { decodeJson, number, object } from "./json.ts";

const getRequest: HttpRequest = { method: "GET", url: "https://api.example.net/zones" };
const postRequest: HttpRequest = {
  method: "POST",
  url: "https://api.example.net/zones",
  body: "{}",
};

/** Answers one after the other; the last one for ever. */
function scripted(...answers: readonly (() => Response | Promise<Response>)[]) {
  const observed: { url: string; init: RequestInit }[] = [];
  const pauses: number[] = [];
  const fetch: Fetch = async (url, init) => {
    const answer = answers[Math.min(observed.length, answers.length - 1)];
    observed.push({ url, init });
    assert.ok(answer !== undefined);
    return answer();
  };
  const wait = async (ms: number) => void pauses.push(ms);
  const http = createProviderHttp({
    fetch,
    secrets: ["s3cr3t-token"],
    wait,
    random: () => 0.5,
    maxBodyBytes: 1_000,
    timeoutMs: 10_000,
  });
  return { http, observed, pauses };
}

const reply =
  (status: number, body = "{}", headers: Record<string, string> = {}) =>
  () =>
    new Response(status === 204 ? null : body, { status, headers });
const signal = new AbortController().signal;

async function failure(promise: Promise<unknown>): Promise<ProviderError> {
  const error = await promise.then(
    () => null,
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof ProviderError, String(error));
  return error;
}

describe("createProviderHttp", () => {
  it("repeats a read after a server error, with growing pauses, and then gives up", async () => {
    const { http, observed, pauses } = scripted(reply(503));
    assert.equal((await failure(http.send(getRequest, signal))).kind, "unavailable");
    assert.equal(observed.length, 3);
    assert.deepEqual(pauses, [400, 1_600]);
  });

  it("does not send a write whose address lacks the key of one entry", async () => {
    const { http, observed } = scripted(reply(200));
    const base = "https://api.example.net/zones/z1/records";
    const broad = [
      "/",
      "//",
      "//17",
      "/.",
      "/..",
      "/%2e%2e",
      "/17/..",
      "/#17",
      "/17#",
      "\\..\\",
      "/?a=b",
    ];
    for (const method of ["DELETE", "PUT", "PATCH"] as const) {
      for (const end of broad) {
        const error = await failure(http.send({ method, url: `${base}${end}` }, signal));
        assert.equal(error.kind, "unsupported", `${method} ${end}`);
      }
    }
    const double = { method: "DELETE", url: `${base}//`, closingSlash: true } as const;
    assert.equal((await failure(http.send(double, signal))).kind, "unsupported");
    assert.deepEqual(observed, []);
    const sent: readonly HttpRequest[] = [
      { method: "DELETE", url: `${base}/17` },
      { method: "DELETE", url: `${base}/17/`, closingSlash: true },
      { method: "PUT", url: `${base}?ids=17` },
      { method: "POST", url: `${base}/` },
      { method: "POST", url: "https://api.example.net/" },
      { method: "POST", url: "https://api.example.net" },
      { method: "GET", url: `${base}/` },
    ];
    for (const request of sent) await http.send(request, signal);
    assert.equal(observed.length, sent.length);
  });

  it("signs each attempt again, and does not repeat a signature that fails", async () => {
    const { http, observed } = scripted(reply(503), reply(200));
    let nonce = 0;
    const sign = async () => {
      nonce += 1;
      return { "x-nonce": String(nonce) };
    };
    await http.send({ ...getRequest, sign }, signal);
    const sent = observed.map(({ init }) => new Headers(init.headers).get("x-nonce"));
    assert.deepEqual(sent, ["1", "2"]);
    const refuse = async () => {
      throw new ProviderError("unavailable", "The login failed.");
    };
    assert.equal(
      (await failure(http.send({ ...getRequest, sign: refuse }, signal))).kind,
      "unavailable",
    );
    assert.equal(observed.length, 2);
  });

  it("does not repeat a write whose effect is unknown", async () => {
    const { http, observed } = scripted(reply(500));
    assert.equal((await failure(http.send(postRequest, signal))).kind, "unavailable");
    assert.equal(observed.length, 1);
  });

  it("repeats a write that was refused for now, or is marked as safe to repeat", async () => {
    const throttled = scripted(reply(429), reply(200));
    assert.equal((await throttled.http.send(postRequest, signal)).status, 200);
    const marked = scripted(reply(502), reply(200));
    assert.equal(
      (await marked.http.send({ ...postRequest, idempotent: true }, signal)).status,
      200,
    );
  });

  it("waits as long as Retry-After says, in seconds or until a date, but not for minutes", async () => {
    const short = scripted(reply(429, "{}", { "retry-after": "3" }), reply(200));
    await short.http.send(getRequest, signal);
    assert.deepEqual(short.pauses, [3_000]);
    const past = scripted(
      reply(429, "{}", { "retry-after": new Date(0).toUTCString() }),
      reply(200),
    );
    await past.http.send(getRequest, signal);
    assert.deepEqual(past.pauses, [1]);
    const long = scripted(reply(429, "{}", { "retry-after": "60" }));
    assert.equal((await failure(long.http.send(getRequest, signal))).retryAfterSeconds, 60);
    // Thirty years would park a connection with its claim; six hours are believed at most.
    const endless = scripted(reply(429, "{}", { "retry-after": "999999999" }));
    assert.equal((await failure(endless.http.send(getRequest, signal))).retryAfterSeconds, 21_600);
    const nonsense = scripted(reply(429, "{}", { "retry-after": "soon" }), reply(200));
    await nonsense.http.send(getRequest, signal);
    assert.deepEqual(nonsense.pauses, [400]);
  });

  it("maps a status to a kind, and lets the adapter know better", async () => {
    const kinds = [
      [401, "auth"],
      [403, "auth"],
      [404, "not_found"],
      [409, "conflict"],
      [422, "unsupported"],
      [302, "unavailable"],
    ] as const;
    for (const [status, kind] of kinds) {
      const { http } = scripted(reply(status));
      assert.equal((await failure(http.send(postRequest, signal))).kind, kind, String(status));
    }
    const { http } = scripted(reply(405));
    const error = await failure(
      http.send(postRequest, signal, () => ({ kind: "rate_limited", message: "slow down" })),
    );
    assert.equal(error.kind, "rate_limited");
    assert.match(error.message, /slow down/);
  });

  it("never follows a redirect", async () => {
    const { http, observed } = scripted(reply(200));
    await http.send(getRequest, signal);
    assert.equal(observed[0]?.init.redirect, "manual");
  });

  it("removes secrets, control characters and endless texts from messages", async () => {
    const { http } = scripted(reply(401));
    const message = `Token s3cr3t-token\r\nis wrong ${"x".repeat(5_000)}`;
    const error = await failure(http.send(getRequest, signal, () => ({ message })));
    assert.ok(!error.message.includes("s3cr3t"));
    assert.match(error.message, /Token \[removed\] is wrong/);
    assert.ok(error.message.length < 450);
  });

  it("removes secrets from the cause as well", async () => {
    const { http } = scripted(() => {
      throw new TypeError("bad header Bearer s3cr3t-token", { cause: new Error("s3cr3t-token") });
    });
    const error = await failure(http.send(postRequest, signal));
    assert.ok(error.cause instanceof Error && error.cause.cause instanceof Error);
    assert.ok(!`${error.cause.message}${error.cause.cause.message}`.includes("s3cr3t"));
    const odd = scripted(() => Promise.reject("not an error"));
    assert.equal((await failure(odd.http.send(postRequest, signal))).kind, "unavailable");
  });

  it("refuses an answer that is too long", async () => {
    const { http } = scripted(reply(200, "x".repeat(2_000)));
    assert.match((await failure(http.send(postRequest, signal))).message, /too long/);
  });

  it("gives up after the time limit, and at once when cancelled", async () => {
    const stuck: Fetch = (_url, init) =>
      new Promise((_resolve, reject) => {
        init.signal?.addEventListener("abort", () => reject(init.signal?.reason));
      });
    const http = createProviderHttp({
      fetch: stuck,
      secrets: [],
      timeoutMs: 20,
      wait: async () => undefined,
    });
    assert.match((await failure(http.send(postRequest, signal))).message, /time limit/);
    const controller = new AbortController();
    const pending = http.send(postRequest, controller.signal);
    const reason = new Error("stop");
    controller.abort(reason);
    await assert.rejects(pending, (error) => error === reason);
    await assert.rejects(http.send(getRequest, controller.signal), (error) => error === reason);
  });
});

describe("decodeJson", () => {
  const answer = (text: string) => ({ status: 200, headers: new Headers(), text });

  it("gives the checked shape and drops the rest", () => {
    assert.deepEqual(decodeJson(answer('{"a":1,"b":2}'), object({ a: number })), { a: 1 });
  });

  it("takes anything else for a provider in trouble", () => {
    for (const text of ['{"a":', "<html>", '{"a":"1"}', "[]", "null"]) {
      assert.throws(() => decodeJson(answer(text), object({ a: number })), ProviderError, text);
    }
  });
});
