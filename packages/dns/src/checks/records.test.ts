import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { type Holding, memoryResolver, records } from "@mooring/testing/dns/memory-resolver";
import type { DnsRecord, RecordType } from "../record.ts";
import type { Resolver } from "../resolve/resolver.ts";
import { checkRecords, type RecordCheck, type RecordsCheck } from "./records.ts";

const zoneName = "acme.example";
const checkedAt = new Date("2026-01-01T00:00:00Z");

function want(
  name: string,
  type: RecordType,
  value: string,
  priority: number | null = null,
): DnsRecord {
  return { name, type, value, ttl: 300, priority };
}

function check(
  requested: readonly DnsRecord[],
  holdings: readonly Holding[],
  more: { recursive?: Holding; edgeAddresses?: readonly string[] } = {},
): Promise<RecordsCheck> {
  const servers = Object.fromEntries(holdings.map((holding, index) => [`ns${index}`, holding]));
  const resolver = memoryResolver({ zone: zoneName, servers, recursive: more.recursive ?? [] });
  const { signal } = new AbortController();
  return checkRecords(resolver, requested, {
    edgeAddresses: more.edgeAddresses ?? [],
    now: checkedAt,
    signal,
  });
}

async function outcomes(
  requested: readonly DnsRecord[],
  holdings: readonly Holding[],
  more: { recursive?: Holding; edgeAddresses?: readonly string[] } = {},
): Promise<readonly string[]> {
  return (await check(requested, holdings, more)).records.map(({ outcome }) => outcome);
}

describe("A and AAAA", () => {
  const requested = [
    want("w.acme.example", "A", "192.0.2.1"),
    want("w.acme.example", "AAAA", "2001:db8::1"),
  ];
  const both = ["w.acme.example 60 A 192.0.2.1", "w.acme.example 60 AAAA 2001:db8::1"];

  test("match when the union is exactly the wanted one on every server", async () => {
    assert.deepEqual(await outcomes(requested, [records(...both), records(...both)]), [
      "match",
      "match",
    ]);
  });

  test("conflict when another address of either type is beside ours", async () => {
    const leftover = records(...both, "w.acme.example 60 AAAA 2001:db8::bad");
    assert.deepEqual(await outcomes(requested, [leftover]), ["conflict", "conflict"]);
    const onlyA = [want("w.acme.example", "A", "192.0.2.1")];
    assert.deepEqual(await outcomes(onlyA, [records(...both)]), ["conflict"]);
  });

  test("report which of the union is missing", async () => {
    assert.deepEqual(await outcomes(requested, [records(...both.slice(0, 1))]), [
      "match",
      "absent",
    ]);
    assert.deepEqual(await outcomes(requested, [[]]), ["absent", "absent"]);
    const unrelated = records("w.acme.example 60 A 192.0.2.99");
    assert.deepEqual(await outcomes(requested, [unrelated]), ["mismatch", "mismatch"]);
  });

  test("mismatch where the name has a CNAME instead", async () => {
    const alias = records(
      "w.acme.example 60 CNAME x.acme.example",
      "x.acme.example 60 A 192.0.2.1",
    );
    const [observed] = (await check(requested.slice(0, 1), [alias])).records;
    assert.equal(observed?.outcome, "mismatch");
    assert.ok(observed?.observedValues.includes("x.acme.example"));
  });
});

describe("CNAME below the apex", () => {
  const requested = [want("w.acme.example", "CNAME", "edge.service.example")];

  test("matches its target alone", async () => {
    assert.deepEqual(
      await outcomes(requested, [records("w.acme.example 60 CNAME edge.service.example")]),
      ["match"],
    );
    assert.deepEqual(await outcomes(requested, [records("w.acme.example 60 CNAME old.example")]), [
      "mismatch",
    ]);
    assert.deepEqual(await outcomes(requested, [[]]), ["absent"]);
  });

  test("shows the addresses instead of it, as a proxy publishes them", async () => {
    const proxied = records("w.acme.example 60 A 203.0.113.1");
    const [observed] = (await check(requested, [proxied], { recursive: proxied })).records;
    assert.equal(observed?.outcome, "mismatch");
    assert.deepEqual(observed?.observedValues, ["203.0.113.1"]);
  });

  test("matches through a wildcard", async () => {
    assert.deepEqual(
      await outcomes(requested, [records("*.acme.example 60 CNAME edge.service.example")]),
      ["match"],
    );
  });
});

describe("ALIAS, and CNAME at the apex", () => {
  const recursive = records(
    "edge.service.example 60 A 192.0.2.1",
    "edge.service.example 60 A 192.0.2.2",
    "edge.service.example 60 AAAA 2001:db8::1",
  );
  for (const type of ["ALIAS", "CNAME"] as const) {
    const requested = [want(zoneName, type, "edge.service.example")];

    test(`${type} matches any of the target's or the edge's addresses`, async () => {
      const one = records("acme.example 60 A 192.0.2.2");
      assert.deepEqual(await outcomes(requested, [one], { recursive }), ["match"]);
      const edge = records("acme.example 60 A 198.51.100.7");
      const more = { recursive, edgeAddresses: ["198.51.100.7"] };
      assert.deepEqual(await outcomes(requested, [edge], more), ["match"]);
      assert.deepEqual(
        await outcomes(requested, [records("acme.example 60 CNAME edge.service.example")], {
          recursive,
        }),
        ["match"],
      );
    });

    test(`${type} distinguishes another address from one beside ours, and from none`, async () => {
      const beside = records("acme.example 60 A 192.0.2.1", "acme.example 60 A 203.0.113.9");
      assert.deepEqual(await outcomes(requested, [beside], { recursive }), ["conflict"]);
      const unrelated = records("acme.example 60 A 203.0.113.9");
      assert.deepEqual(await outcomes(requested, [unrelated], { recursive }), ["mismatch"]);
      assert.deepEqual(await outcomes(requested, [[]], { recursive }), ["absent"]);
    });

    test(`${type} concludes nothing while its target cannot be resolved`, async () => {
      const unrelated = records("acme.example 60 A 203.0.113.9");
      assert.deepEqual(await outcomes(requested, [unrelated], { recursive: "servfail" }), [
        "unknown",
      ]);
    });
  }
});

describe("other types", () => {
  test("must be among what is there, value and priority", async () => {
    const requested = [
      want(zoneName, "MX", "mail.example", 10),
      want(zoneName, "TXT", "v=spf1 -all"),
    ];
    const there = records(
      "acme.example 60 MX 10 mail.example",
      "acme.example 60 MX 20 b.example",
      "acme.example 60 TXT x",
      "acme.example 60 TXT v=spf1 -all",
    );
    assert.deepEqual(await outcomes(requested, [there]), ["match", "match"]);
    const wrong = records("acme.example 60 MX 20 mail.example");
    assert.deepEqual(await outcomes(requested, [wrong]), ["mismatch", "absent"]);
  });
});

describe("servers together", () => {
  const requested = [want("w.acme.example", "A", "192.0.2.1")];
  const good = records("w.acme.example 60 A 192.0.2.1");
  const stale = records("w.acme.example 900 A 192.0.2.99");

  test("every reachable one must give the record; the odd one is named", async () => {
    const [observed] = (await check(requested, [good, stale, "timeout"])).records;
    assert.equal(observed?.outcome, "mismatch");
    assert.deepEqual(
      observed?.servers.map(({ server, outcome, reason }) => [server, outcome, reason]),
      [
        ["ns0", "match", undefined],
        ["ns1", "mismatch", undefined],
        ["ns2", "unknown", "timeout"],
      ],
    );
    assert.deepEqual(await outcomes(requested, [good, "timeout"]), ["match"]);
  });

  test("failures are never taken for changed values", async () => {
    for (const reason of [
      "timeout",
      "servfail",
      "refused",
      "unreachable",
      "lame",
      "malformed",
    ] as const) {
      const observed = await check(requested, [reason, reason]);
      assert.equal(observed.records[0]?.outcome, "unknown", reason);
      assert.equal(observed.visibleEverywhereBy, null);
    }
  });

  test("give the time when every cache is up to date: what was observed instead has to expire", async () => {
    const seconds = async (holding: Holding) => {
      const { visibleEverywhereBy } = await check(requested, [holding]);
      return ((visibleEverywhereBy?.getTime() ?? Number.NaN) - checkedAt.getTime()) / 1_000;
    };
    assert.equal(await seconds(good), 0);
    assert.equal(await seconds(stale), 900);
    assert.equal(await seconds([]), 30);
  });

  test("are asked each question once for all records of a name", async () => {
    const servers = { ns0: good };
    const resolver = memoryResolver({ zone: zoneName, servers });
    const both = [...requested, want("w.acme.example", "AAAA", "2001:db8::1")];
    const { signal } = new AbortController();
    await checkRecords(resolver, both, { edgeAddresses: [], now: checkedAt, signal });
    assert.equal(resolver.asked.length, 2);
  });

  test("an unregistered name is absent, an unfindable zone unknown", async () => {
    assert.deepEqual(await outcomes([want("w.other.example", "A", "192.0.2.1")], [good]), [
      "absent",
    ]);
    const resolver = memoryResolver({ zone: zoneName, servers: {}, zoneFailure: "servfail" });
    const { signal } = new AbortController();
    const observed = await checkRecords(resolver, requested, {
      edgeAddresses: [],
      now: checkedAt,
      signal,
    });
    assert.equal(observed.records[0]?.outcome, "unknown");
  });
});

describe("a name that leads to the edge by way of others", () => {
  const [shared, own] = ["edge.service.example", "abc.edge.service.example"];
  const requested = [want("w.acme.example", "CNAME", own)];

  async function judged(
    holdings: readonly (readonly string[])[],
  ): Promise<RecordCheck | undefined> {
    const servers = Object.fromEntries(
      holdings.map((lines, index) => [`ns${index}`, records(...lines)]),
    );
    const { signal } = new AbortController();
    const options = { edgeAddresses: ["192.0.2.7"], edgeNames: [shared, own], now: checkedAt };
    const resolver = memoryResolver({ zone: zoneName, servers });
    return (await checkRecords(resolver, requested, { ...options, signal })).records[0];
  }

  const middle = "w.acme.example 60 CNAME mid.acme.example";
  const ends: Readonly<Record<string, readonly [readonly string[], string]>> = {
    "at its own target": [[middle, `mid.acme.example 60 CNAME ${own}`], "match"],
    "at the shared name": [[middle, `mid.acme.example 60 CNAME ${shared}`], "match"],
    "at an address of the edge's": [[middle, "mid.acme.example 60 A 192.0.2.7"], "match"],
    "by two names": [
      [middle, "mid.acme.example 60 CNAME b.acme.example", `b.acme.example 60 CNAME ${own}`],
      "match",
    ],
    "at another's target": [
      [middle, "mid.acme.example 60 CNAME other.edge.service.example"],
      "mismatch",
    ],
    "at an address beside the edge's": [
      [middle, "mid.acme.example 60 A 192.0.2.7", "mid.acme.example 60 A 203.0.113.9"],
      "mismatch",
    ],
    elsewhere: [[middle, "mid.acme.example 60 CNAME elsewhere.example"], "mismatch"],
    nowhere: [[middle], "mismatch"],
    "in a circle": [[middle, "mid.acme.example 60 CNAME w.acme.example"], "mismatch"],
  };
  for (const [end, [lines, outcome]] of Object.entries(ends)) {
    test(`is a ${outcome} when the chain ends ${end}`, async () => {
      assert.equal((await judged([lines, lines]))?.outcome, outcome);
    });
  }

  test("is indirect, which what the requested record alone shows is not", async () => {
    assert.equal((await judged([[middle, `mid.acme.example 60 CNAME ${own}`]]))?.isIndirect, true);
    assert.equal((await judged([[`w.acme.example 60 CNAME ${own}`]]))?.isIndirect, undefined);
  });

  test("shows whose target it ends at, when that is another's", async () => {
    const check = await judged([[middle, "mid.acme.example 60 CNAME other.edge.service.example"]]);
    assert.deepEqual(check?.observedValues, ["mid.acme.example", "other.edge.service.example"]);
  });

  test("is a mismatch while the servers of the name between do not agree", async () => {
    const right = [middle, `mid.acme.example 60 CNAME ${own}`];
    const wrong = [middle, "mid.acme.example 60 CNAME elsewhere.example"];
    assert.equal((await judged([right, wrong]))?.outcome, "mismatch");
  });

  test("is a mismatch when nobody answers for a name of another domain", async () => {
    const zone = records("w.acme.example 60 CNAME mid.other.example");
    const sound = memoryResolver({ zone: zoneName, servers: { ns0: zone } });
    const { signal } = new AbortController();
    const options = { edgeAddresses: [], edgeNames: [shared, own], now: checkedAt, signal };
    const resolver: Resolver = {
      ...sound,
      findZone: async (name, asked) =>
        name === "mid.other.example"
          ? { outcome: "failed", reason: "timeout" }
          : sound.findZone(name, asked),
    };
    const { records: checks } = await checkRecords(resolver, requested, options);
    assert.equal(checks[0]?.outcome, "mismatch");
  });

  test("is unknown, and no mismatch, when the own name between is not answered", async () => {
    const zone = records(middle, "other.acme.example 60 A 192.0.2.1");
    const sound = memoryResolver({ zone: zoneName, servers: { ns0: zone } });
    const { signal } = new AbortController();
    const options = { edgeAddresses: [], edgeNames: [shared, own], now: checkedAt, signal };
    const resolver: Resolver = {
      ...sound,
      askServer: async (server, name, type, asked) =>
        name === "mid.acme.example"
          ? { outcome: "failed", reason: "timeout" }
          : sound.askServer(server, name, type, asked),
    };
    const { records: checks } = await checkRecords(resolver, requested, options);
    assert.deepEqual(
      checks.map(({ outcome, servers }) => [outcome, servers[0]?.reason]),
      [["unknown", "timeout"]],
    );
  });
});
