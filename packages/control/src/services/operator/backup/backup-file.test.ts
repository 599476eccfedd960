import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { describe, it } from "node:test";
import { generateRootKey, parseRootKeys } from "@mooring/vault";
import type { BackupEntry } from "../../../db/backup/entries.ts";
import { backupVault, verifyBackup } from "./backup-database.ts";
import { openBackup, writeBackup } from "./backup-file.ts";

const vault = backupVault(parseRootKeys(generateRootKey()));
const header = {
  created_at: "2026-11-18T05:00:00.000Z",
  release: "0.1.0",
  schema: 9999,
  postgres: "18.4",
};
const bytes = Buffer.from("1\tä\n".repeat(50_000));
const sha256 = createHash("sha256").update(bytes).digest("hex");
const schema: BackupEntry = { kind: "schema", migrations: [[9999, "checksum"]] };
const table: BackupEntry = { kind: "table", name: "tenants", columns: ["id", "name"] };
const rows: BackupEntry = { kind: "rows", bytes };
const tableEnd: BackupEntry = { kind: "table_end", rows: 50_000, sha256 };
const sequences: BackupEntry = {
  kind: "sequences",
  sequences: [{ name: "epochs", value: "9007199254740993", isCalled: true }],
};
const end: BackupEntry = { kind: "end", tables: 1, rows: 50_000 };
const whole = [schema, table, rows, tableEnd, sequences, end];

async function* iterate<T>(list: readonly T[]): AsyncGenerator<T> {
  yield* list;
}

async function write(entries: readonly BackupEntry[]): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of writeBackup(vault, header, iterate(entries))) parts.push(part);
  return Buffer.concat(parts);
}

async function read(file: Buffer): Promise<BackupEntry[]> {
  const pieces = Array.from({ length: Math.ceil(file.length / 1_000) }, (_, at) =>
    file.subarray(at * 1_000, (at + 1) * 1_000),
  );
  const found: BackupEntry[] = [];
  const opened = await openBackup(vault, iterate(pieces));
  for await (const entry of opened.entries()) found.push(entry);
  return found;
}

describe("the file of a backup", () => {
  it("gives back the entries, with a header that anybody can read", async () => {
    const file = await write(whole);
    assert.deepEqual(await read(file), whole);
    const [first, second] = file.toString("latin1").split("\n");
    assert.equal(first, "mooring-backup 1");
    const { key, ...rest } = JSON.parse(second ?? "") as Record<string, unknown>;
    assert.deepEqual(rest, header);
    assert.match(String(key), /^v1\.k/);
    assert.ok(file.length < bytes.length / 10, "compressed");
  });

  it("is refused when entries are missing, not in order, or not what was read", async () => {
    const cases: readonly (readonly [readonly BackupEntry[], RegExp])[] = [
      [whole.slice(0, -1), /has no end/],
      [[schema, table, tableEnd, sequences, end], /checksum/],
      [[schema, rows, tableEnd, sequences, end], /rows after schema/],
      [[schema, table, rows, tableEnd, end], /end after table_end/],
      [[...whole, end], /end after end/],
      [[schema, table, rows, tableEnd, sequences, { ...end, rows: 1 }], /as many rows/],
    ];
    for (const [entries, expected] of cases) {
      await assert.rejects(read(await write(entries)), expected);
    }
  });

  it("is refused by a release that does not have its migrations", async () => {
    const file = await write(whole);
    await assert.rejects(
      verifyBackup(vault, iterate([file])),
      /a release with migration 9999, which this one does not have/,
    );
  });
});
