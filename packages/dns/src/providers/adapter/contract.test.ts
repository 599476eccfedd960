import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { manifest as route53 } from "../route53/manifest.ts";
import { defineProvider } from "./contract.ts";
import { ProviderError } from "./errors.ts";
import { createProviderHttp, pause } from "./http.ts";
import { text } from "./json.ts";
import { allPages, ignoreNotFound, jsonApi, requireCount } from "./json-api.ts";
import { requireTexts } from "./rows.ts";
import { tokenSource } from "./session.ts";

const signal = new AbortController().signal;
const isKind = (kind: ProviderError["kind"]) => (error: unknown) =>
  error instanceof ProviderError && error.kind === kind;

describe("defineProvider", () => {
  const adapter = defineProvider(route53, (credentials) => {
    throw new Error(JSON.stringify(credentials));
  });
  const good = { access_key_id: " AKID ", secret_access_key: "secret" };

  it("hands over the known fields, trimmed, and leaves out empty ones", () => {
    const opening = () => adapter.open({ ...good, session_token: " ", stray: "x" }, { fetch });
    assert.throws(opening, { message: '{"access_key_id":"AKID","secret_access_key":"secret"}' });
  });

  it("names a required field that is missing", () => {
    assert.throws(
      () => adapter.open({ access_key_id: "AKID" }, { fetch }),
      /Secret access key is missing/,
    );
  });

  it("refuses a line break, which would end a header, and does not repeat the value", () => {
    const opening = () => adapter.open({ ...good, secret_access_key: "se\r\ncret" }, { fetch });
    assert.throws(opening, (error) => isKind("auth")(error) && !String(error).includes("cret\n"));
  });
});

describe("the zones of a provider", () => {
  it("leave out one that cannot be addressed", async () => {
    const zones = [
      { id: "1", name: "Shop.example.", nameservers: [] },
      { id: "", name: "no-key.example", nameservers: [] },
      { id: "\ud800", name: "half-a-character.example", nameservers: [] },
      { id: "4", name: "no name", nameservers: [] },
    ];
    const adapter = defineProvider(route53, () => ({
      listZones: async () => zones,
      listRecords: () => assert.fail(),
      apply: () => assert.fail(),
    }));
    const provider = adapter.open({ access_key_id: "a", secret_access_key: "b" }, { fetch });
    const listed = await provider.listZones(signal);
    assert.deepEqual(listed, [{ id: "1", name: "shop.example", nameservers: [] }]);
  });
});

describe("pause", () => {
  it("ends with the reason of the signal", async () => {
    const controller = new AbortController();
    const pending = pause(60_000, controller.signal);
    const reason = new Error("enough");
    controller.abort(reason);
    await assert.rejects(pending, (error) => error === reason);
  });
});

describe("allPages", () => {
  it("continues until there is no next page", async () => {
    const pages = [["a"], ["b", "c"], []];
    const items = await allPages(async (cursor: number | null) => {
      const at = cursor ?? 0;
      return { items: pages[at] ?? [], next: at < 2 ? at + 1 : null };
    });
    assert.deepEqual(items, ["a", "b", "c"]);
  });

  it("gives up on pages that go in circles", async () => {
    const circling = allPages(async () => ({ items: [], next: "again" }));
    await assert.rejects(circling, isKind("unavailable"));
  });
});

describe("requireCount, ignoreNotFound and requireTexts", () => {
  it("refuse a list that is shorter than announced", () => {
    requireCount(["a"], 1);
    assert.throws(() => requireCount(["a"], 2), isKind("unavailable"));
  });

  it("take a missing record for a deleted one, and nothing else", async () => {
    await ignoreNotFound(Promise.reject(new ProviderError("not_found", "gone")));
    await assert.rejects(
      ignoreNotFound(Promise.reject(new ProviderError("auth", "no"))),
      isKind("auth"),
    );
  });

  it("apply to texts only", () => {
    const base = { name: "a.example.com", ttl: 300, priority: null };
    const limits = { forbidden: /"/, mostCharacters: 5 };
    requireTexts(
      [
        { ...base, type: "CAA", value: '0 issue "ca"' },
        { ...base, type: "TXT", value: "short" },
      ],
      limits,
    );
    for (const value of ['a"b', "longer"]) {
      assert.throws(
        () => requireTexts([{ ...base, type: "TXT", value }], limits),
        isKind("unsupported"),
      );
    }
  });
});

describe("jsonApi", () => {
  it("sends what it is asked to and reads the answer", async () => {
    const observed: { url: string; init: RequestInit }[] = [];
    const http = createProviderHttp({
      secrets: [],
      fetch: async (url, init) => {
        observed.push({ url, init });
        return new Response('"fine"', { headers: { "x-next": "2" } });
      },
    });
    const api = jsonApi(http, {
      baseUrl: "https://api.example.net/v1",
      headers: { "x-key": "k" },
      explain: () => null,
      authorize: async ({ method, url, body }) => ({ "x-signed": `${method} ${url} ${body}` }),
    });
    const call = {
      method: "POST",
      path: "/a",
      query: { q: "a b&c", n: 1 },
      body: { x: 1 },
    } as const;
    assert.equal(await api.read(call, text, signal), "fine");
    const url = "https://api.example.net/v1/a?q=a%20b%26c&n=1";
    assert.equal(observed[0]?.url, url);
    assert.deepEqual(observed[0]?.init.headers, {
      accept: "application/json",
      "x-key": "k",
      "content-type": "application/json",
      "x-signed": `POST ${url} {"x":1}`,
    });
    const { headers } = await api.page({ path: "/b" }, text, signal);
    assert.equal(headers.get("x-next"), "2");
    assert.equal(observed[1]?.init.body, undefined);
    // A cursor that a provider named.
    const next = { path: "/b", query: { cursor: "\ud800" } };
    await assert.rejects(api.read(next, text, signal), isKind("unavailable"));
    assert.equal(observed.length, 2);
  });
});

describe("tokenSource", () => {
  it("gets a token once and again when it is about to expire", async () => {
    let [now, grants] = [0, 0];
    const http = createProviderHttp({
      secrets: [],
      fetch: async (_url, init) => {
        grants += 1;
        return Response.json({ access_token: `${String(init.body)}-${grants}`, expires_in: 3_600 });
      },
    });
    const source = tokenSource(
      http,
      () => new Date(now),
      () => ({ url: "https://login.example.net", form: { a: "b" } }),
    );
    assert.deepEqual(await source.headers(signal), { authorization: "Bearer a=b-1" });
    now = 3_539_000;
    assert.deepEqual(await source.headers(signal), { authorization: "Bearer a=b-1" });
    now = 3_541_000;
    assert.deepEqual(await source.headers(signal), { authorization: "Bearer a=b-2" });
  });

  it("takes a refused grant for a wrong credential", async () => {
    const http = createProviderHttp({
      secrets: [],
      fetch: async () => Response.json({ error: "invalid_grant" }, { status: 400 }),
    });
    const source = tokenSource(
      http,
      () => new Date(),
      () => ({ url: "https://login.example.net", form: {} }),
    );
    await assert.rejects(source.headers(signal), isKind("auth"));
  });
});
