import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { parseRecord } from "@mooring/dns";
import { toDesired } from "../../domain/records/desired-records.ts";
import { recordConflicts } from "./conflicts.ts";
import type { NameObservation } from "./observe-name.ts";

/** A line like `shop.acme.example A 192.0.2.1`; an MX value starts with its priority. */
function record(line: string) {
  const [name = "", type = "", ...rest] = line.split(" ");
  const priority = type === "MX" ? Number(rest.shift()) : null;
  const parsed = parseRecord({ name, type, value: rest.join(" "), ttl: 300, priority });
  if (!parsed.ok) throw new Error(`${line}: ${parsed.message}`);
  return parsed.record;
}

function observed(name: string, zone: string, lines: readonly string[]): NameObservation {
  return {
    name,
    zone,
    records: lines.map(record),
    bindings: [],
    fromWildcard: false,
    complete: true,
  };
}

const shop = "shop.acme.example";
const apex = "acme.example";
const zone = apex;
const context = { edgeAddresses: new Set(["192.0.2.10", "2001:db8::10"]), canFlatten: false };
const apexNs = `${apex} NS ns1.dns.example`;

interface Row {
  readonly title: string;
  readonly requested: readonly string[];
  readonly there: readonly string[];
  readonly conflicts: readonly string[];
  readonly name?: string;
  readonly zone?: string;
  readonly canFlatten?: boolean;
}

const cname = `${shop} CNAME edge.mooring.example`;
const addresses = [`${apex} A 192.0.2.10`, `${apex} AAAA 2001:db8::10`];
const alias = `${apex} ALIAS edge.mooring.example`;

const table: readonly Row[] = [
  { title: "an empty name", requested: [cname], there: [], conflicts: [] },
  { title: "the requested CNAME itself", requested: [cname], there: [cname], conflicts: [] },
  {
    title: "a CNAME to elsewhere",
    requested: [cname],
    there: [`${shop} CNAME old.host.example`],
    conflicts: [`${shop} CNAME old.host.example`],
  },
  {
    title: "anything beside a requested CNAME (RFC 1034 §3.6.2)",
    requested: [cname],
    there: [
      `${shop} MX 10 mail.acme.example`,
      `${shop} TXT hello`,
      `${shop} CAA 0 issue "x.example"`,
    ],
    conflicts: [
      `${shop} MX 10 mail.acme.example`,
      `${shop} TXT hello`,
      `${shop} CAA 0 issue "x.example"`,
    ],
  },
  {
    title: "another address where a CNAME is desired",
    requested: [cname],
    there: [`${shop} A 203.0.113.5`],
    conflicts: [`${shop} A 203.0.113.5`],
  },
  {
    title: "a delegation where a CNAME is requested",
    requested: [cname],
    there: [`${shop} NS ns1.other.example`],
    zone: shop,
    conflicts: [`${shop} NS ns1.other.example`],
  },
  {
    title: "a leftover AAAA and a second A beside ours",
    name: apex,
    requested: addresses,
    there: [apexNs, ...addresses, `${apex} A 203.0.113.5`, `${apex} AAAA 2001:db8:f::5`],
    conflicts: [`${apex} A 203.0.113.5`, `${apex} AAAA 2001:db8:f::5`],
  },
  {
    title: "mail and texts at an apex, which stay",
    name: apex,
    requested: addresses,
    there: [apexNs, `${apex} MX 10 mail.acme.example`, `${apex} TXT v=spf1 -all`],
    conflicts: [],
  },
  {
    title: "a flattened apex that shows the edge's addresses",
    name: apex,
    canFlatten: true,
    requested: [alias],
    there: [apexNs, ...addresses, `${apex} TXT hello`],
    conflicts: [],
  },
  {
    title: "a flattened CNAME at an apex beside mail",
    name: apex,
    canFlatten: true,
    requested: [`${apex} CNAME edge.mooring.example`],
    there: [apexNs, `${apex} MX 10 mail.acme.example`, `${apex} A 203.0.113.5`],
    conflicts: [`${apex} A 203.0.113.5`],
  },
  {
    title: "a CNAME where addresses are requested",
    requested: [`${shop} A 192.0.2.10`],
    there: [`${shop} CNAME old.host.example`],
    conflicts: [`${shop} CNAME old.host.example`],
  },
  {
    title: "another mail exchanger",
    requested: [`${shop} MX 10 in.mooring.example`],
    there: [`${shop} MX 10 in.mooring.example`, `${shop} MX 20 mail.acme.example`],
    conflicts: [`${shop} MX 20 mail.acme.example`],
  },
  {
    title: "other texts beside a requested text",
    requested: [`${shop} TXT ours`],
    there: [`${shop} TXT theirs`],
    conflicts: [],
  },
];

function findConflicts(row: Row, changes: Partial<NameObservation> = {}): string[] {
  const name = row.name ?? shop;
  const names = [{ ...observed(name, row.zone ?? zone, row.there), ...changes }];
  const requested = row.requested.map((line) => toDesired(record(line)));
  const found = recordConflicts(requested, names, {
    ...context,
    canFlatten: row.canFlatten ?? false,
  });
  return found.map(({ host, type, value, priority }) =>
    [host, type, ...(priority === null ? [] : [priority]), value].join(" "),
  );
}

describe("record conflicts", () => {
  for (const row of table) {
    it(`${row.conflicts.length > 0 ? "name" : "leave alone"} ${row.title}`, () => {
      assert.deepEqual(findConflicts(row), row.conflicts);
    });
  }

  it("do not include a wildcard's records", () => {
    const row = table.find(({ title }) => title === "a CNAME to elsewhere");
    assert.ok(row);
    assert.deepEqual(findConflicts(row, { fromWildcard: true }), []);
  });

  it("name a record once, however many desired records it conflicts with", () => {
    const row = {
      title: "",
      requested: addresses,
      there: [`${apex} A 203.0.113.5`],
      conflicts: [],
      name: apex,
    };
    assert.deepEqual(findConflicts(row), [`${apex} A 203.0.113.5`]);
  });
});
