import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { zoneFile } from "./zone-file.ts";

const record = (type: string, value: string, priority: number | null = null) => ({
  host: "shop.acme.com",
  type,
  value,
  ttl: 300,
  priority,
});

describe("a zone file", () => {
  it("has absolute names, quoted texts, and what no importer knows as a remark", () => {
    const file = zoneFile("acme.com", [
      record("CNAME", "edge.mooring.example"),
      record("TXT", 'say "hi" \\ now'),
      record("MX", "mx.acme.com", 10),
      record("CAA", '0 issue "letsencrypt.org"'),
      record("SRV", "5 5060 sip.acme.com", 1),
      record("ALIAS", "edge.mooring.example"),
      { ...record("A", "192.0.2.1"), ttl: null },
    ]);
    assert.equal(
      file,
      [
        "$ORIGIN acme.com.",
        "shop.acme.com.\t300\tIN\tCNAME\tedge.mooring.example.",
        'shop.acme.com.\t300\tIN\tTXT\t"say \\"hi\\" \\\\ now"',
        "shop.acme.com.\t300\tIN\tMX\t10 mx.acme.com.",
        'shop.acme.com.\t300\tIN\tCAA\t0 issue "letsencrypt.org"',
        "shop.acme.com.\t300\tIN\tSRV\t1 5 5060 sip.acme.com.",
        "; shop.acme.com.\t300\tIN\tALIAS\tedge.mooring.example.",
        "shop.acme.com.\t3600\tIN\tA\t192.0.2.1",
        "",
      ].join("\n"),
    );
  });

  it("never lets a value begin a line or a string of its own", () => {
    const values = fc.string({ unit: "binary", maxLength: 600 });
    fc.assert(
      fc.property(values, fc.constantFrom("TXT", "A", "CNAME"), (value, type) => {
        const lines = zoneFile("acme.com", [record(type, value)]).split("\n");
        assert.equal(lines.length, 3);
        if (type !== "TXT") return;
        const strings = lines[1]?.split("\tTXT\t")[1] ?? "";
        assert.match(strings, /^"(?:[^"\\]|\\.)*"(?: "(?:[^"\\]|\\.)*")*$/);
        for (const [text] of strings.matchAll(/"((?:[^"\\]|\\.)*)"/g)) {
          assert.ok(text.replaceAll(/\\(\d{3}|.)/g, "x").length <= 257);
        }
      }),
    );
  });
});
