import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { notCompared } from "./cutover.ts";
import { compareOrigin } from "./cutover-origin.ts";

describe("the origin of a cut-over", () => {
  const page = (status: number, location: string | null = null) => ({ status, location });

  it("is fine when it answers like the old place, or the old place cannot be reached", () => {
    assert.equal(compareOrigin(page(200), page(204)).ok, true);
    assert.equal(compareOrigin(page(500), page(500)).ok, true);
    assert.equal(compareOrigin(page(301, "/a"), page(308, "/a")).ok, true);
    for (const reason of notCompared) {
      for (const status of [200, 404]) {
        const { ok, message, not_compared } = compareOrigin(reason, page(status));
        assert.deepEqual([ok, not_compared], [true, reason]);
        assert.match(message, /^Not compared: the /);
      }
    }
    assert.equal(compareOrigin(page(200), page(200)).not_compared, undefined);
  });

  it("is not when it answers differently", () => {
    assert.match(compareOrigin(page(200), page(404)).message, /old place says 200, the origin 404/);
    assert.equal(compareOrigin(page(301, "/a"), page(301, "/b")).ok, false);
  });

  it("is not when it does not answer, whatever the old place says", () => {
    for (const status of [502, 503, 504]) {
      for (const before of ["unreachable" as const, page(200), page(status), page(500)]) {
        const found = compareOrigin(before, page(status));
        assert.deepEqual(found, { ok: false, message: `The origin does not answer (${status}).` });
      }
    }
  });
});
