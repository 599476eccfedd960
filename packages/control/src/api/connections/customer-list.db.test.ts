import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { startTestApp, type TestApp } from "@mooring/testing/control/app";
import { call, textOf } from "@mooring/testing/control/http";
import { withoutLimits } from "@mooring/testing/control/world";

describe("a customer", () => {
  let app: TestApp;
  before(async () => {
    app = await startTestApp(withoutLimits);
  });
  after(() => app.close());

  it("is listed with counts, page by page, and found by a part of its id", async () => {
    const key = (await app.tenant("Many")).keys.test;
    const made = await call(app.api.url, "/v1/applications", { key, body: { name: "Many" } });
    const application = textOf(made, "id");
    const refs = ["Ärzte 1", "a_c", "abc", "b%d"].toSorted();
    for (const [index, customer_ref] of refs.entries()) {
      for (const label of ["one", "two"]) {
        const hostname = `${label}.customer${index}.test`;
        const body = { application_id: application, hostname, customer_ref };
        assert.equal((await call(app.api.url, "/v1/connections", { key, body })).status, 201);
      }
    }
    const list = async (query: string) => {
      const seen: Record<string, unknown>[] = [];
      let cursor = "";
      do {
        const page = await call(app.api.url, `/v1/customers?limit=1&${query}${cursor}`, { key });
        assert.equal(page.status, 200, page.text);
        seen.push(...(page.json()["data"] as Record<string, unknown>[]));
        const next = page.json()["next_cursor"];
        cursor = next === null ? "" : `&cursor=${encodeURIComponent(String(next))}`;
      } while (cursor !== "");
      return seen;
    };
    const all = await list("");
    assert.deepEqual(
      all.map(({ customer_ref }) => customer_ref),
      refs,
    );
    for (const row of all) {
      assert.partialDeepStrictEqual(row, { connections: 2, live: 0, stuck: 0 });
    }
    const found = async (q: string) =>
      (await list(`q=${encodeURIComponent(q)}`)).map(({ customer_ref }) => customer_ref);
    assert.deepEqual(await found("ÄRZ"), ["Ärzte 1"]);
    assert.deepEqual(await found("a_c"), ["a_c"]);
    assert.deepEqual(await found("%d"), ["b%d"]);
    assert.deepEqual(await found("customer1"), [], "the hostname is none of the customer's id");
    app.clock.advance(2 * 3_600_000);
    assert.partialDeepStrictEqual((await list("q=abc"))[0], { stuck: 2 });
    const token = textOf(
      await call(app.api.url, "/v1/tokens", {
        key,
        body: { application_id: application, customer_ref: "abc" },
      }),
      "auth_token",
    );
    assert.equal((await call(app.api.url, "/v1/customers", { key: token })).status, 403);
  });
});
