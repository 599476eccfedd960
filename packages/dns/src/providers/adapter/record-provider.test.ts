import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Plan } from "../../plan/change.ts";
import { type DnsRecord, parseRecord } from "../../record.ts";
import type { Zone } from "../../zone.ts";
import { manifest } from "../sandbox/manifest.ts";
import { ProviderError } from "./errors.ts";
import {
  createRecordProvider,
  createSetProvider,
  defineBatchProvider,
  type RecordApi,
} from "./record-provider.ts";
import { readRow } from "./rows.ts";

const zone: Zone = { id: "1", name: "example.com", nameservers: [] };
const { signal } = new AbortController();

function rec(name: string, type: string, value: string, ttl = 3_600): DnsRecord {
  const parsed = parseRecord({ name: `${name}.${zone.name}`, type, value, ttl });
  if (!parsed.ok) throw new Error(parsed.message);
  return parsed.record;
}

function plan(...updates: readonly (readonly [DnsRecord, readonly DnsRecord[]])[]): Plan {
  const same = { id: "", action: "update", reason: "", replaceable: false } as const;
  const changes = updates.map(([record, existing]) => ({ ...same, record, existing }));
  return { zone: zone.name, changes };
}

const address = rec("www", "A", "192.0.2.1");
const alias = rec("www", "CNAME", "a.example.net");
const [before, after] = [rec("b", "TXT", "1"), rec("b", "TXT", "2")];
const mixed = plan([alias, [address]], [after, [before]]);

function rowsFor(records: readonly DnsRecord[]) {
  return records.map((record) => readRow({ id: record.value, raw: null, zone: zone.name, record }));
}

/** Notes what is written. */
function noteApi(records: readonly DnsRecord[], done: string[]): RecordApi<null> {
  return {
    listZones: async () => [zone],
    readRows: async () => rowsFor(records),
    remove: async (_zone, { record }) => void done.push(`- ${record?.type}`),
    change: async (_zone, _row, record) => void done.push(`~ ${record.type}`),
    add: async (_zone, record) => void done.push(`+ ${record.type}`),
  };
}

describe("createRecordProvider", () => {
  it("removes first, then changes, then adds, and publishes last", async () => {
    const done: string[] = [];
    const publish = async () => void done.push("published");
    const api = { ...noteApi([address, before], done), publish };
    await createRecordProvider(manifest, api).apply(zone, mixed, signal);
    assert.deepEqual(done, ["- A", "~ TXT", "+ CNAME", "published"]);
  });

  it("publishes also when nothing is left to write", async () => {
    const done: string[] = [];
    const publish = async () => void done.push("published");
    const api = { ...noteApi([after], done), publish };
    await createRecordProvider(manifest, api).apply(zone, plan([after, [before]]), signal);
    assert.deepEqual(done, ["published"]);
  });

  it("replaces a row where the API has no change", async () => {
    const done: string[] = [];
    const { change: _none, ...api } = noteApi([address, before], done);
    await createRecordProvider(manifest, api).apply(zone, mixed, signal);
    assert.deepEqual(done, ["- A", "- TXT", "+ TXT", "+ CNAME"]);
  });

  it("counts a row that is gone as removed, and no other failure", async () => {
    const done: string[] = [];
    const failing = (kind: "not_found" | "auth") => async () => {
      throw new ProviderError(kind, "No.");
    };
    const gone = { ...noteApi([address, before], done), remove: failing("not_found") };
    await createRecordProvider(manifest, gone).apply(zone, mixed, signal);
    assert.deepEqual(done, ["~ TXT", "+ CNAME"]);
    const refused = { ...noteApi([address], done), remove: failing("auth") };
    const applied = createRecordProvider(manifest, refused).apply(zone, mixed, signal);
    await assert.rejects(applied, { kind: "auth" });
  });

  it("refuses what cannot be stored before the first write", async () => {
    const done: string[] = [];
    const textLimits = { forbidden: /2/, mostCharacters: 10 };
    const requireWritable = () => {
      throw new ProviderError("unsupported", "No such type.");
    };
    for (const limits of [{ textLimits }, { requireWritable }]) {
      const api = { ...noteApi([address, before], done), ...limits };
      const applied = createRecordProvider(manifest, api).apply(zone, mixed, signal);
      await assert.rejects(applied, { kind: "unsupported" });
    }
    assert.deepEqual(done, []);
  });

  it("lists forwards beside the records, and finds the servers in the apex set", async () => {
    const servers = parseRecord({ name: zone.name, type: "NS", value: "ns1.example.net", ttl: 60 });
    assert.ok(servers.ok);
    const forward = {
      name: `old.${zone.name}`,
      type: "REDIRECT",
      value: "https://a.test",
      ttl: 60,
    };
    const provider = createRecordProvider(manifest, {
      ...noteApi([servers.record], []),
      readNameservers: "apex",
      readForwards: async () => [readRow({ id: "", raw: null, zone: zone.name, record: forward })],
    });
    const { records, opaque } = await provider.listRecords(zone, signal);
    assert.deepEqual([records.length, opaque.length], [1, 1]);
    assert.deepEqual(await provider.readNameservers?.(zone, signal), ["ns1.example.net"]);
  });
});

describe("defineBatchProvider", () => {
  it("writes once, and only when there is something to write", async () => {
    let writes = 0;
    const provider = defineBatchProvider(manifest, () => ({
      listZones: async () => [zone],
      readRows: async () => rowsFor([address, before]),
      writeRecords: async (_zone, { remove, change, add, retain }) => {
        assert.deepEqual(
          [remove, change, add, retain].map(({ length }) => length),
          [1, 1, 1, 0],
        );
        writes += 1;
      },
    })).open({ token: "t" }, { fetch: async () => assert.fail("no request") });
    await provider.apply(zone, plan([address, []]), signal);
    assert.equal(writes, 0);
    await provider.apply(zone, mixed, signal);
    assert.equal(writes, 1);
  });
});

describe("createSetProvider", () => {
  it("writes set by set, emptied sets first, with the zone's own minimum TTL", async () => {
    const done: string[] = [];
    const provider = createSetProvider(manifest, {
      listZones: async () => [zone],
      readRows: async () => rowsFor([address, before]),
      writeSet: async (_zone, { type, ttl, retain, add }) =>
        void done.push(`${type} ${ttl} ${retain.length + add.length}`),
    });
    const slow = { ...zone, limits: { minimumTtlSeconds: 7_200 } };
    await provider.apply(slow, mixed, signal);
    assert.deepEqual(done.slice(0, 1), ["A 7200 0"]);
    assert.deepEqual(done.slice(1).sort(), ["CNAME 7200 1", "TXT 7200 1"]);
  });
});
