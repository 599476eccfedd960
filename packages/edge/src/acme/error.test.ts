import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import {
  AcmeError,
  describeProblem,
  endsOrder,
  isProblem,
  readLimitScope,
  readProblem,
  refusal,
  toErrorCode,
} from "./error.ts";

const refused = (name: string, status: number | null) =>
  refusal(readProblem({ type: `urn:ietf:params:acme:error:${name}` }, status), null);

describe("endsOrder", () => {
  it("is so when the CA has judged the name or the request", () => {
    for (const name of ["unauthorized", "caa", "dns", "connection", "rejectedIdentifier"]) {
      assert.equal(endsOrder(refused(name, null)), true, name);
    }
    assert.equal(endsOrder(refused("badCSR", 400)), true);
    assert.equal(endsOrder(new AcmeError("unusable", "no chain")), true);
  });

  it("is not so when the same order may succeed later", () => {
    const passing = [
      refused("badNonce", 400),
      refused("rateLimited", 403),
      refused("malformed", 429),
      refused("serverInternal", 500),
      refused("accountDoesNotExist", 400),
      refused("unauthorized", 401),
      refusal(readProblem({ detail: "HTTP status 307" }, 307), null),
      new AcmeError("unreachable", "no answer"),
      new AcmeError("pending", "still pending"),
      new AcmeError("malformed", "nonsense"),
    ];
    for (const error of passing) assert.equal(endsOrder(error), false, error.message);
  });
});

const acme = (name: string) => `urn:ietf:params:acme:error:${name}`;

describe("readProblem", () => {
  it("has type, detail, the answer's status and the subproblems with their names", () => {
    const problem = readProblem(
      {
        type: acme("compound"),
        detail: "several things",
        status: 400,
        subproblems: [
          { type: acme("caa"), detail: "no", identifier: { type: "dns", value: "a.example" } },
        ],
      },
      403,
    );
    assert.deepEqual(problem, {
      type: acme("compound"),
      detail: "several things",
      status: 403,
      isAnswer: true,
      subproblems: [{ type: acme("caa"), detail: "no", identifier: "a.example" }],
    });
  });

  it("takes whatever a CA sends, in one bounded line without control characters", () => {
    const text = fc.string({ unit: "binary", maxLength: 2_000 });
    fc.assert(
      fc.property(fc.oneof(fc.anything(), fc.record({ type: text, detail: text })), (value) => {
        const line = describeProblem(readProblem(value, 400));
        assert.ok(line.length <= 1_010);
        assert.doesNotMatch(line, /[\p{Cc}\u2028\u2029]/u);
      }),
    );
  });
});

describe("toErrorCode", () => {
  const code = (type: string, inner: string[] = [], status = 400) =>
    toErrorCode(
      refusal(
        readProblem({ type, subproblems: inner.map((each) => ({ type: each })) }, status),
        null,
      ),
    );

  it("distinguishes rate limits, CAA and everything else, also inside a compound problem", () => {
    assert.equal(code(acme("rateLimited")), "ca_rate_limited");
    assert.equal(code("about:blank", [], 429), "ca_rate_limited");
    assert.equal(code(acme("caa")), "caa_forbidden");
    assert.equal(code(acme("compound"), [acme("dns"), acme("caa")]), "caa_forbidden");
    assert.equal(code(acme("compound"), [acme("caa"), acme("rateLimited")]), "ca_rate_limited");
    assert.equal(code(acme("connection")), "certificate_failed");
    assert.equal(code(acme("rejectedIdentifier")), "certificate_failed");
    assert.equal(toErrorCode(refused("unauthorized", null)), "certificate_failed");
    assert.equal(toErrorCode(new AcmeError("unusable", "no")), "certificate_failed");
  });

  it("blames the CA and not the name when it does not answer, fails, or is set up wrongly", () => {
    assert.equal(toErrorCode(new AcmeError("unreachable", "no")), "ca_unavailable");
    assert.equal(toErrorCode(new AcmeError("malformed", "no")), "ca_unavailable");
    assert.equal(code("about:blank", [], 307), "ca_unavailable");
    assert.equal(code("about:blank", [], 403), "ca_unavailable");
    assert.equal(code(acme("badNonce")), "ca_unavailable");
    assert.equal(code(acme("unauthorized"), [], 401), "ca_unavailable");
    assert.equal(code("about:blank", [], 503), "ca_unavailable");
    assert.equal(code(acme("invalidProfile")), "ca_unavailable");
    assert.equal(code(acme("externalAccountRequired")), "ca_unavailable");
  });
});

describe("readLimitScope", () => {
  const scope = (detail: string) =>
    readLimitScope(readProblem({ type: acme("rateLimited"), detail }, 429));

  it("reads from the words of Let's Encrypt what a rate limit concerns", () => {
    const until =
      "retry after 2026-11-15 12:00:00 UTC: see https://letsencrypt.org/docs/rate-limits/";
    const window = `in the last 168h0m0s, ${until}`;
    assert.equal(scope(`too many new orders (300) from this account ${window}`), "account");
    assert.equal(
      scope(`too many certificates (50) already issued for "a.example" ${window}`),
      "domain",
    );
    assert.equal(
      scope(`too many certificates (5) already issued for this exact set of identifiers ${window}`),
      "name",
    );
    assert.equal(scope(`too many failed authorizations (5) for "w.a.example" ${window}`), "name");
    assert.equal(scope("Service busy; retry later."), "account");
    assert.equal(readLimitScope(null), "account");
  });
});

describe("isProblem", () => {
  it("goes by the whole type", () => {
    assert.ok(isProblem(readProblem({ type: acme("badNonce") }, 400), "badNonce"));
    assert.ok(!isProblem(readProblem({ type: "badNonce" }, 400), "badNonce"));
    assert.ok(!isProblem(null, "badNonce"));
  });
});
