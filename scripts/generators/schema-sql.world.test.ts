import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { describe, it } from "node:test";
import { schemaSql } from "./schema-sql.ts";

describe("schema.sql", () => {
  it("is what the migrations make on PostgreSQL 15", async () => {
    const golden = await readFile("packages/control/schema.sql", "utf8");
    assert.equal(await schemaSql(), golden, "stale: run `npm run generate`");
  });
});
