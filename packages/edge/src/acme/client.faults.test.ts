import assert from "node:assert/strict";
import { after, before, beforeEach, describe, it } from "node:test";
import { fastTimings } from "@mooring/testing/acme/issue";
import {
  type ScriptedAcme,
  type ScriptedRequest,
  startScriptedAcme,
} from "@mooring/testing/acme/scripted-acme";
import { problem, type Reply } from "@mooring/testing/acme/scripted-acme-ca";
import { generateKey } from "../x509/keys.ts";
import { type AcmeClient, type AcmeClientOptions, createAcmeClient } from "./client.ts";
import { createDirectorySource } from "./directory.ts";
import { AcmeError, toErrorCode } from "./error.ts";
import { productionTimings } from "./transport.ts";

let server: ScriptedAcme;

before(async () => {
  server = await startScriptedAcme();
});
beforeEach(() => {
  server.intervene = () => null;
  server.seen.length = 0;
});
after(() => server?.stop());

/** A clock that only waiting moves, so that minutes pass at once. */
function quickTime() {
  let now = Date.parse("2026-11-15T00:00:00Z");
  const waits: number[] = [];
  return {
    waits,
    clock: { now: () => new Date(now) },
    wait: async (ms: number, signal: AbortSignal) => {
      signal.throwIfAborted();
      waits.push(ms);
      now += ms;
    },
  };
}

async function newClient(options: Partial<AcmeClientOptions> = {}): Promise<AcmeClient> {
  return createAcmeClient({
    directoryUrl: server.directoryUrl,
    accountKey: await generateKey(),
    fetch: server.fetch,
    clock: { now: () => new Date() },
    timings: fastTimings,
    ...options,
  });
}

const isNewOrder = ({ resource, isNew }: ScriptedRequest) => resource === "order" && isNew;

function onNewOrder(what: ReturnType<ScriptedAcme["intervene"]>): void {
  server.intervene = (request) => (isNewOrder(request) ? what : null);
}

async function failureOf(work: Promise<unknown>): Promise<AcmeError> {
  const outcome = await work.then(
    () => null,
    (error: unknown) => error,
  );
  assert.ok(outcome instanceof AcmeError, `not an AcmeError: ${String(outcome)}`);
  return outcome;
}

describe("a rate limit", () => {
  it("is passed on at once with the time to wait, and not tried again", async () => {
    const client = await newClient();
    onNewOrder({
      ...problem(429, "rateLimited", "too many orders"),
      headers: { "retry-after": "3600" },
    });
    const error = await failureOf(client.newOrder("limited.example"));
    assert.equal(error.kind, "problem");
    assert.equal(error.detail, "too many orders");
    assert.equal(error.retryAfterSeconds, 3_600);
    assert.equal(toErrorCode(error), "ca_rate_limited");
    assert.equal(server.count("order", true), 1);
  });

  it("leaves other requests unaffected", async () => {
    const client = await newClient();
    server.intervene = (request) =>
      isNewOrder(request) && JSON.stringify(request.payload).includes("limited.example")
        ? { ...problem(429, "rateLimited"), headers: { "retry-after": "60" } }
        : null;
    const [limited, other] = await Promise.allSettled([
      client.newOrder("limited.example"),
      client.newOrder("other.example"),
    ]);
    assert.equal(limited.status, "rejected");
    assert.equal(other.status, "fulfilled");
  });
});

describe("a CA in trouble", () => {
  it("gets three tries, and the error says what it answered last", async () => {
    const client = await newClient();
    onNewOrder({ status: 500, body: "<html>oops</html>" });
    const error = await failureOf(client.newOrder("broken.example"));
    assert.equal(error.kind, "problem");
    assert.equal(error.problem?.status, 500);
    assert.equal(toErrorCode(error), "ca_unavailable");
    assert.equal(server.count("order", true), 3);
  });

  it("is waited for as long as it asks when that is short, and left alone when it is long", async () => {
    const { waits, ...time } = quickTime();
    const client = await newClient({ ...time, timings: {} });
    onNewOrder({ status: 503, headers: { "retry-after": "7" }, body: "busy" });
    await failureOf(client.newOrder("busy.example"));
    assert.deepEqual(waits, [7_000, 7_000]);
    onNewOrder({ status: 503, headers: { "retry-after": "600" }, body: "busy" });
    const error = await failureOf(client.newOrder("busy.example"));
    assert.equal(error.retryAfterSeconds, 600);
    assert.equal(waits.length, 2);
  });

  it("that cuts connections is unreachable after three tries", async () => {
    const client = await newClient();
    onNewOrder("reset");
    const error = await failureOf(client.newOrder("reset.example"));
    assert.equal(error.kind, "unreachable");
    assert.equal(error.problem, null);
    assert.equal(server.count("order", true), 3);
  });

  it("that does not answer a POST is given up within the time limit", async () => {
    const client = await newClient({
      timings: { ...fastTimings, requestTimeoutMs: 1_500, tries: 2 },
    });
    await client.account();
    onNewOrder("hang");
    const startedAt = performance.now();
    const error = await failureOf(client.newOrder("hanging.example"));
    assert.equal(error.kind, "unreachable");
    assert.match(error.message, /time limit/);
    assert.ok(performance.now() - startedAt < 25_000);
    server.intervene = () => null;
    assert.equal((await client.newOrder("hanging.example")).status, "pending");
  });

  it("that does not answer lets go of the request when the caller gives up", async () => {
    const client = await newClient();
    await client.account();
    const stop = new AbortController();
    server.intervene = (request) => {
      if (!isNewOrder(request)) return null;
      setImmediate(() => stop.abort(new Error("shutting down")));
      return "hang";
    };
    await assert.rejects(client.newOrder("hanging.example", {}, stop.signal), {
      message: "shutting down",
    });
  });

  it("that is down altogether is unreachable", async () => {
    const stopped = await startScriptedAcme();
    await stopped.stop();
    const client = await newClient({ directoryUrl: stopped.directoryUrl, fetch: stopped.fetch });
    assert.equal((await failureOf(client.account())).kind, "unreachable");
  });

  it("is used with its last directory while it is unreachable", async () => {
    const { waits: _, ...time } = quickTime();
    const transport = { ...time, fetch: server.fetch, timings: productionTimings };
    const directory = createDirectorySource(server.directoryUrl, transport);
    const { signal } = new AbortController();
    const first = await directory(signal);
    server.intervene = ({ resource }) => (resource === "directory" ? "reset" : null);
    await time.wait(2 * 3_600_000, signal);
    assert.deepEqual(await directory(signal), first);
    assert.ok(server.count("directory") > 1);
  });
});

describe("polling", () => {
  const stuck = {
    status: "pending",
    identifier: { type: "dns", value: "x.example" },
    challenges: [],
  };

  it("doubles its pauses from 25 ms to ten seconds and gives up after two minutes", async () => {
    const { waits, ...time } = quickTime();
    const client = await newClient({ ...time, timings: {} });
    const { authorizations } = await client.newOrder("slow.example");
    server.intervene = ({ resource }) =>
      resource === "authz" ? { status: 200, body: stuck } : null;
    const error = await failureOf(client.waitValid(authorizations[0] ?? ""));
    assert.equal(error.kind, "pending");
    assert.deepEqual(waits.slice(0, 10), [25, 50, 100, 200, 400, 800, 1_600, 3_200, 6_400, 10_000]);
    const total = waits.reduce((sum, ms) => sum + ms, 0);
    assert.ok(total > 100_000 && total <= 120_000, String(total));
  });

  it("takes the pause that the CA names, and gives up at once when it is longer than the time left", async () => {
    const { waits, ...time } = quickTime();
    const client = await newClient({ ...time, timings: {} });
    const { authorizations } = await client.newOrder("slow.example");
    let seconds = "5";
    server.intervene = ({ resource }) =>
      resource === "authz"
        ? { status: 200, headers: { "retry-after": seconds }, body: stuck }
        : null;
    await failureOf(client.waitValid(authorizations[0] ?? ""));
    assert.equal(waits.length, 24);
    assert.ok(waits.every((ms) => ms === 5_000));
    seconds = "300";
    const error = await failureOf(client.waitValid(authorizations[0] ?? ""));
    assert.equal(error.retryAfterSeconds, 300);
    assert.equal(waits.length, 24);
  });
});

describe("rejected nonces", () => {
  it("are replaced by the one in the rejection, ten tries and no more", async () => {
    const client = await newClient();
    await client.account();
    server.seen.length = 0;
    onNewOrder(problem(400, "badNonce"));
    const error = await failureOf(client.newOrder("nonce.example"));
    assert.equal(error.type, "urn:ietf:params:acme:error:badNonce");
    assert.equal(server.count("order", true), 10);
    assert.equal(server.count("nonce"), 0);
  });

  it("do not use up the tries of other faults", async () => {
    const client = await newClient();
    const script: Reply[] = [
      problem(400, "badNonce"),
      problem(500, "serverInternal"),
      problem(400, "badNonce"),
      problem(400, "badNonce"),
      problem(500, "serverInternal"),
    ];
    server.intervene = (request) => (isNewOrder(request) ? (script.shift() ?? null) : null);
    assert.equal((await client.newOrder("both.example")).status, "pending");
    assert.equal(server.count("order", true), 6);
  });

  it("that a CA forgets to send are fetched", async () => {
    const client = await newClient({
      fetch: async (input, init) => {
        const response = await server.fetch(input, init);
        if (init?.method === "POST") response.headers.delete("replay-nonce");
        return response;
      },
    });
    await client.newOrder("fetched.example");
    assert.equal(server.count("nonce"), 3, "lookup, creation, order");
  });
});
