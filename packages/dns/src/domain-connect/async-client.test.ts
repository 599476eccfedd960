import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { ProviderError } from "../providers/adapter/errors.ts";
import type { Fetch } from "../providers/adapter/http.ts";
import {
  type AsyncClient,
  applyAsync,
  consentUrl,
  exchangeCode,
  refreshGrant,
  revertAsync,
} from "./async-client.ts";

interface Sent {
  readonly url: string;
  readonly init: RequestInit;
}

/** A client whose provider gives these answers in order, and what it was sent. */
function scripted(...answers: readonly (() => Response | Promise<Response>)[]) {
  const sent: Sent[] = [];
  const fetch: Fetch = async (url, init) => {
    sent.push({ url, init });
    const answer = answers[sent.length - 1];
    assert.ok(answer, "one request more than expected");
    return answer();
  };
  const client: AsyncClient = {
    urlAPI: "https://api.dns.example/dc",
    clientId: "mooring.example",
    clientSecret: "client-secret-value",
    fetch,
  };
  return { client, sent };
}

function json(status: number, body: unknown): () => Response {
  return () => new Response(JSON.stringify(body), { status });
}

const { signal } = new AbortController();
const back = "https://app.mooring.example/return";
const target = {
  template: { providerId: "mooring.example", serviceId: "sub" },
  domain: "acme.example",
  host: "shop",
  accessToken: "access-token-value",
};
const apply = { ...target, variables: { token: "a b" }, force: false };

async function failure(promise: Promise<unknown>): Promise<ProviderError> {
  const error = await promise.then(
    () => null,
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof ProviderError, String(error));
  return error;
}

describe("asking for consent to later changes", () => {
  const request = {
    urlAsyncUX: "https://dns.example/async",
    providerId: "mooring.example",
    serviceIds: ["sub", "apex"],
    clientId: "mooring.example",
    domain: "acme.example",
    host: "",
    redirectUri: back,
    state: "st+te",
    variables: { token: "t" },
  };

  it("names the services as scope, with the space encoded, and the apex by an empty host", () => {
    assert.equal(
      consentUrl(request),
      "https://dns.example/async/v2/domainTemplates/providers/mooring.example?domain=acme.example&host=&client_id=mooring.example&redirect_uri=https%3A%2F%2Fapp.mooring.example%2Freturn&response_type=code&scope=sub%20apex&state=st%2Bte&token=t",
    );
  });

  it("refuses services that are none, and variables with a name of the protocol", () => {
    assert.throws(() => consentUrl({ ...request, serviceIds: [] }), RangeError);
    assert.throws(() => consentUrl({ ...request, serviceIds: ["a b"] }), RangeError);
    assert.throws(() => consentUrl({ ...request, variables: { scope: "x" } }), RangeError);
  });
});

describe("turning consent into a grant", () => {
  const answer = {
    access_token: "at",
    token_type: "Bearer",
    expires_in: 60,
    refresh_token: "rt",
    more: 1,
  };

  it("sends the code and our secret in the body to the stored API only", async () => {
    const { client, sent } = scripted(json(200, answer));
    const grant = await exchangeCode(client, { code: "the-code", redirectUri: back }, signal);
    assert.deepEqual(grant, { accessToken: "at", refreshToken: "rt", expiresInSeconds: 60 });
    assert.equal(sent[0]?.url, "https://api.dns.example/dc/v2/oauth/access_token");
    assert.equal(sent[0]?.init.method, "POST");
    assert.equal(sent[0]?.init.redirect, "manual");
    assert.deepEqual(JSON.parse(String(sent[0]?.init.body)), {
      grant_type: "authorization_code",
      code: "the-code",
      redirect_uri: back,
      client_id: "mooring.example",
      client_secret: "client-secret-value",
    });
  });

  it("retains the refresh token where a refreshed grant brings none", async () => {
    const { client, sent } = scripted(json(200, { access_token: "at2" }));
    const grant = await refreshGrant(client, { refreshToken: "rt", redirectUri: back }, signal);
    assert.deepEqual(grant, { accessToken: "at2", refreshToken: "rt", expiresInSeconds: 3_600 });
    assert.match(String(sent[0]?.init.body), /"grant_type":"refresh_token","refresh_token":"rt"/);
  });

  it("distinguishes a refused grant from an unavailable provider, and retries neither", async () => {
    const cases = [
      [json(400, { error: "invalid_grant" }), "auth"],
      [json(401, { error: "invalid_client" }), "auth"],
      [json(500, {}), "unavailable"],
      [
        () => new Response(null, { status: 302, headers: { location: "https://x.example" } }),
        "unavailable",
      ],
      [() => new Response("<html>"), "unavailable"],
      [json(200, { token: "at" }), "unavailable"],
      [json(200, { ...answer, token_type: "mac" }), "unavailable"],
      [json(200, { ...answer, access_token: "line\nbreak" }), "unavailable"],
      [json(200, { ...answer, access_token: "x".repeat(9_000) }), "unavailable"],
      [() => new Response("x".repeat(70_000)), "unavailable"],
      [() => Promise.reject(new TypeError("fetch failed")), "unavailable"],
    ] as const;
    for (const [reply, kind] of cases) {
      const { client, sent } = scripted(reply);
      const error = await failure(
        exchangeCode(client, { code: "c0de-value", redirectUri: back }, signal),
      );
      assert.equal(error.kind, kind);
      assert.equal(sent.length, 1);
    }
  });

  it("never says a secret, whatever the other side echoes or the connection's error quotes", async () => {
    const quote = "client-secret-value c0de-value";
    const replies = [
      json(400, { error: quote, error_description: quote }),
      () => Promise.reject(new TypeError(quote, { cause: new Error(quote) })),
    ];
    for (const reply of replies) {
      const { client } = scripted(reply);
      const error = await failure(
        exchangeCode(client, { code: "c0de-value", redirectUri: back }, signal),
      );
      for (let one: unknown = error; one instanceof Error; one = one.cause) {
        assert.doesNotMatch(`${one.message} ${one.stack}`, /client-secret-value|c0de-value/);
      }
    }
  });

  it("ends with the caller's own reason when aborted", async () => {
    const controller = new AbortController();
    const { client } = scripted(() => {
      controller.abort(new Error("enough"));
      return new Promise<Response>((_, reject) => reject(controller.signal.reason));
    });
    const pending = exchangeCode(client, { code: "c", redirectUri: back }, controller.signal);
    await assert.rejects(pending, { message: "enough" });
  });
});

describe("applying a template with a grant", () => {
  it("carries the token in the header and the values in the query, without force", async () => {
    const { client, sent } = scripted(() => new Response(null, { status: 202 }));
    assert.deepEqual(await applyAsync(client, { ...apply, groupIds: ["g"] }, signal), {
      outcome: "applied",
    });
    assert.equal(
      sent[0]?.url,
      "https://api.dns.example/dc/v2/domainTemplates/providers/mooring.example/services/sub/apply?domain=acme.example&host=shop&groupId=g&force=0&token=a%20b",
    );
    assert.equal(
      new Headers(sent[0]?.init.headers).get("authorization"),
      "Bearer access-token-value",
    );
  });

  it("omits the host at the apex and says force as a number", async () => {
    const { client, sent } = scripted(json(200, {}));
    await applyAsync(client, { ...apply, host: "", force: true }, signal);
    assert.match(sent[0]?.url ?? "", /apply\?domain=acme\.example&force=1&token/);
  });

  it("returns the conflicting records, cut and cleaned", async () => {
    const records = [
      { type: "A", host: "@", data: "192.0.2.1" },
      { type: "CNAME", host: "www\u202e", pointsTo: "x".repeat(1_000) },
      "nonsense",
      { type: 5 },
    ];
    const { client } = scripted(json(409, { code: "conflict", records }));
    const result = await applyAsync(client, apply, signal);
    assert.ok(result.outcome === "conflict");
    assert.deepEqual(result.records, [
      { type: "A", host: "@", data: "192.0.2.1" },
      { type: "CNAME", host: "www", data: "x".repeat(300) },
      { type: "5", host: "", data: "" },
    ]);
    const { client: terse } = scripted(() => new Response("conflict", { status: 409 }));
    const bare = await applyAsync(terse, apply, signal);
    assert.deepEqual(bare, { outcome: "conflict", records: [] });
  });

  it("rejects with the kind of failure", async () => {
    for (const [status, kind] of [
      [400, "unsupported"],
      [401, "auth"],
      [403, "auth"],
      [404, "not_found"],
    ] as const) {
      const { client } = scripted(json(status, { message: "access-token-value" }));
      const error = await failure(applyAsync(client, apply, signal));
      assert.equal(error.kind, kind);
      assert.doesNotMatch(error.message, /access-token-value/);
    }
  });
});

describe("reverting a template", () => {
  it("distinguishes a reverted template from one that was not applied", async () => {
    const { client, sent } = scripted(json(200, {}), json(410, {}), json(404, {}));
    assert.deepEqual(await revertAsync(client, target, signal), { outcome: "reverted" });
    assert.deepEqual(await revertAsync(client, target, signal), { outcome: "not_applied" });
    assert.deepEqual(await revertAsync(client, target, signal), { outcome: "not_applied" });
    assert.match(sent[0]?.url ?? "", /\/sub\/revert\?domain=acme\.example&host=shop$/);
  });

  it("says where a provider does not know how to", async () => {
    const { client } = scripted(json(501, {}));
    assert.equal((await failure(revertAsync(client, target, signal))).kind, "unsupported");
  });
});
