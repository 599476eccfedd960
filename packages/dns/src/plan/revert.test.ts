import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { manifest } from "../providers/cloudflare/manifest.ts";
import { type DnsRecord, parseRecord, recordKey } from "../record.ts";
import { type Plan, planEdits } from "./change.ts";
import { planChanges } from "./plan.ts";
import { planRevert } from "./revert.ts";

const zoneName = "example.com";

function rec(name: string, type: string, value: string): DnsRecord {
  const parsed = parseRecord({ name: `${name}.${zoneName}`, type, value, ttl: 300 });
  if (!parsed.ok) throw new Error(parsed.message);
  return parsed.record;
}

function carriedOut(plan: Plan, records: readonly DnsRecord[]): readonly DnsRecord[] {
  const { remove, add } = planEdits(plan);
  const removed = new Set(remove.map(recordKey));
  const left = records.filter((one) => !removed.has(recordKey(one)));
  const there = new Set(left.map(recordKey));
  return [...left, ...add.filter((one) => !there.has(recordKey(one)))];
}

const before = [
  rec("shop", "A", "192.0.2.1"),
  rec("shop", "A", "192.0.2.2"),
  rec("www", "TXT", "x"),
];
const target = rec("shop", "CNAME", "edge.example.net");
const proof = rec("_proof.shop", "TXT", "secret");

function applied(): Plan {
  const listing = { records: before, opaque: [] };
  const allowedNames = [target.name, proof.name];
  const input = {
    zone: zoneName,
    manifest,
    listing,
    desired: [target, proof],
    owned: [],
    allowedNames,
  };
  const first = planChanges(input);
  assert.ok(first.ok);
  const second = planChanges({ ...input, replace: first.plan.changes.map(({ id }) => id) });
  assert.ok(second.ok);
  return second.plan;
}

const keys = (records: readonly DnsRecord[]) => records.map(recordKey).sort();

describe("planRevert", () => {
  it("leaves a record that was wanted and there already, and restores what stood beside it", () => {
    const there = rec("shop", "A", "192.0.2.1");
    const input = {
      zone: zoneName,
      manifest,
      listing: { records: before, opaque: [] },
      desired: [there],
      owned: [],
      allowedNames: [there.name],
    };
    const asked = planChanges(input);
    assert.ok(asked.ok);
    const result = planChanges({ ...input, replace: asked.plan.changes.map(({ id }) => id) });
    assert.ok(result.ok);
    const after = carriedOut(result.plan, before);
    assert.deepEqual(keys(after), keys([there, rec("www", "TXT", "x")]));
    const revert = planRevert(result.plan, { records: after, opaque: [] });
    assert.deepEqual(keys(carriedOut(revert, after)), keys(before));
  });

  it("puts the zone back as it was", () => {
    const plan = applied();
    const after = carriedOut(plan, before);
    const revert = planRevert(plan, { records: after, opaque: [] });
    assert.deepEqual(keys(carriedOut(revert, after)), keys(before));
  });

  it("does nothing the second time", () => {
    const plan = applied();
    const revert = planRevert(plan, { records: before, opaque: [] });
    assert.ok(revert.changes.every(({ action }) => action === "keep"));
  });

  it("leaves alone what others have put there since", () => {
    const plan = applied();
    const moved = rec("shop", "CNAME", "elsewhere.example.net");
    const now = [...carriedOut(plan, before).filter((one) => one.type !== "CNAME"), moved];
    const revert = planRevert(plan, { records: now, opaque: [] });
    const after = carriedOut(revert, now);
    assert.ok(after.includes(moved));
    assert.ok(revert.changes.some(({ action }) => action === "conflict"));
    assert.ok(!after.some((one) => recordKey(one) === recordKey(proof)));
  });

  it("reports a conflict when something unreadable is in the way of the earlier record", () => {
    const opaque = [
      { name: target.name, type: "URL", value: "", note: "it is fixed", isAddress: true },
    ];
    const revert = planRevert(applied(), { records: [], opaque });
    assert.ok(revert.changes.every(({ action }) => action === "conflict"));
  });

  it("gives records their TTL back, unless somebody has changed it since", () => {
    const [long, short] = [3_600, 60].map((ttl) => ({ ...rec("shop", "A", "192.0.2.1"), ttl }));
    assert.ok(long && short);
    const lowered: Plan = {
      zone: zoneName,
      changes: [
        {
          id: "",
          action: "update",
          record: short,
          existing: [long],
          reason: "",
          replaceable: false,
        },
      ],
    };
    assert.deepEqual(planEdits(lowered), { remove: [], add: [], retime: [short] });
    const undo = planRevert(lowered, { records: [short], opaque: [] });
    assert.deepEqual(
      undo.changes.map(({ action, record, existing }) => [action, record.ttl, existing]),
      [["update", 3_600, [short]]],
    );
    for (const records of [[], [{ ...short, ttl: 300 }], [long]]) {
      assert.deepEqual(planRevert(lowered, { records, opaque: [] }).changes, []);
    }
  });
});
