import assert from "node:assert/strict";
import { createHash, createPublicKey } from "node:crypto";
import { after, before, describe, it } from "node:test";
import { openSession } from "@mooring/testing/clients/connecting";
import { createTestDatabase, type TestDatabase } from "@mooring/testing/database/database";
import type pg from "pg";
import { generateKey, hashPublicKey } from "../x509/keys.ts";
import { dropOrder, loadOrder, saveOrder } from "./orders.ts";

describe("an order that is saved", () => {
  let database: TestDatabase;
  let session: pg.Client;
  before(async () => {
    database = await createTestDatabase();
    session = await openSession(database.url);
    await session.query("set role mooring_edge");
  });
  after(async () => {
    await session.end();
    await database.drop();
  });

  const at = { hostname: "shop.example.com", directory: "https://ca.example/", epoch: 1 };
  const order = {
    url: "https://ca.example/order/1",
    hostname: at.hostname,
    status: "pending",
    authorizations: [],
    finalize: "https://ca.example/finalize/1",
    certificate: null,
    expires: null,
    profile: null,
    replaces: null,
    problem: null,
  } as const;

  it("leaves its public key behind, also when it is saved again and dropped", async () => {
    const key = await generateKey();
    const publicKeySha256 = hashPublicKey(key);
    const saved = { order, sealedKey: "sealed", publicKeySha256 };
    const [first, later] = [new Date("2026-11-15T09:00:00Z"), new Date("2026-11-15T10:00:00Z")];
    await saveOrder(session, at, saved, first);
    await saveOrder(session, at, saved, later);
    assert.deepEqual(await loadOrder(session, at), { order, sealedKey: "sealed" });
    await dropOrder(session, at.hostname);
    const { rows } = await session.query("select sha256, created_at from certificate_keys");
    const der = createPublicKey(key).export({ type: "spki", format: "der" });
    const sha256 = createHash("sha256").update(der).digest();
    assert.deepEqual(rows, [{ sha256, created_at: later }]);
  });
});
