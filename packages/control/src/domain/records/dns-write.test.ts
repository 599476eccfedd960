import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { type Change, type DnsRecord, parseRecord, recordKey } from "@mooring/dns";
import { testConnection } from "@mooring/testing/control/connection";
import fc from "fast-check";
import { newCutover } from "../connections/cutover.ts";
import {
  begunReplacements,
  footprint,
  type PastWrite,
  provenNames,
  recordsToWrite,
} from "./dns-write.ts";

const at = new Date("2026-11-15T00:00:00.000Z");

function address(last: number): DnsRecord {
  const input = { name: "shop.acme.example", type: "A", value: `192.0.2.${last}`, ttl: 60 };
  const parsed = parseRecord(input);
  assert.ok(parsed.ok);
  return parsed.record;
}

function change(action: Change["action"], record: DnsRecord, existing: DnsRecord[] = []): Change {
  return { id: "", action, record, existing, reason: "", replaceable: false };
}

function write(changes: readonly Change[], isCertain = true): PastWrite {
  const where = { credentialId: null, provider: "memory", zone: "acme.example" };
  return { ...where, changes, isCertain, at };
}

const keys = (records: readonly DnsRecord[]) => records.map(recordKey).sort();

describe("the footprint of writes", () => {
  it("remembers a TTL that was changed until it is as before, also through a replacement", () => {
    const [long, short, edge] = [{ ...address(1), ttl: 3_600 }, address(1), address(2)];
    const lowered = write([change("update", short, [long])]);
    const { retimed, ours, before } = footprint([lowered]);
    assert.deepEqual([retimed, ours, before], [[{ before: long, after: short }], [], []]);
    assert.deepEqual(begunReplacements([write(lowered.changes, false)], at), [], "nothing is ours");
    const switched = write([change("update", edge, [short])]);
    const moved = footprint([lowered, switched]);
    assert.deepEqual([moved.retimed, moved.ours, moved.before], [[], [edge], [long]]);
    const raised = write([change("update", long, [short])]);
    assert.deepEqual(footprint([lowered, raised]).retimed, []);
    assert.deepEqual(footprint([lowered, write(raised.changes, false)]).retimed, [
      { before: long, after: long },
    ]);
  });

  it("restores the zone before the writes from the zone after them", () => {
    const step = fc.record({
      add: fc.integer({ min: 0, max: 5 }),
      remove: fc.uniqueArray(fc.integer({ min: 0, max: 5 })),
    });
    const initial = fc.uniqueArray(fc.integer({ min: 0, max: 5 }));
    fc.assert(
      fc.property(initial, fc.array(step, { maxLength: 6 }), (start, steps) => {
        const zone = new Set(start);
        const writes = steps.flatMap(({ add, remove }) => {
          const gone = remove.filter((one) => zone.has(one) && one !== add);
          if (zone.has(add)) return [];
          for (const one of gone) zone.delete(one);
          zone.add(add);
          return [write([change("update", address(add), gone.map(address))])];
        });
        const { ours, before } = footprint(writes);
        const back = new Set([...zone].map((one) => recordKey(address(one))));
        for (const record of ours) assert.ok(back.delete(recordKey(record)), "ours and not there");
        for (const record of before) back.add(recordKey(record));
        assert.deepEqual([...back].sort(), keys(start.map(address)));
      }),
    );
  });

  it("is empty for unchanged and conflicting records", () => {
    const writes = [
      write([change("keep", address(1)), change("conflict", address(2), [address(3)])]),
    ];
    assert.deepEqual(footprint(writes), { ours: [], before: [], found: [], retimed: [] });
  });

  it("distinguishes a record found in the zone from its own record found again", () => {
    const found = { ...change("keep", address(5)), wasThere: true };
    const again = { ...change("keep", address(1)), wasThere: true };
    const writes = [
      write([change("create", address(1)), found]),
      write([again, change("create", address(2))]),
    ];
    const seen = footprint(writes);
    assert.deepEqual(keys(seen.ours), keys([address(1), address(2)]));
    assert.deepEqual(keys(seen.found), keys([address(5)]));
  });

  it("loses nothing because of an unconfirmed write", () => {
    const first = write([change("update", address(1), [address(9)])]);
    const cutOff = write([change("update", address(2), [address(1)])], false);
    const { ours, before } = footprint([first, cutOff]);
    assert.deepEqual(keys(ours), keys([address(1), address(2)]));
    assert.deepEqual(keys(before), keys([address(9)]));
  });
});

describe("an interrupted replacement", () => {
  const replacing = [change("update", address(1), [address(9)]), change("create", address(2))];
  const later = (ms: number) => new Date(at.getTime() + ms);

  it("may be finished for an hour, and only when it is unconfirmed", () => {
    assert.deepEqual(begunReplacements([write(replacing, false)], later(3_600_000)), [address(9)]);
    assert.deepEqual(begunReplacements([write(replacing, false)], later(3_600_001)), []);
    assert.deepEqual(begunReplacements([write(replacing)], at), []);
    assert.deepEqual(begunReplacements([], at), []);
  });

  it("has ended when another write has been made since", () => {
    const writes = [write(replacing, false), write([change("create", address(3))])];
    assert.deepEqual(begunReplacements(writes, at), []);
  });
});

describe("the records to write", () => {
  const record = {
    host: "shop.acme.example",
    type: "A",
    value: "192.0.2.1",
    ttl: 60,
    priority: null,
  };
  const connection = testConnection({ desiredRecords: [record] });

  it("include the ownership record until ownership is proven", () => {
    const names = (state: "pending_ownership" | "failed" | "live") =>
      recordsToWrite({ ...connection, state }, "all").map(({ name }) => name);
    const both = ["_service-challenge.shop.acme.example", "shop.acme.example"];
    assert.deepEqual(names("pending_ownership"), both);
    assert.deepEqual(names("failed"), both);
    assert.deepEqual(names("live"), ["shop.acme.example"]);
  });

  it("lead no visitor anywhere until a cut-over is switched", () => {
    const alias = { ...record, host: "_acme-challenge.shop.acme.example" };
    const prepared = { ...connection, desiredRecords: [record, alias], cutover: newCutover(null) };
    const names = (what: "all" | "records") =>
      recordsToWrite(prepared, what).map(({ name }) => name);
    assert.deepEqual(names("all"), ["_service-challenge.shop.acme.example", alias.host]);
    assert.deepEqual(names("records"), [record.host, alias.host]);
  });

  it("are at the hostname and below it", () => {
    const at = (name: string): DnsRecord => ({ ...address(1), name });
    const names = [
      "shop.acme.example",
      "a.shop.acme.example",
      "acme.example",
      "xshop.acme.example",
    ];
    assert.deepEqual(provenNames(connection, names.map(at)), names.slice(0, 2));
  });
});
