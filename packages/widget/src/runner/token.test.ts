import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { type Api, ApiProblem, createApi, createProblem } from "./api.ts";
import { createRenewal, readClaims } from "./token.ts";

/** An API that accepts one token only and records the tokens of all calls. */
function createDoor(good: string, token: () => string) {
  const used: string[] = [];
  const api: Api = {
    async call<R>(): Promise<R> {
      used.push(token());
      if (token() !== good) throw new ApiProblem(createProblem("unauthorized", "no"), 401);
      return JSON.parse('"in"');
    },
  };
  return { api, used };
}

const encodeToken = (claims: unknown) =>
  `h.${Buffer.from(JSON.stringify(claims)).toString("base64url")}.s`;

/** Before all others: it is said once in a page. */
describe("a token that", () => {
  it("names neither a customer nor a domain is reported to the developer, once", async (test) => {
    const warn = test.mock.method(console, "warn", () => undefined);
    const named = [encodeToken({ cus: "7" }), encodeToken({ domain: "shop.acme.com" }), null];
    for (const one of named) createRenewal(one, null);
    assert.equal(warn.mock.callCount(), 0);
    const renewal = createRenewal(encodeToken({ cus: "7" }), () => encodeToken({ sub: "app" }));
    await renewal.renew();
    createRenewal(encodeToken({ sub: "app" }), null);
    assert.equal(warn.mock.callCount(), 1);
    assert.match(String(warn.mock.calls[0]?.arguments[0]), /POST \/v1\/tokens with customer_ref/);
  });
});

describe("renewing a session", () => {
  it("requests one new token for concurrent refused calls", async () => {
    let asked = 0;
    const renewal = createRenewal("old", async () => {
      asked += 1;
      return "new";
    });
    const { api } = createDoor("new", renewal.token);
    const guarded = renewal.guard(api);
    const answers = await Promise.all([1, 2, 3].map(() => guarded.call<string>("GET", "x")));
    assert.deepEqual([answers, asked], [["in", "in", "in"], 1]);
  });

  it("fails when the new token is refused too, when there is none, and without getToken", async () => {
    const tries = [
      createRenewal("old", () => "also-old"),
      createRenewal("old", () => Promise.reject(new Error("no"))),
      createRenewal("old", () => ""),
      createRenewal("old", null),
      createRenewal(null, () => ""),
    ];
    for (const renewal of tries) {
      const { api } = createDoor("new", renewal.token);
      await assert.rejects(renewal.guard(api).call("GET", "x"), { status: 401 });
    }
  });

  it("requests the first token when none was given", async () => {
    const renewal = createRenewal(null, () => "new");
    const { api, used } = createDoor("new", renewal.token);
    assert.equal(await renewal.guard(api).call("GET", "x"), "in");
    assert.deepEqual(used, ["new"]);
  });
});

describe("calling the service", () => {
  const call = (answer: () => Promise<Response>) =>
    createApi({
      baseUrl: "http://127.0.0.1",
      token: () => "t",
      fetch: answer,
      signal: new AbortController().signal,
      origin: { isRefused: async () => false, noteAnswer: () => undefined },
    }).call("GET", "x");

  it("reads the error envelope, or derives a code without one", async () => {
    const envelope = {
      error: { code: "QuotaExceeded", message: "full", details: { limit: 10 } },
      upgrade_url: "https://up.example",
    };
    await assert.rejects(
      call(async () => Response.json(envelope, { status: 402, headers: { "retry-after": "7" } })),
      {
        problem: {
          ...createProblem("QuotaExceeded", "full"),
          upgradeUrl: "https://up.example",
          retryAfterSeconds: 7,
        },
      },
    );
    await assert.rejects(
      call(async () => new Response("<h1>Bad gateway</h1>", { status: 502 })),
      { status: 502, problem: createProblem("unavailable", "the response has status 502") },
    );
    await assert.rejects(
      call(async () => new Response("hello")),
      { status: 200 },
    );
    await assert.rejects(
      call(() => Promise.reject(new TypeError("fetch failed"))),
      {
        status: 0,
        problem: createProblem("network", "the service could not be reached"),
      },
    );
  });
});

describe("the claims of a token", () => {
  const token = encodeToken;

  it("are read from it, and absent in any other token", () => {
    assert.deepEqual(readClaims(token({ domain: "shop.acme.com" })), {
      domain: "shop.acme.com",
      isOfCustomer: false,
    });
    assert.deepEqual(readClaims(token({ cus: "käse 7" })), { domain: null, isOfCustomer: true });
    for (const other of [
      null,
      "",
      "a.b",
      "a.%%%.c",
      token({}),
      token(null),
      token({ domain: 1 }),
    ]) {
      assert.deepEqual(readClaims(other), { domain: null, isOfCustomer: false });
    }
  });
});
