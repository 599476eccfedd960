import assert from "node:assert/strict";
import { afterEach, describe, it } from "node:test";
import {
  answer,
  failure,
  type ScriptedServer,
  type Step,
  scriptedServer,
} from "@mooring/testing/sdk/scripted-server";
import { Mooring } from "./client.ts";

describe("Mooring", () => {
  const open: ScriptedServer[] = [];
  afterEach(() => Promise.all(open.splice(0).map((server) => server.close())));

  async function serve(...steps: readonly Step[]): Promise<ScriptedServer> {
    const server = await scriptedServer(...steps);
    open.push(server);
    return server;
  }

  const page = (names: readonly string[], next: string | null) =>
    answer(200, { data: names.map((name) => ({ name })), next_cursor: next });

  it("yields every item of every page, with the query and the cursor of the page before", async () => {
    const server = await serve(page(["a", "b"], "c1"), page([], "c2"), page(["c"], null));
    const mooring = new Mooring({ apiKey: "k", baseUrl: server.url });
    const names: string[] = [];
    for await (const one of mooring.applications.list({ limit: 2 })) names.push(one.name);
    assert.deepEqual(names, ["a", "b", "c"]);
    assert.deepEqual(
      server.requests.map(({ url }) => url),
      [
        "/v1/applications?limit=2",
        "/v1/applications?limit=2&cursor=c1",
        "/v1/applications?limit=2&cursor=c2",
      ],
    );
  });

  it("fetches no further page once the loop is left", async () => {
    const server = await serve(page(["a", "b"], "c1"));
    const mooring = new Mooring({ apiKey: "k", baseUrl: server.url });
    for await (const one of mooring.applications.list()) {
      assert.equal(one.name, "a");
      break;
    }
    assert.equal(server.requests.length, 1);
  });

  it("sends nothing before a list is iterated, and starts again at each iteration", async () => {
    const server = await serve(page(["a"], null), page(["a", "b"], null), page(["b"], "c2"));
    const mooring = new Mooring({ apiKey: "k", baseUrl: server.url });
    const list = mooring.applications.list();
    assert.equal(server.requests.length, 0);
    assert.equal((await list.toArray()).length, 1);
    assert.equal((await list.toArray()).length, 2);
    assert.equal((await list.page()).next_cursor, "c2");
  });

  it("ends a loop with the error of the page that failed", async () => {
    const server = await serve(page(["a"], "c1"), failure(400, "invalid"));
    const mooring = new Mooring({ apiKey: "k", baseUrl: server.url });
    const names: string[] = [];
    await assert.rejects(
      async () => {
        for await (const one of mooring.applications.list()) names.push(one.name);
      },
      { code: "invalid" },
    );
    assert.deepEqual(names, ["a"]);
  });

  it("waits and retries automatically", async () => {
    const server = await serve(failure(503, "unavailable"), answer(200, { data: [] }));
    const mooring = new Mooring({ apiKey: "k", baseUrl: server.url });
    assert.deepEqual(await mooring.plans.list(), []);
    assert.equal(server.requests.length, 2);
  });

  it("preserves a path prefix of the base URL and drops its trailing slashes", async () => {
    const server = await serve(answer(200, { data: [] }));
    const mooring = new Mooring({ token: "t", baseUrl: `${server.url}/domains//` });
    await mooring.providers.list();
    assert.equal(server.requests[0]?.url, "/domains/v1/providers");
    assert.equal(server.requests[0]?.headers.authorization, "Bearer t");
  });

  it("uses the given fetch", async () => {
    const requested: string[] = [];
    const mooring = new Mooring({
      apiKey: "k",
      baseUrl: "https://api.example",
      fetch: async (input) => {
        requested.push(String(input));
        return Response.json({ data: [] });
      },
    });
    await mooring.plans.list();
    assert.deepEqual(requested, ["https://api.example/v1/plans"]);
  });

  it("resolves with undefined for a response without a body", async () => {
    const server = await serve((response) => void response.writeHead(204).end());
    const mooring = new Mooring({ apiKey: "k", baseUrl: server.url });
    assert.equal(await mooring.credentials.delete("a", "c"), undefined);
    assert.deepEqual(
      server.requests.map(({ method, url }) => [method, url]),
      [["DELETE", "/v1/applications/a/credentials/c"]],
    );
  });

  it("refuses invalid options without showing the credential", () => {
    for (const baseUrl of ["", "api.example", "ftp://api.example", "https://api.example/?a=b"]) {
      assert.throws(() => new Mooring({ apiKey: "k", baseUrl }), TypeError);
    }
    const baseUrl = "https://api.example";
    for (const apiKey of ["", "sk_live_\nsecret", "sk live"]) {
      assert.throws(
        () => new Mooring({ apiKey, baseUrl }),
        (error) => error instanceof TypeError && !error.message.includes("secret"),
      );
    }
    const made = (...args: unknown[]) => Reflect.construct(Mooring, args);
    assert.throws(() => made(), /the options are undefined\. Give `\{ apiKey, baseUrl \}`\.$/);
    assert.throws(() => made({ apiKey: "k" }), /`baseUrl` is undefined\. .* is MOORING_URL set\?$/);
    assert.throws(() => made({ baseUrl }), /`apiKey` is undefined\. .*is MOORING_API_KEY set\?/);
    assert.throws(() => new Mooring({ apiKey: "k", baseUrl, timeoutMs: 0 }), TypeError);
    assert.throws(() => new Mooring({ apiKey: "k", baseUrl, retries: Number.NaN }), TypeError);
  });

  it("does not show its credential when it is printed", async () => {
    const { inspect } = await import("node:util");
    const mooring = new Mooring({ apiKey: "sk_live_secret", baseUrl: "https://api.example" });
    assert.doesNotMatch(inspect(mooring, { depth: 9, showHidden: true }), /sk_live_secret/);
    assert.doesNotMatch(JSON.stringify(mooring), /sk_live_secret/);
  });
});
