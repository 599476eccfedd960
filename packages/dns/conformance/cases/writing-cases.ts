import assert from "node:assert/strict";
import type { DnsRecord } from "../../src/record.ts";
import { type Case, type CaseContext, create, rec, remove, update } from "./case-context.ts";
import { isKind } from "./reading-cases.ts";

const dkimText = `v=DKIM1; k=rsa; p=${"MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8A".repeat(9).slice(0, 282)}`;

/** Writes the record, reads, writes it again (which must change nothing), deletes it, reads. */
async function roundTrip(
  { apply, expect, backend, initialRecords }: CaseContext,
  record: DnsRecord,
): Promise<void> {
  await apply(create(record));
  await expect([...initialRecords, record]);
  const writes = backend.writeCount();
  await apply(create(record));
  assert.equal(backend.writeCount(), writes, "writing the same again changed something");
  await apply(remove(record));
  await expect(initialRecords);
}

/** A provider may be unable to store a text; it must then say so, and never store another. */
async function exactOrRefused(context: CaseContext, record: DnsRecord): Promise<void> {
  const refusal = await context.apply(create(record)).then(
    () => null,
    (error: unknown) => error,
  );
  if (refusal === null) {
    await context.apply(remove(record));
    await roundTrip(context, record);
    return;
  }
  isKind("unsupported")(refusal);
  await context.expect(context.initialRecords);
}

const roundTripRecords: readonly (readonly [string, DnsRecord])[] = [
  ["an address", rec("app", "A", "192.0.2.20")],
  ["an IPv6 address", rec("app", "AAAA", "2001:db8::20")],
  ["a host name", rec("shop", "CNAME", "edge.example.net")],
  ["a host name inside the zone", rec("shop", "CNAME", "www.conformance.example")],
  [
    "a text at a name with underscores",
    rec("_service-challenge.shop", "TXT", "service-verify=AbC_-1"),
  ],
  [
    "a text with semicolons, spaces and equals signs",
    rec("_dmarc", "TXT", "v=DMARC1; p=none; rua=mailto:a@example.net"),
  ],
  ["a text of 300 characters", rec("key._domainkey", "TXT", dkimText)],
  ["a mail exchanger", rec("lists", "MX", "mx.example.net", { priority: 20 })],
  ["a text at the apex", rec("@", "TXT", "site-verification=abc123")],
  ["an address for a wildcard", rec("*.preview", "A", "192.0.2.30")],
  ["a service", rec("_xmpp._tcp", "SRV", "0 5222 chat.example.net", { priority: 5 })],
];

const roundTrips: readonly Case[] = roundTripRecords.map(([what, record]) => ({
  name: `creates and deletes ${what}, and nothing twice`,
  run: (context: CaseContext) => roundTrip(context, record),
}));

const optional: readonly Case[] = [
  {
    name: "stores a text with quotes and backslashes exactly, or refuses it and writes nothing",
    run: (context) => exactOrRefused(context, rec("odd", "TXT", 'say "hello" to C:\\dir; ok')),
  },
  {
    name: "stores a text beyond ASCII exactly, or refuses it and writes nothing",
    run: (context) =>
      exactOrRefused(context, rec("odd", "TXT", "v=1; name=Grüße \u2713 \u{1f6a2}")),
  },
  {
    name: "creates and deletes a certificate authority authorisation, and nothing twice",
    unless: ({ manifest }) =>
      manifest.capabilities.caa ? null : "the provider has no CAA records",
    run: (context) => roundTrip(context, rec("shop", "CAA", '0 issue "ca.example.net"')),
  },
  {
    name: "creates and deletes a delegation, and nothing twice",
    unless: ({ manifest }) =>
      manifest.capabilities.ns_delegation ? null : "the interface has no delegations",
    run: (context) => roundTrip(context, rec("team", "NS", "ns1.example.net")),
  },
  {
    name: "lets the apex follow a host name and takes it back",
    unless: ({ manifest }) =>
      manifest.capabilities.cname_flattening ? null : "the apex cannot follow a host name",
    run: async ({ apply, expect, initialRecords }) => {
      const [address, ...rest] = initialRecords;
      assert.ok(address !== undefined);
      const alias = rec("@", "ALIAS", "edge.example.net");
      await apply(update(alias, address));
      await expect([...rest, alias]);
      await apply(update(address, alias));
      await expect(initialRecords);
    },
  },
];

const sets: readonly Case[] = [
  {
    name: "changes a host name's target",
    run: async ({ apply, expect, initialRecords }) => {
      const [before, after] = [
        rec("shop", "CNAME", "a.example.net"),
        rec("shop", "CNAME", "b.example.net"),
      ];
      await apply(create(before));
      await apply(update(after, before));
      await expect([...initialRecords, after]);
    },
  },
  {
    name: "changes the priority of a mail exchanger",
    run: async ({ apply, expect, initialRecords }) => {
      const [before, after] = [10, 20].map((priority) =>
        rec("lists", "MX", "mx.example.net", { priority }),
      );
      assert.ok(before !== undefined && after !== undefined);
      await apply(create(before));
      await apply(update(after, before));
      await expect([...initialRecords, after]);
    },
  },
  {
    name: "replaces addresses by a host name, and back",
    run: async ({ apply, expect, initialRecords }) => {
      const addresses = [
        rec("shop", "A", "192.0.2.1"),
        rec("shop", "A", "192.0.2.2"),
        rec("shop", "AAAA", "2001:db8::1"),
      ];
      const target = rec("shop", "CNAME", "edge.example.net");
      await apply(...addresses.map(create));
      await expect([...initialRecords, ...addresses]);
      await apply(update(target, ...addresses));
      await expect([...initialRecords, target]);
      await apply(...addresses.map((address) => update(address, target)));
      await expect([...initialRecords, ...addresses]);
    },
  },
  {
    name: "retains the other values of a set when it adds, changes and deletes one",
    run: async ({ apply, expect, backend, zone, initialRecords }) => {
      const others = [
        rec("multi", "TXT", "first"),
        rec("multi", "TXT", "second; third"),
        rec("multi", "MX", "a.example.net", { priority: 1 }),
      ];
      await backend.seed(zone, [...initialRecords, ...others]);
      const [mine, changed] = [rec("multi", "TXT", "mine"), rec("multi", "TXT", "changed")];
      await apply(create(mine));
      await expect([...initialRecords, ...others, mine]);
      await apply(update(changed, mine));
      await expect([...initialRecords, ...others, changed]);
      await apply(remove(changed));
      await expect([...initialRecords, ...others]);
    },
  },
  {
    name: "makes several changes of one plan and nothing else",
    run: async ({ apply, expect, initialRecords }) => {
      const old = rec("old", "CNAME", "edge.example.net");
      await apply(create(old));
      const [one, two] = [rec("one", "CNAME", "edge.example.net"), rec("one2", "TXT", "x")];
      const retained = {
        ...create(rec("unchanged", "A", "192.0.2.99")),
        action: "conflict" as const,
      };
      await apply(create(one), create(two), remove(old), retained);
      await expect([...initialRecords, one, two]);
    },
  },
  {
    name: "raises a TTL that is too short and stores one that is not",
    run: async ({ apply, backend, zone, adapter }) => {
      await apply(
        create(rec("short", "A", "192.0.2.5", { ttl: 1 })),
        create(rec("long", "A", "192.0.2.5", { ttl: 7_200 })),
      );
      const stored = await backend.records(zone);
      const ttl = (name: string) =>
        stored.find((one) => one.name.startsWith(`${name}.`))?.ttl ?? -1;
      assert.ok(
        ttl("short") >= Math.max(1, adapter.manifest.minimumTtlSeconds),
        String(ttl("short")),
      );
      assert.equal(ttl("long"), 7_200);
    },
  },
  {
    name: "gives the records of a set another TTL, and nothing twice",
    unless: ({ manifest }) =>
      manifest.cannotChangeInPlace === true || manifest.rewriteWarning !== undefined
        ? "a record cannot be changed in place"
        : null,
    run: async ({ apply, expect, backend, zone, initialRecords }) => {
      const withTtl = (ttl: number) =>
        ["192.0.2.1", "192.0.2.2"].map((value) => rec("old", "A", value, { ttl }));
      const [long, short] = [withTtl(7_200), withTtl(3_600)];
      await backend.seed(zone, [...initialRecords, ...long]);
      const lower = short.map((record, at) => update(record, ...long.slice(at, at + 1)));
      await apply(...lower);
      await expect([...initialRecords, ...short]);
      const stored = (await backend.records(zone)).filter(({ name }) => name.startsWith("old."));
      assert.deepEqual(
        stored.map(({ ttl }) => ttl),
        [3_600, 3_600],
      );
      const writes = backend.writeCount();
      await apply(...lower);
      assert.equal(backend.writeCount(), writes, "writing the same again changed something");
    },
  },
  {
    name: "refuses a CNAME beside another record before it writes anything",
    run: async ({ apply, expect, backend, initialRecords }) => {
      const writes = backend.writeCount();
      const clash = apply(
        create(rec("fresh", "A", "192.0.2.1")),
        create(rec("mail", "CNAME", "edge.example.net")),
      );
      await assert.rejects(clash, isKind("conflict"));
      assert.equal(backend.writeCount(), writes);
      await expect(initialRecords);
    },
  },
  {
    name: "shows a record of a type it does not know, and leaves it where it is",
    run: async ({ apply, list, backend, zone }) => {
      const name = `odd.${zone}`;
      const row = {
        name,
        type: "HTTPS",
        value: "1 . alpn=h2",
        ttl: 3_600,
        priority: null,
        extras: {},
      };
      await backend.plant?.(zone, row);
      const planted = backend.plant === undefined ? [] : [["odd.conformance.example", "HTTPS"]];
      const observed = async () =>
        (await list()).opaque
          .filter((one) => one.type !== "SOA")
          .map((one) => [one.name, one.type]);
      assert.deepEqual(await observed(), planted);
      const beside = rec("odd", "TXT", "beside it");
      await apply(create(beside));
      await apply(remove(beside));
      assert.deepEqual(await observed(), planted);
    },
  },
  {
    name: "reports a missing zone on writing as not_found",
    run: async ({ backend, provider, signal }) => {
      const changes = [create(rec("x", "A", "192.0.2.1"))];
      const plan = { zone: backend.missingZone.name, changes };
      await assert.rejects(provider.apply(backend.missingZone, plan, signal), isKind("not_found"));
    },
  },
];

export const writingCases: readonly Case[] = [...roundTrips, ...optional, ...sets];
