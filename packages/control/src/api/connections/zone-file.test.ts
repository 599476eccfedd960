import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { DnsRecord } from "@mooring/dns";
import { testConnection } from "@mooring/testing/control/connection";
import type { SharedPart } from "../../services/share/links.ts";
import { zoneFile } from "./zone-file.ts";

function writeFile(...records: readonly Partial<DnsRecord>[]): string {
  const shared: SharedPart = {
    connection: testConnection({ hostname: "shop.acme.example" }),
    dnsHost: { zone: "acme.example", provider: null, manifest: null, panel: null, form: null },
    offered: null,
    records: records.map((record) => ({
      purpose: "traffic",
      record: {
        name: "shop.acme.example",
        type: "A",
        value: "",
        ttl: 300,
        priority: null,
        ...record,
      },
      form: { type: "A", host: "shop", value: "", ttl: 300 },
      status: "missing",
      observed: [],
    })),
    diagnosis: {
      connectionId: "",
      checkedAt: new Date(0),
      summary: "",
      findings: [],
      records: [],
      isEarly: false,
    },
  };
  return zoneFile([shared]);
}

function writeLines(...records: readonly Partial<DnsRecord>[]): readonly string[] {
  return writeFile(...records)
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith("; "));
}

describe("zoneFile", () => {
  it("writes every name in full, with its dot", () => {
    assert.deepEqual(
      writeLines(
        { type: "CNAME", value: "edge.mooring.example" },
        { type: "MX", value: "mx.mail.example", priority: 10 },
        { type: "A", value: "198.51.100.7" },
      ),
      [
        "shop.acme.example.\t300\tIN\tCNAME\tedge.mooring.example.",
        "shop.acme.example.\t300\tIN\tMX\t10 mx.mail.example.",
        "shop.acme.example.\t300\tIN\tA\t198.51.100.7",
      ],
    );
  });

  it("splits a long text and escapes what would end it", () => {
    const [line] = writeLines({ type: "TXT", value: `a"b\\c${"x".repeat(260)}ä` });
    const strings = [...(line ?? "").matchAll(/"((?:[^"\\]|\\.)*)"/g)].map(
      ([, text]) => text ?? "",
    );
    assert.equal(strings.length, 2);
    assert.ok(strings[0]?.startsWith('a\\"b\\\\cx'));
    assert.ok(strings[1]?.endsWith("x\\195\\164"));
  });

  it("leaves a record that no zone file knows as a remark", () => {
    assert.match(writeFile({ type: "ALIAS", value: "edge.example" }), /\n; by hand, as ALIAS/);
  });
});
