import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { createEmptyDatabase, type TestDatabase } from "@mooring/testing/database/database";
import pg from "pg";
import { copyIn, copyOut } from "./copy.ts";

describe("COPY", () => {
  let database: TestDatabase;
  let client: pg.Client;
  before(async () => {
    database = await createEmptyDatabase();
    client = new pg.Client({ connectionString: database.url });
    await client.connect();
    await client.query("create table lines (id int primary key, text text)");
  });
  after(async () => {
    await client.end();
    await database.drop();
  });

  async function readAll(text: string): Promise<{ bytes: string; rows: number }> {
    const reading = copyOut(client, text);
    const pieces: Buffer[] = [];
    for (;;) {
      const { done, value } = await reading.next();
      if (done) return { bytes: Buffer.concat(pieces).toString("utf8"), rows: value };
      pieces.push(value);
    }
  }

  it("reads what it has written, also more than is buffered at once", async () => {
    const rows = 40_000;
    async function* source() {
      for (let from = 0; from < rows; from += 1_000) {
        const lines = Array.from({ length: 1_000 }, (_, at) => `${from + at}\t${"ä".repeat(60)}\n`);
        yield Buffer.from(lines.join(""));
      }
    }
    assert.equal(await copyIn(client, "copy lines from stdin", source()), rows);
    const found = await readAll("copy (select * from lines order by id) to stdout");
    assert.equal(found.rows, rows);
    const lines = found.bytes.split("\n");
    assert.deepEqual(
      [lines.length, lines[0], lines[rows - 1]],
      [rows + 1, `0\t${"ä".repeat(60)}`, `${rows - 1}\t${"ä".repeat(60)}`],
    );
  });

  it("leaves the session usable after a row that the server refuses", async () => {
    async function* source() {
      yield Buffer.from("1\ta\n1\ttwice\n");
      for (let at = 0; at < 100; at += 1) yield Buffer.alloc(100_000, "x");
    }
    await client.query("truncate lines");
    await assert.rejects(copyIn(client, "copy lines from stdin", source()));
    assert.equal((await client.query("select count(*) from lines")).rows[0].count, "0");
    await assert.rejects(readAll("copy (select 1 / 0) to stdout"), /division by zero/);
    assert.deepEqual(await readAll("copy (select 1) to stdout"), { bytes: "1\n", rows: 1 });
  });

  it("rejects with the error of the source, and writes nothing", async () => {
    async function* source() {
      yield Buffer.from("1\ta\n");
      throw new Error("the file ends here");
    }
    await assert.rejects(copyIn(client, "copy lines from stdin", source()), /the file ends here/);
    assert.equal((await client.query("select count(*) from lines")).rows[0].count, "0");
  });
});
