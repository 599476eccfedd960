import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { propertyRuns } from "@mooring/testing/processes/property-runs";
import fc from "fast-check";
import { manifest as cloudflare } from "../providers/cloudflare/manifest.ts";
import { manifest as digitalocean } from "../providers/digitalocean/manifest.ts";
import { manifest as godaddy } from "../providers/godaddy/manifest.ts";
import { manifest as namecom } from "../providers/namecom/manifest.ts";
import { type DnsRecord, parseRecord, recordKey, sameRecord } from "../record.ts";
import type { OpaqueRecord } from "../zone.ts";
import { type Change, planEdits } from "./change.ts";
import { planChanges } from "./plan.ts";
import type { PlanInput, RefusalCode } from "./safety.ts";

const zoneName = "example.com";

function rec(name: string, type: string, value: string, priority: number | null = null): DnsRecord {
  const absolute = name === "@" ? zoneName : `${name}.${zoneName}`;
  const parsed = parseRecord({ name: absolute, type, value, ttl: 300, priority });
  if (!parsed.ok) throw new Error(parsed.message);
  return parsed.record;
}

function input(
  desired: readonly DnsRecord[],
  existing: readonly DnsRecord[],
  more: Partial<PlanInput> = {},
): PlanInput {
  return {
    zone: zoneName,
    manifest: cloudflare,
    listing: { records: existing, opaque: [] },
    desired,
    owned: [],
    allowedNames: [...desired.map(({ name }) => name), `shop.${zoneName}`],
    ...more,
  };
}

function changes(...args: Parameters<typeof input>): readonly Change[] {
  const result = planChanges(input(...args));
  assert.ok(result.ok, JSON.stringify(result));
  return result.plan.changes;
}

function only(...args: Parameters<typeof input>): Change {
  const [first, ...rest] = changes(...args);
  assert.ok(first !== undefined && rest.length === 0);
  return first;
}

function refusal(...args: Parameters<typeof input>): RefusalCode | null {
  const result = planChanges(input(...args));
  return result.ok ? null : (result.refusals[0]?.code ?? null);
}

const target = rec("shop", "CNAME", "edge.example.net");

describe("planChanges", () => {
  it("creates a missing record and plans nothing for an existing one", () => {
    assert.equal(only([target], []).action, "create");
    assert.equal(only([target], [{ ...target, ttl: 9 }]).action, "keep");
  });

  it("replaces what this service wrote before, and shows it", () => {
    const old = rec("shop", "CNAME", "old.example.net");
    const change = only([target], [old], { owned: [old] });
    assert.equal(change.action, "update");
    assert.deepEqual(change.existing, [old]);
  });

  it("does not touch what others wrote, unless exactly that is authorised", () => {
    const unrelated = rec("shop", "A", "192.0.2.1");
    const change = only([target], [unrelated]);
    assert.equal(change.action, "conflict");
    assert.equal(change.replaceable, true);
    assert.deepEqual(change.existing, [unrelated]);
    assert.match(change.reason, /A.*did not create/);
    assert.equal(only([target], [unrelated], { replace: [change.id] }).action, "update");
    const another = rec("shop", "A", "192.0.2.2");
    assert.equal(only([target], [unrelated, another], { replace: [change.id] }).action, "conflict");
  });

  it("asks when only a part of what is in the way is ours", () => {
    const [mine, unrelated] = [rec("shop", "A", "192.0.2.1"), rec("shop", "A", "192.0.2.2")];
    assert.equal(only([target], [mine, unrelated], { owned: [mine] }).action, "conflict");
  });

  it("treats another address beside ours as a conflict, also when ours exists", () => {
    const mine = rec("shop", "A", "192.0.2.1");
    const unrelated = rec("shop", "AAAA", "2001:db8::1");
    assert.equal(only([mine], [mine, unrelated]).action, "conflict");
    const both = changes([mine, unrelated], [mine, unrelated]);
    assert.deepEqual(
      both.map(({ action }) => action),
      ["keep", "keep"],
    );
  });

  it("adds texts, services and authorisations beside others", () => {
    const there = [
      rec("shop", "TXT", "other"),
      rec("shop", "A", "192.0.2.1"),
      rec("shop", "CAA", '0 issue "a.example"'),
    ];
    assert.equal(only([rec("shop", "TXT", "mine")], there).action, "create");
    assert.equal(only([rec("shop", "CAA", '0 issue "b.example"')], there).action, "create");
  });

  it("gives a name no second mail provider, SPF or DMARC policy", () => {
    const mx = rec("shop", "MX", "mx.other.example", 10);
    assert.equal(only([rec("shop", "MX", "mx.example.net", 5)], [mx]).action, "conflict");
    const spf = rec("shop", "TXT", "v=spf1 -all");
    assert.equal(
      only([rec("shop", "TXT", "v=spf1 include:x.example ~all")], [spf]).action,
      "conflict",
    );
    const dmarc = rec("_dmarc", "TXT", "v=DMARC1; p=reject");
    assert.equal(only([rec("_dmarc", "TXT", "v=DMARC1; p=none")], [dmarc]).action, "conflict");
  });

  it("puts nothing beside a CNAME, and no CNAME beside anything", () => {
    assert.equal(only([rec("shop", "TXT", "x")], [target]).action, "conflict");
    assert.equal(only([target], [rec("shop", "TXT", "x")]).action, "conflict");
  });

  it("puts a delegation beside another server of it, and beside nothing else", () => {
    const [one, two] = [rec("shop", "NS", "ns1.example.net"), rec("shop", "NS", "ns2.example.net")];
    assert.equal(only([one], [two]).action, "create");
    assert.equal(only([one], [rec("shop", "A", "192.0.2.1")]).action, "conflict");
    assert.equal(only([rec("shop", "A", "192.0.2.1")], [one]).action, "conflict");
  });

  it("leaves the zone's own name servers alone whatever the apex becomes", () => {
    const there = [rec("@", "NS", "ns1.example.net"), rec("@", "MX", "mx.example.net", 10)];
    const change = only([rec("@", "CNAME", "edge.example.net")], there);
    assert.equal(change.action, "create");
    assert.equal(change.record.type, "ALIAS");
  });

  it("calls a followed name ALIAS at the apex and CNAME below, and sees both as the same", () => {
    assert.equal(only([rec("shop", "ALIAS", "edge.example.net")], [target]).action, "keep");
    assert.equal(only([target], [rec("shop", "ALIAS", "edge.example.net")]).action, "keep");
  });

  it("says that nothing below a delegation is answered from here", () => {
    const below = rec("a.team", "A", "192.0.2.1");
    const change = only([below], [rec("team", "NS", "ns1.example.net")]);
    assert.equal(change.action, "conflict");
    assert.equal(change.replaceable, false);
    assert.match(change.reason, /delegated/);
  });

  it("cannot be authorised to remove what it cannot read or must not touch", () => {
    const opaque: OpaqueRecord = {
      name: target.name,
      type: "A",
      value: "192.0.2.1",
      note: "the proxy hides it",
      isAddress: true,
    };
    const listing = { records: [], opaque: [opaque] };
    const change = only([target], [], { listing });
    assert.equal(change.action, "conflict");
    assert.match(change.reason, /proxy/);
    assert.equal(only([target], [], { listing, replace: [change.id] }).action, "conflict");
    assert.equal(only([rec("shop", "AAAA", "2001:db8::1")], [], { listing }).action, "conflict");
    assert.equal(only([rec("shop", "TXT", "x")], [], { listing }).action, "create");
    const soa = { ...opaque, name: zoneName, type: "SOA", isAddress: false };
    const apex = rec("@", "A", "192.0.2.1");
    assert.equal(only([apex], [], { listing: { records: [], opaque: [soa] } }).action, "create");
  });

  it("asks for each record once and raises short TTLs to the provider's minimum", () => {
    const change = only([target, { ...target, ttl: 5 }], [], { manifest: godaddy });
    assert.equal(change.record.ttl, 600);
  });

  const refusals: readonly (readonly [string, RefusalCode, Parameters<typeof input>])[] = [
    ["a name outside the zone", "outside_zone", [[{ ...target, name: "shop.example.org" }], []]],
    [
      "a name that was not allowed",
      "name_not_allowed",
      [[rec("x", "A", "192.0.2.1")], [], { allowedNames: [] }],
    ],
    ["an SPF policy at the apex", "apex_spf", [[rec("@", "TXT", "v=spf1 -all")], []]],
    ["the zone's own name servers", "zone_records", [[rec("@", "NS", "ns1.example.net")], []]],
    [
      "a CNAME beside another desired record",
      "contradiction",
      [[target, rec("shop", "TXT", "x")], []],
    ],
    [
      "CAA where there is none",
      "unsupported",
      [[rec("shop", "CAA", '0 issue "a.example"')], [], { manifest: namecom }],
    ],
    [
      "delegation where there is none",
      "unsupported",
      [[rec("shop", "NS", "ns1.example.net")], [], { manifest: godaddy }],
    ],
    [
      "a followed name at an apex that cannot",
      "unsupported",
      [[rec("@", "ALIAS", "e.example.net")], [], { manifest: digitalocean }],
    ],
    [
      "a zone that shrank to less than half",
      "incomplete_read",
      [[target], [target], { previousCount: 4 }],
    ],
    [
      "a reading with names from elsewhere",
      "incomplete_read",
      [[target], [{ ...target, name: "a.example.org" }]],
    ],
  ];
  for (const [what, code, args] of refusals) {
    it(`refuses ${what}`, () => assert.equal(refusal(...args), code));
  }

  it("accepts a zone that lost less than half, and a wildcard where there are any", () => {
    assert.equal(
      refusal([target], [rec("a", "A", "192.0.2.1"), rec("b", "A", "192.0.2.1")], {
        previousCount: 4,
      }),
      null,
    );
    const noWildcard = {
      ...cloudflare,
      capabilities: { ...cloudflare.capabilities, wildcard: false },
    };
    const wildcard = rec("*.shop", "A", "192.0.2.1");
    assert.equal(refusal([wildcard], []), null);
    assert.equal(refusal([wildcard], [], { manifest: noWildcard }), "unsupported");
  });

  it("refuses a type that the provider's interface cannot write", () => {
    const noMx = { ...cloudflare, unwritableTypes: ["MX"] };
    const mail = rec("shop", "MX", "mx.example.net", 10);
    assert.equal(refusal([mail], []), null);
    assert.equal(refusal([mail], [], { manifest: noMx }), "unsupported");
  });
});

const records = fc.constantFrom(
  ...["shop", "www", "@"].flatMap((name) => [
    rec(name, "A", "192.0.2.1"),
    rec(name, "A", "192.0.2.2"),
    rec(name, "AAAA", "2001:db8::1"),
    rec(name, name === "@" ? "ALIAS" : "CNAME", "a.example.net"),
    rec(name, name === "@" ? "ALIAS" : "CNAME", "b.example.net"),
    rec(name, "TXT", "one"),
    rec(name, "TXT", "two"),
    rec(name, "MX", "mx.example.net", 10),
  ]),
);
const zones = fc.uniqueArray(records, { selector: recordKey, maxLength: 12 });

describe("plans over arbitrary zones", () => {
  const runs = { numRuns: propertyRuns(20_000) };

  it("never remove a record that is neither ours nor authorised, nor touch another name", () => {
    const property = fc.property(zones, zones, zones, (existing, desired, owned) => {
      const result = planChanges(input(desired, existing, { owned }));
      if (!result.ok) return;
      const { remove } = planEdits(result.plan);
      for (const record of remove) {
        assert.ok(owned.some((one) => sameRecord(one, record)));
        assert.ok(desired.some(({ name }) => name === record.name));
      }
    });
    fc.assert(property, runs);
  });

  it("are done when carried out: planning again has nothing left to do", () => {
    const property = fc.property(zones, zones, (existing, desired) => {
      const first = planChanges(input(desired, existing));
      if (!first.ok) return;
      const replace = first.plan.changes.map(({ id }) => id);
      const second = planChanges(input(desired, existing, { replace }));
      assert.ok(second.ok);
      const { remove, add } = planEdits(second.plan);
      const after = [
        ...existing.filter((one) => !remove.some((removed) => sameRecord(one, removed))),
        ...add,
      ];
      const third = planChanges(input(desired, after));
      assert.ok(third.ok);
      for (const { action } of third.plan.changes) assert.equal(action, "keep");
    });
    fc.assert(property, runs);
  });
});
