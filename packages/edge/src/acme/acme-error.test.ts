import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { AcmeError, endsOrder, refusal } from "./acme-error.ts";
import { readProblem } from "./problem.ts";

const refused = (name: string, status: number | null) =>
  refusal(readProblem({ type: `urn:ietf:params:acme:error:${name}` }, status), null);

describe("endsOrder", () => {
  it("is so when the CA has judged the name or the request", () => {
    for (const name of ["unauthorized", "caa", "dns", "connection", "rejectedIdentifier"]) {
      assert.equal(endsOrder(refused(name, null)), true, name);
    }
    assert.equal(endsOrder(refused("badCSR", 400)), true);
  });

  it("is not so when the same order may succeed later", () => {
    const passing = [
      refused("badNonce", 400),
      refused("rateLimited", 403),
      refused("malformed", 429),
      refused("serverInternal", 500),
      refused("accountDoesNotExist", 400),
      new AcmeError("unreachable", "no answer"),
      new AcmeError("pending", "still under way"),
      new AcmeError("malformed", "nonsense"),
    ];
    for (const error of passing) assert.equal(endsOrder(error), false, error.message);
  });
});
