import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { ConnectionDetail } from "@mooring/sdk";
import {
  sampleCheck,
  sampleConnection,
  sampleNeeded,
  sampleProof,
  sampleRecords,
  sampleTarget,
} from "@mooring/testing/widget/samples";
import fc from "fast-check";
import {
  cacheMinutes,
  countFound,
  earlyProofs,
  formHost,
  notesAbout,
  recordRows,
  relativeHost,
  stageProgress,
  zoneFile,
} from "./connection-view.ts";
import { type Joined, joined } from "./machine/joined.ts";

/** Its ownership is proven by a record of its own. */
function byText(input: Partial<ConnectionDetail> = {}): ConnectionDetail {
  const connection = sampleConnection(input);
  if (connection.ownership !== null) {
    return { ...connection, ownership: { ...connection.ownership, method: "txt" } };
  }
  return { ...connection, needed_records: [sampleProof(), ...connection.needed_records] };
}

const validation = {
  name: "_acme-challenge.shop.acme.com",
  target: "x.validation.example",
  status: "absent",
} as const;
const delegation = {
  ...{ host: validation.name, type: "CNAME", value: validation.target, ttl: 300, priority: null },
};

const untimed = { ready_at: null, ttl: null, visitors_gone_at: null };

describe("the records to add", () => {
  it("have the value that a wrong proof has instead, as every other wrong record", () => {
    const connection = byText();
    const { purpose: _, optional: __, ...record } = sampleProof();
    const seen = {
      ...record,
      propagated: false,
      observed_value: "stale",
      observed_truncated: false,
    };
    const [txt] = recordRows(connection, null, null, [seen]);
    assert.equal(txt?.status, "different");
    assert.equal(txt?.observed, "stale");
    const absent = recordRows(connection, null, null, [{ ...seen, observed_value: null }])[0];
    assert.equal(absent?.status, "waiting");
    assert.equal(absent?.observed, null);
  });

  it("are those that are needed, and the proof is among them only where it is", () => {
    const purposes = (connection: Joined) =>
      recordRows(connection, null, null).map(({ record, purpose }) => `${record.type} ${purpose}`);
    assert.deepEqual(purposes(sampleConnection()), ["CNAME both"]);
    assert.deepEqual(purposes(byText()), ["TXT ownership", "CNAME traffic"]);
    const early = sampleConnection();
    const offered = {
      ...early,
      needed_records: [sampleProof("shop.acme.com", true), ...early.needed_records],
    };
    assert.deepEqual(purposes(offered), ["CNAME both"]);
    assert.deepEqual(
      earlyProofs(offered, null).map(({ host }) => host),
      ["_service-challenge.shop"],
    );
    const wildcard = sampleConnection({ hostname: "*.shop.acme.com", validation });
    const both = [...wildcard.desired_records, delegation];
    assert.deepEqual(purposes({ ...wildcard, needed_records: sampleNeeded(both) }), [
      "CNAME traffic",
      "CNAME validation",
    ]);
    const www = sampleConnection({ hostname: "www.acme.com" });
    const pair = joined(byText({ hostname: "acme.com", kind: "apex" }), www);
    assert.deepEqual(purposes(pair), ["TXT ownership", "CNAME traffic", "CNAME both"]);
  });

  it("lead no visitor anywhere before a cut-over is switched", () => {
    const hosts = (status: "preparing" | "ready") => {
      const cutover = { status, checks: [], old_records: [], ...untimed };
      const connection = sampleConnection({ cutover, validation });
      const all = [...connection.desired_records, delegation];
      return recordRows({ ...connection, needed_records: sampleNeeded(all) }, null, null).map(
        ({ host }) => host,
      );
    };
    assert.deepEqual(hosts("preparing"), ["_acme-challenge.shop"]);
    assert.deepEqual(hosts("ready"), ["shop"]);
  });

  it("keep the TXT record ticked off once it has proven", () => {
    const ownership = { method: "txt", proven_at: "2026-11-15T05:00:00.000Z" } as const;
    const proven = sampleConnection({ state: "propagating", ownership });
    assert.deepEqual(
      recordRows(proven, null, null).map(({ purpose, status }) => [purpose, status]),
      [
        ["ownership", "found"],
        ["traffic", "checking"],
      ],
    );
  });

  it("have names relative to the zone", () => {
    assert.equal(relativeHost("acme.com", "acme.com"), "@");
    assert.equal(relativeHost("_x.shop.acme.com", "acme.com"), "_x.shop");
    assert.equal(relativeHost("notacme.com", "acme.com"), "notacme.com");
    const rows = recordRows(byText(), null, null);
    assert.deepEqual(
      rows.map(({ host, status }) => [host, status]),
      [
        ["_service-challenge.shop", "waiting"],
        ["shop", "checking"],
      ],
    );
  });

  it("have names in the form that the provider expects", () => {
    const form = {
      host_label: "Host record",
      value_label: "Points to",
      ttl_label: "TTL",
      host_style: "relative",
      apex_host: "",
      apex_type: "ANAME",
      minimum_ttl: 600,
      target_dot: false,
    } as const;
    assert.equal(formHost("acme.com", "acme.com", form), "");
    assert.equal(formHost("acme.com", "acme.com", { ...form, apex_host: "zone" }), "acme.com");
    assert.equal(formHost("www.acme.com", "acme.com", form), "www");
    const absolute = { ...form, host_style: "absolute" } as const;
    assert.equal(formHost("www.acme.com", "acme.com", absolute), "www.acme.com");
    const connection = byText({
      desired_records: [
        { host: "acme.com", type: "ALIAS", value: "edge.example", ttl: 300, priority: null },
      ],
    });
    const rows = recordRows(connection, null, sampleCheck({ record_form: form }));
    assert.deepEqual(
      rows.map(({ type }) => type),
      ["TXT", "ANAME"],
    );
  });

  it("have a dot after a host name and no TTL where the form is like that", () => {
    const { record_form: form } = sampleCheck();
    assert.ok(form);
    const check = sampleCheck({ record_form: { ...form, ttl_label: null, target_dot: true } });
    const shown = (one: typeof check | null) =>
      recordRows(byText(), null, one).map(({ type, value, ttl }) => [
        type,
        value.replace(/^service-verify=.+/, "proof"),
        ttl,
      ]);
    assert.deepEqual(shown(check), [
      ["TXT", "proof", null],
      ["CNAME", `${sampleTarget}.`, null],
    ]);
    assert.deepEqual(shown(null), [
      ["TXT", "proof", 300],
      ["CNAME", sampleTarget, 300],
    ]);
  });

  it("have the notes of the panel that are about them", () => {
    const notes = ["sections", "addresses_apart", "no_apex_alias", "no_wildcard"] as const;
    const about = (host: string, type: string) => {
      const desired_records = [{ host, type, value: "v.example", ttl: 300, priority: null }];
      const rows = recordRows(sampleConnection({ desired_records }), null, sampleCheck());
      return notesAbout(rows, notes, "acme.com");
    };
    assert.deepEqual(about("shop.acme.com", "CNAME"), ["sections"]);
    assert.deepEqual(about("acme.com", "A"), ["sections", "addresses_apart"]);
    assert.deepEqual(about("acme.com", "ALIAS"), ["sections", "no_apex_alias"]);
    assert.deepEqual(about("*.acme.com", "CNAME"), ["sections", "no_wildcard"]);
  });

  it("have the status of the last check", () => {
    const status = (connection: Joined, records: ReturnType<typeof sampleRecords> | null) =>
      recordRows(connection, records, sampleCheck()).map((row) => row.status);
    assert.deepEqual(status(sampleConnection({}), sampleRecords(true)), ["found"]);
    assert.deepEqual(status(byText({ error_code: "txt_mismatch" }), sampleRecords(false)), [
      "different",
      "waiting",
    ]);
    const other = sampleRecords(false).map((one) => ({ ...one, observed_value: "old.example" }));
    assert.equal(recordRows(sampleConnection(), other, null)[0]?.observed, "old.example");
  });
});

describe("progress", () => {
  it("passes the stages in order", () => {
    const active = (state: ConnectionDetail["state"]) =>
      stageProgress(byText({ state })).find(({ status }) => status === "active")?.stage;
    assert.equal(active("pending_ownership"), "ownership");
    assert.equal(active("stalled"), "records");
    assert.equal(active("issuing_cert"), "certificate");
    assert.equal(active("live"), undefined);
  });

  it("has no stage of its own for ownership where another record proves it", () => {
    const shown = (state: ConnectionDetail["state"]) =>
      stageProgress(sampleConnection({ state })).map(({ stage, status }) => `${stage} ${status}`);
    const waiting = ["records active", "certificate waiting", "live waiting"];
    assert.deepEqual(shown("pending_ownership"), waiting);
    assert.deepEqual(shown("propagating"), waiting);
    assert.deepEqual(shown("issuing_cert"), ["records done", "certificate active", "live waiting"]);
  });

  it("expects replaced records to be cached for their TTL", () => {
    const conflict = { host: "x", type: "A", value: "192.0.2.1", ttl: 3_601, priority: null };
    assert.equal(cacheMinutes(sampleCheck({ record_conflicts: [conflict] })), 61);
    assert.equal(cacheMinutes(sampleCheck()), 0);
    assert.deepEqual(countFound(sampleRecords(true)), { found: 1, all: 1 });
    assert.equal(countFound([]), null);
  });
});

const record = (type: string, value: string, priority: number | null = null) => ({
  host: "shop.acme.com",
  type,
  value,
  ttl: 300,
  priority,
});

describe("a zone file", () => {
  it("has absolute names, quoted strings, and ALIAS records as comments", () => {
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

  it("never lets a value start another line or string", () => {
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
