import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, describe, it } from "node:test";
import { proofSize } from "../../../../test/support/proof-size.ts";
import type { Log } from "../config/settings.ts";
import type { StoredApplication } from "./application.ts";
import type { Host } from "./host.ts";
import { createHostSnapshot } from "./host-snapshot.ts";

/** The stated size is more than one string can hold. */
const many = proofSize(30_000, 2_000_000);

describe("the snapshot of hosts", { timeout: 600_000 }, () => {
  const directory = mkdtempSync(path.join(tmpdir(), "mooring-snapshot-"));
  after(() => rmSync(directory, { recursive: true, force: true }));
  const errors: string[] = [];
  const quiet = () => undefined;
  const note = (_fields: object, message: string) => void errors.push(message);
  const log: Log = { debug: quiet, info: quiet, warn: note, error: note };
  const asOf = new Date("2026-11-15T12:00:00Z");

  const application: StoredApplication = {
    id: "0190a0c0-0002-7000-8000-000000000001",
    tenantId: "0190a0c0-0001-7000-8000-000000000001",
    environment: "live",
    originUrl: "https://origin.example/ü",
    originHostHeader: "preserve",
    edge: {},
    origins: [],
    originTls: {},
    sealedClientKey: null,
  };

  function* hosts(count: number): Generator<Host> {
    for (let number = 0; number < count; number += 1) {
      yield {
        hostname: `shop-${number}.customer-${number}.example`,
        epoch: number,
        environment: "live",
        connectionId: "0190a0c0-0004-7000-8000-000000000001",
        applicationId: application.id,
        tenantId: application.tenantId,
        registrableDomain: `customer-${number}.example`,
        own: null,
      };
    }
  }

  const fileIn = (name: string) => path.join(directory, name, "known-hosts-2.jsonl");

  async function saved(name: string, count: number) {
    const snapshot = createHostSnapshot(path.join(directory, name), log);
    await snapshot.save({ asOf, applications: [application], hosts: hosts(count) }, 1);
    return snapshot;
  }

  it(`holds ${many} hosts, and is read in pieces`, async (context) => {
    const snapshot = await saved("many", many);
    const startedAt = performance.now();
    const set = snapshot.load(asOf);
    assert.ok(set);
    assert.deepEqual([...set.applications], [application]);
    let number = 0;
    for (const host of set.hosts) {
      if (host.epoch !== number) assert.fail(`host ${number} is missing`);
      number += 1;
    }
    assert.equal(number, many);
    const { size } = statSync(fileIn("many"));
    const elapsedS = ((performance.now() - startedAt) / 1_000).toFixed(1);
    context.diagnostic(`${many} hosts, ${Math.round(size / 1e6)} MB, read in ${elapsedS} s`);
    assert.deepEqual(errors, []);
    assert.deepEqual(readdirSync(path.join(directory, "many")).sort(), [
      "known-hosts-2.jsonl",
      "known-hosts-as-of",
    ]);
  });

  it("is not used when a byte of it was changed or its end is missing, and says so", async () => {
    const snapshot = await saved("damaged", 20_000);
    const bytes = readFileSync(fileIn("damaged"));
    for (const damage of ["changed", "cut", "cut at a line", "empty"]) {
      const copy = Buffer.from(bytes);
      copy[bytes.length >> 1] = (copy[bytes.length >> 1] ?? 0) ^ 1;
      const cut = bytes.subarray(0, bytes.length - 9);
      const lines = bytes.subarray(0, bytes.lastIndexOf("\n", bytes.length - 2) + 1);
      const files = { changed: copy, cut, "cut at a line": lines, empty: Buffer.alloc(0) };
      writeFileSync(fileIn("damaged"), files[damage as keyof typeof files]);
      errors.length = 0;
      assert.equal(snapshot.load(asOf), null, damage);
      assert.deepEqual(errors, ["host snapshot is damaged and not used"], damage);
    }
    writeFileSync(fileIn("damaged"), bytes);
    assert.ok(snapshot.load(asOf));
  });

  it("is quietly absent before the first one, and not used after a day", async () => {
    errors.length = 0;
    const snapshot = createHostSnapshot(path.join(directory, "new"), log);
    assert.equal(snapshot.load(asOf), null);
    const old = await saved("old", 10);
    assert.equal(old.load(new Date(asOf.getTime() + 25 * 3_600_000)), null);
    assert.deepEqual(errors, []);
  });
});
