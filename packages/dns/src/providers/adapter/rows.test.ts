import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { propertyRuns } from "@mooring/testing/processes/property-runs";
import fc from "fast-check";
import type { Change, Plan } from "../../plan/change.ts";
import { type DnsRecord, parseRecord, type RecordInput, recordKey } from "../../record.ts";
import { ProviderError } from "./errors.ts";
import { listRows, type Row, readRow, recordEdits, setEdits } from "./rows.ts";

const zoneName = "example.com";

function rec(name: string, type: string, value: string, ttl = 300): DnsRecord {
  const parsed = parseRecord({ name: `${name}.${zoneName}`, type, value, ttl });
  if (!parsed.ok) throw new Error(parsed.message);
  return parsed.record;
}

function row(
  record: RecordInput,
  id: string | null = null,
  lockedBecause: string | null = null,
): Row {
  return readRow({ id, raw: null, zone: zoneName, record, lockedBecause });
}

function plan(
  ...changes: readonly (readonly [Change["action"], DnsRecord, readonly DnsRecord[]])[]
): Plan {
  return {
    zone: zoneName,
    changes: changes.map(([action, record, existing]) => ({
      id: "",
      action,
      record,
      existing,
      reason: "",
      replaceable: false,
    })),
  };
}

describe("readRow", () => {
  it("gives the canonical record", () => {
    const { record } = row({
      name: "WWW.Example.COM.",
      type: "cname",
      value: "A.Example.NET.",
      ttl: 5,
    });
    assert.deepEqual(record, {
      name: "www.example.com",
      type: "CNAME",
      value: "a.example.net",
      ttl: 5,
      priority: null,
    });
  });

  it("leaves an entry alone whose key is missing or would be read as another path", () => {
    const record = rec("app", "A", "192.0.2.1");
    for (const id of ["", " ", "a/b", "/", "..", ".", "a?b", "#", "a#b", "%2e%2e", "\\", "a b"]) {
      const { record: read, opaque, isLocked, unkeyed, id: shownId } = row(record, id);
      assert.deepEqual([read, isLocked, shownId], [null, true, ""], id);
      assert.deepEqual([opaque?.value, opaque?.isAddress], ["192.0.2.1", true], id);
      assert.deepEqual(unkeyed, record);
    }
    for (const id of ["17", "rec_a1", "5c5e-4d", "372e67954025e0ba6aaa6d586b9e0b59", "a=="]) {
      assert.deepEqual(row(record, id).record, record, id);
    }
  });

  it("calls a CNAME at the apex ALIAS", () => {
    assert.equal(
      row({ name: zoneName, type: "CNAME", value: "a.example.net", ttl: 5 }).record?.type,
      "ALIAS",
    );
  });

  it("makes an entry opaque that is unreadable, of an unknown type, or locked", () => {
    const address = row({ name: `a.${zoneName}`, type: "A", value: "not an address", ttl: 5 });
    assert.match(address.opaque?.note ?? "", /can read/);
    assert.equal(address.opaque?.isAddress, true);
    assert.equal(address.isLocked, false);
    const service = row({ name: `a.${zoneName}`, type: "HTTPS", value: "1 .", ttl: 5 });
    assert.match(service.opaque?.note ?? "", /this type/);
    assert.equal(service.opaque?.isAddress, false);
    assert.equal(
      row({ name: `a.${zoneName}`, type: "URL301", value: "x", ttl: 5 }).opaque?.isAddress,
      true,
    );
    const locked = row(
      { name: `a.${zoneName}`, type: "TXT", value: "x", ttl: 5 },
      "",
      "it is managed",
    );
    assert.equal(locked.isLocked, true);
    assert.deepEqual(listRows([locked]).opaque[0]?.note, "it is managed");
    const broken = readRow({
      id: "",
      raw: null,
      zone: zoneName,
      record: { name: zoneName, type: "TXT", value: null, ttl: 5 },
    });
    assert.equal(broken.record, null);
  });
});

describe("recordEdits", () => {
  const old = rec("www", "A", "192.0.2.1");
  const fresh = rec("www", "A", "192.0.2.2");

  it("neither removes an absent record nor adds an existing one", () => {
    const edits = recordEdits(plan(["update", fresh, [old]]), [row(fresh)], 0);
    assert.deepEqual(edits, { remove: [], change: [], add: [], retain: [row(fresh)] });
  });

  it("makes one removed and one added of a set a change in place", () => {
    const { remove, change, add } = recordEdits(
      plan(["update", fresh, [old]]),
      [row(old, "7")],
      600,
    );
    assert.deepEqual([remove, add], [[], []]);
    assert.equal(change[0]?.row.id, "7");
    assert.equal(change[0]?.record.ttl, 600);
  });

  it("removes every copy of a record that is there twice", () => {
    const edits = recordEdits(plan(["delete", old, [old]]), [row(old, "1"), row(old, "2")], 0);
    assert.deepEqual(
      edits.remove.map(({ id }) => id),
      ["1", "2"],
    );
  });

  it("adds a record that was to get another TTL and is gone", () => {
    const retimed = { ...old, ttl: 60 };
    const edits = recordEdits(plan(["update", retimed, [old]]), [], 0);
    assert.deepEqual([edits.add, edits.change], [[retimed], []]);
  });

  it("neither removes nor adds again what has no key, and refuses to change it", () => {
    const rows = [row(old, "")];
    assert.deepEqual(recordEdits(plan(["create", old, []]), rows, 0).add, []);
    const changes: readonly (readonly [Change["action"], DnsRecord, readonly DnsRecord[]])[] = [
      ["delete", old, [old]],
      ["update", fresh, [old]],
      ["update", { ...old, ttl: 60 }, [old]],
    ];
    for (const change of changes) {
      const isConflict = (error: unknown) =>
        error instanceof ProviderError && error.kind === "conflict";
      assert.throws(() => recordEdits(plan(change), rows, 0), isConflict);
    }
  });

  it("ignores changes with the actions keep and conflict", () => {
    const edits = recordEdits(plan(["keep", fresh, []], ["conflict", fresh, [old]]), [row(old)], 0);
    assert.deepEqual(edits, { remove: [], change: [], add: [], retain: [row(old)] });
  });

  it("sees a CNAME in the way, also one that cannot be read, before anything is done", () => {
    const alias = rec("www", "CNAME", "a.example.net");
    const clashes: readonly (readonly [DnsRecord, Row])[] = [
      [alias, row(old)],
      [fresh, row(alias)],
      [fresh, row({ name: old.name, type: "CNAME", value: "-", ttl: 5 }, "", "it is managed")],
    ];
    for (const [requested, there] of clashes) {
      const edit = () => recordEdits(plan(["create", requested, []]), [there], 0);
      assert.throws(edit, (error) => error instanceof ProviderError && error.kind === "conflict");
    }
  });
});

describe("setEdits", () => {
  it("retains the other values of a set and its TTL", () => {
    const [unrelated, mine] = [rec("www", "TXT", "foreign", 77), rec("www", "TXT", "mine", 900)];
    const [edit, ...others] = setEdits(plan(["create", mine, []]), [row(unrelated)], 60);
    assert.deepEqual(others, []);
    assert.equal(edit?.ttl, 77);
    assert.deepEqual(
      edit?.retain.map(({ record }) => record?.value),
      ["foreign"],
    );
    assert.deepEqual(edit?.add, [mine]);
  });

  it("retains a value of the set that it cannot read", () => {
    const odd = row({ name: `www.${zoneName}`, type: "TXT", value: "\u0007", ttl: 9 });
    const [edit] = setEdits(plan(["create", rec("www", "TXT", "mine"), []]), [odd], 60);
    assert.deepEqual(edit?.retain, [odd]);
  });

  it("does not rewrite a set with a row that is not ours to touch", () => {
    const locked = row(
      { name: `www.${zoneName}`, type: "TXT", value: "x", ttl: 9 },
      "",
      "it is managed",
    );
    const edit = () => setEdits(plan(["create", rec("www", "TXT", "mine"), []]), [locked], 60);
    assert.throws(edit, (error) => error instanceof ProviderError && error.kind === "conflict");
  });

  it("ends sets before it starts others", () => {
    const [old, alias] = [rec("www", "A", "192.0.2.1"), rec("www", "CNAME", "a.example.net")];
    const edits = setEdits(plan(["update", alias, [old]]), [row(old)], 60);
    assert.deepEqual(
      edits.map(({ type }) => type),
      ["A", "CNAME"],
    );
  });
});

const texts = fc.constantFrom(
  ...["a", "b"].flatMap((name) => ["1", "2", "3"].map((value) => rec(name, "TXT", value))),
);
const zones = fc.uniqueArray(texts, { selector: recordKey });

describe("edits over arbitrary zones", () => {
  it("end in the same zone whether single records or sets are written", () => {
    const property = fc.property(zones, zones, zones, (existing, going, coming) => {
      const steps = plan(
        ...going.map((record) => ["delete", record, [record]] as const),
        ...coming.map((record) => ["create", record, []] as const),
      );
      const rows = existing.map((record) => row(record));
      const { remove, change, add } = recordEdits(steps, rows, 0);
      const removed = new Set([...remove, ...change.map(({ row: old }) => old)]);
      const single = [
        ...rows.filter((one) => !removed.has(one)).map(({ record }) => record),
        ...change.map(({ record }) => record),
        ...add,
      ];
      const edits = setEdits(steps, rows, 0);
      const isTouched = (record: DnsRecord | null) =>
        edits.some(({ name, type }) => record?.name === name && record.type === type);
      const bySets = [
        ...rows.filter(({ record }) => !isTouched(record)).map(({ record }) => record),
        ...edits.flatMap(({ retain, add: added }) => [
          ...retain.map(({ record }) => record),
          ...added,
        ]),
      ];
      const keys = (records: readonly (DnsRecord | null)[]) =>
        records.map((one) => (one ? recordKey(one) : "")).sort();
      assert.deepEqual(keys(bySets), keys(single));
      const requested = new Set(coming.map(recordKey));
      const lost = new Set(going.map(recordKey).filter((key) => !requested.has(key)));
      const expected = new Set([
        ...existing.map(recordKey).filter((key) => !lost.has(key)),
        ...requested,
      ]);
      assert.deepEqual(keys(single), [...expected].sort());
    });
    fc.assert(property, { numRuns: propertyRuns(20_000) });
  });
});
