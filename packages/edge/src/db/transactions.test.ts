import assert from "node:assert/strict";
import { EventEmitter } from "node:events";
import { describe, it } from "node:test";
import type pg from "pg";
import { createBudget } from "../certificates/budget/budget.ts";
import { addAssertionKey } from "./assertion-keys.ts";
import { rotateTicketKeys } from "./ticket-keys.ts";

const now = new Date("2026-11-17T00:00:00Z");
const cause = new Error("the statement failed");
const lost = new Error("the connection was terminated");

/** A pool whose transactions begin, fail at their first statement, and cannot be rolled back. */
function brokenPool() {
  const released: (Error | undefined)[] = [];
  const client = Object.assign(new EventEmitter(), {
    query: async (statement: unknown) => {
      if (statement === "begin") return;
      throw statement === "rollback" ? lost : cause;
    },
    release: (error?: Error) => void released.push(error),
  });
  const pool = Object.assign(new EventEmitter(), { connect: async () => client });
  return { pool: pool as unknown as pg.Pool, released };
}

const certificate = {
  hostname: "shop.example",
  tenantId: "tenant",
  registrableDomain: "shop.example",
} as Parameters<ReturnType<typeof createBudget>["take"]>[0];

const transactions: Readonly<Record<string, (pool: pg.Pool) => Promise<unknown>>> = {
  "the rotation of ticket keys": (pool) =>
    rotateTicketKeys(pool, () => null, { now, deleteBefore: now }),
  "a new assertion key": (pool) =>
    addAssertionKey(
      pool,
      () => true,
      () => assert.fail("nothing was read"),
    ),
  "a budget": (pool) =>
    createBudget(pool, { now: () => now }, { directories: ["ca"] }).take(certificate, "ca"),
};

describe("a transaction whose rollback fails too", () => {
  for (const [name, run] of Object.entries(transactions)) {
    it(`rejects with the cause and drops the client: ${name}`, async () => {
      const { pool, released } = brokenPool();
      await assert.rejects(run(pool), (error) => error === cause);
      assert.equal(released.length, 1);
      assert.equal(released[0]?.cause, lost);
    });
  }
});
