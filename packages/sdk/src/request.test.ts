import assert from "node:assert/strict";
import { afterEach, describe, it } from "node:test";
import {
  answer,
  failure,
  hangUp,
  type ScriptedServer,
  type Step,
  scriptedServer,
  stallHalfway,
} from "@mooring/testing/sdk/scripted-server";
import fc from "fast-check";
import { type Api, createApi } from "./api.ts";
import { ApiError, ConnectionError, TimeoutError } from "./errors.ts";
import { retryWaitMs } from "./request.ts";

const application = { id: "0198", name: "Shop" };

interface Setup {
  readonly api: Api;
  readonly server: ScriptedServer;
  /** The requested length of each wait between attempts. */
  readonly waits: readonly number[];
}

describe("requests", () => {
  const open: ScriptedServer[] = [];
  afterEach(() => Promise.all(open.splice(0).map((server) => server.close())));

  async function setup(steps: readonly Step[], timeoutMs = 5_000): Promise<Setup> {
    const server = await scriptedServer(...steps);
    open.push(server);
    const waits: number[] = [];
    const api = createApi({
      baseUrl: server.url,
      credential: { secret: "sk_test_x" },
      policy: { timeoutMs, retries: 2 },
      wire: { fetch, sleep: async (ms) => void waits.push(ms), random: () => 0.5 },
    });
    return { api, server, waits };
  }

  const get = (api: Api) => api.call("get_applications_id", { params: { id: "a/b?c" } });
  const create = (api: Api) => api.call("post_applications", { body: { name: "Shop" } });
  const createKey = (api: Api) =>
    api.call("post_applications_id_keys", { params: { id: "0198" }, body: { name: "k" } });

  it("sends the credential, escapes the path and returns the body of the response", async () => {
    const { api, server } = await setup([answer(200, application)]);
    assert.deepEqual(await get(api), application);
    const [request] = server.requests;
    assert.equal(request?.url, "/v1/applications/a%2Fb%3Fc");
    assert.equal(request?.headers.authorization, "Bearer sk_test_x");
    assert.equal(request?.headers["content-type"], undefined);
    assert.equal(request?.headers["idempotency-key"], undefined);
  });

  it("refuses a path parameter that would reach another path", async () => {
    const { api, server } = await setup([]);
    for (const id of ["", ".", ".."]) {
      await assert.rejects(api.call("get_applications_id", { params: { id } }), TypeError);
    }
    assert.equal(server.requests.length, 0);
  });

  it("retries a read after a broken connection, 429, 502, 503 and 504", async () => {
    for (const step of [
      hangUp,
      failure(429, "rate_limited"),
      answer(502, "<html>bad gateway</html>"),
      failure(503, "unavailable"),
      answer(504, ""),
    ]) {
      const { api, server, waits } = await setup([step, answer(200, application)]);
      assert.deepEqual(await get(api), application);
      assert.equal(server.requests.length, 2);
      assert.deepEqual(waits, [375]);
    }
  });

  it("waits as long as Retry-After says, and throws when that is over a minute", async () => {
    const patient = await setup([
      failure(429, "rate_limited", { "retry-after": "7" }),
      answer(200, application),
    ]);
    await get(patient.api);
    assert.deepEqual(patient.waits, [7_000]);

    const long = await setup([failure(429, "rate_limited", { "retry-after": "61" })]);
    await assert.rejects(get(long.api), (error) => {
      assert.ok(error instanceof ApiError);
      assert.equal(error.retryAfter, 61);
      return true;
    });
    assert.deepEqual(long.waits, []);
  });

  it("reads a Retry-After that is a date", async () => {
    const at = new Date(Date.now() + 30_000).toUTCString();
    const { api, waits } = await setup([
      failure(503, "unavailable", { "retry-after": at }),
      answer(200, application),
    ]);
    await get(api);
    assert.ok((waits[0] ?? 0) > 25_000 && (waits[0] ?? 0) <= 31_000, String(waits));
  });

  it("gives up after the last attempt with the last error", async () => {
    const { api, server, waits } = await setup([
      hangUp,
      failure(503, "unavailable"),
      failure(429, "rate_limited", { "retry-after": "1" }),
    ]);
    await assert.rejects(get(api), { name: "ApiError", code: "rate_limited", retryAfter: 1 });
    assert.equal(server.requests.length, 3);
    assert.deepEqual(waits, [375, 750]);
  });

  it("retries a create with the same Idempotency-Key, and uses another for the next call", async () => {
    const { api, server } = await setup([
      hangUp,
      failure(409, "idempotency_in_progress"),
      answer(201, application),
      answer(201, application),
    ]);
    await create(api);
    await create(api);
    const keys = server.requests.map((request) => request.headers["idempotency-key"]);
    assert.match(String(keys[0]), /^[0-9a-f]{32}$/);
    assert.deepEqual(keys.slice(1, 3), [keys[0], keys[0]]);
    assert.notEqual(keys[3], keys[0]);
    assert.deepEqual(new Set(server.requests.map((request) => request.body)).size, 1);
  });

  it("sends the caller's Idempotency-Key", async () => {
    const { api, server } = await setup([answer(201, application)]);
    await api.call("post_applications", { body: { name: "x" } }, { idempotencyKey: "order-7" });
    assert.equal(server.requests[0]?.headers["idempotency-key"], "order-7");
  });

  it("never retries a write that the server could execute twice, even when a key is given", async () => {
    for (const step of [hangUp, failure(503, "unavailable"), failure(429, "rate_limited")]) {
      const { api, server } = await setup([step]);
      await assert.rejects(createKey(api));
      assert.equal(server.requests.length, 1);
    }
    const { api, server } = await setup([hangUp]);
    const input = { params: { id: "0198" }, body: { name: "k" } };
    await assert.rejects(
      api.call("post_applications_id_keys", input, { idempotencyKey: "k" }),
      ConnectionError,
    );
    assert.equal(server.requests.length, 1);
    assert.equal(server.requests[0]?.headers["idempotency-key"], undefined);
  });

  it("does not retry an error that a retry cannot fix", async () => {
    for (const step of [
      failure(400, "invalid"),
      failure(401, "unauthorized"),
      failure(404, "not_found"),
      failure(409, "conflict"),
      failure(422, "idempotency_mismatch"),
      failure(500, "internal"),
      failure(502, "billing_unavailable"),
      failure(502, "provider_error"),
    ]) {
      const { api, server, waits } = await setup([step]);
      await assert.rejects(create(api), ApiError);
      assert.equal(server.requests.length, 1);
      assert.deepEqual(waits, []);
    }
  });

  it("reports the code, details, request id and upgrade URL of an error", async () => {
    const error = { code: "QuotaExceeded", message: "the plan is full", details: { limit: 10 } };
    const body = { error, upgrade_url: "https://up.example" };
    const { api } = await setup([answer(402, body, { "x-request-id": "ref-9" })]);
    await assert.rejects(create(api), {
      name: "ApiError",
      message: "the plan is full",
      status: 402,
      code: "QuotaExceeded",
      details: { limit: 10 },
      requestId: "ref-9",
      retryAfter: null,
      upgradeUrl: "https://up.example",
    });
  });

  it("reports an error without an envelope, and a success that is not JSON, as unknown", async () => {
    const gateway = await setup([answer(418, "<html>")]);
    await assert.rejects(get(gateway.api), { name: "ApiError", status: 418, code: "unknown" });
    const page = await setup([answer(200, "<html>a page</html>")]);
    await assert.rejects(get(page.api), { name: "ApiError", status: 200, code: "unknown" });
  });

  it("aborts an attempt that exceeds the time limit, also in the middle of its response", async () => {
    const { api, server } = await setup([stallHalfway, answer(200, application)], 2_000);
    assert.deepEqual(await get(api), application);
    assert.equal(server.requests.length, 2);

    const { api: slow } = await setup([() => undefined, () => undefined, () => undefined], 30);
    await assert.rejects(get(slow), (error) => {
      assert.ok(error instanceof TimeoutError && error instanceof ConnectionError);
      assert.equal(error.timeoutMs, 30);
      return true;
    });
  });

  it("rejects with the signal's reason when the caller aborts, and sends no further request", async () => {
    const controller = new AbortController();
    const reason = new Error("the page was left");
    const { api, server } = await setup([() => controller.abort(reason)]);
    const { signal } = controller;
    await assert.rejects(api.call("get_plans", {}, { signal }), (error) => error === reason);
    await assert.rejects(api.call("get_plans", {}, { signal }), (error) => error === reason);
    assert.equal(server.requests.length, 1);
  });

  it("does not follow a redirect, which could turn a write into a read, and says where it leads", async () => {
    const elsewhere = answer(302, "", { location: "https://other.example/v1/applications?x=1" });
    const { api, server, waits } = await setup([elsewhere]);
    await assert.rejects(create(api), (error) => {
      assert.ok(error instanceof ApiError);
      assert.deepEqual([error.status, error.code], [302, "unknown"]);
      assert.match(error.message, /redirects to https:\/\/other\.example, .*`baseUrl`/);
      return true;
    });
    assert.deepEqual(
      server.requests.map(({ method }) => method),
      ["POST"],
    );
    assert.deepEqual(waits, []);
  });

  it("refuses a redirect of which a browser shows nothing", async () => {
    const { api, server } = await setup([]);
    const opaque = Object.defineProperties(Response.error(), {
      type: { value: "opaqueredirect" },
    });
    const asked: RequestInit[] = [];
    const browser = createApi({
      baseUrl: server.url,
      credential: { secret: "sk_test_x" },
      policy: { timeoutMs: 5_000, retries: 2 },
      wire: {
        ...api.wire,
        fetch: async (_url, init) => {
          asked.push(init ?? {});
          return opaque;
        },
      },
    });
    await assert.rejects(create(browser), /redirects elsewhere/);
    // Workers refuse `error`, and `follow` would send the key along.
    assert.deepEqual(
      asked.map(({ redirect }) => redirect),
      ["manual"],
    );
    const streamed = browser.openStream("get_events_stream", {}, null, null);
    await assert.rejects(streamed, /redirects elsewhere/);
  });

  it("omits query values that are not given and escapes the others", async () => {
    const { api, server } = await setup([answer(200, { data: [], next_cursor: null })]);
    await api.call("get_applications", { query: { cursor: "a&b=c" } });
    assert.equal(server.requests[0]?.url, "/v1/applications?cursor=a%26b%3Dc");
  });

  it("never waits less than half of the schedule nor longer than a minute", () => {
    fc.assert(
      fc.property(
        fc.nat(50),
        fc.double({ min: 0, max: 0.999, noNaN: true }),
        fc.option(fc.nat(600)),
        (attempt, chance, retryAfter) => {
          const error = new ApiError({
            status: 503,
            code: "unavailable",
            message: "away",
            details: null,
            requestId: null,
            retryAfter,
            upgradeUrl: null,
          });
          const waitMs = retryWaitMs(error, attempt, () => chance);
          if (retryAfter !== null && retryAfter > 60) return waitMs === null;
          return waitMs !== null && waitMs >= 250 && waitMs <= 60_000;
        },
      ),
    );
  });
});
