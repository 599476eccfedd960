import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { startTestApp } from "@mooring/testing/control/app";
import { call } from "@mooring/testing/control/http";
import { openDatabase } from "../../db/engine/pool.ts";
import { createOriginCheck } from "./applications.ts";

describe("the list of browser origins", () => {
  it("is read again after seconds, and the last answer is used while the database is unreachable", async (context) => {
    const app = await startTestApp();
    context.after(() => app.close());
    const { keys } = await app.tenant("Origins");
    const database = openDatabase({ url: app.databaseUrl, role: "mooring_api" });
    let now = 0;
    const isListed = createOriginCheck({ database }, () => now);
    const origin = "https://app.example";
    assert.equal(await isListed(origin), false);
    const body = { name: "Lists it", allowed_origins: [origin] };
    assert.equal(
      (await call(app.api.url, "/v1/applications", { key: keys.live, body })).status,
      201,
    );
    now += 4_999;
    assert.equal(await isListed(origin), false, "within its seconds");
    now += 2;
    assert.equal(await isListed(origin), true, "read again");
    await database.close();
    now += 60_000;
    assert.equal(await isListed(origin), true, "the last answer is used");
    await assert.rejects(isListed("https://never.example"), "nothing is known of this one");
  });
});
