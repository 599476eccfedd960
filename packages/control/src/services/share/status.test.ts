import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { ConnectionState } from "../../domain/connections/connection.ts";
import { newCutover } from "../../domain/connections/cutover.ts";
import type { Finding } from "../../domain/diagnosis/finding.ts";
import type { FindingCode } from "../../domain/diagnosis/finding-codes.ts";
import type { RecordStatus, SharedRecord } from "./records.ts";
import { readersFindings, type ShareStatus, shareStatus } from "./status.ts";

function finding(code: FindingCode, actor: Finding["actor"], severity: Finding["severity"]) {
  return { code, actor, severity, title: code, fix: "", evidence: [] } as unknown as Finding;
}

function records(...statuses: readonly RecordStatus[]): readonly SharedRecord[] {
  return statuses.map((status) => ({
    purpose: "traffic",
    record: { name: "shop.acme.com", type: "CNAME", value: "edge.test", ttl: 300, priority: null },
    form: { type: "CNAME", host: "shop", value: "edge.test", ttl: 300 },
    status,
    observed: [],
  }));
}

const www = finding("www_not_connected", "tenant", "info");
const origin = finding("origin_unreachable", "tenant", "error");
const caa = finding("caa_forbidden", "end_customer", "error");
const missing = finding("record_missing", "end_customer", "error");
const gaveUp = finding("gave_up", "tenant", "error");

const cases: readonly (readonly [
  ConnectionState,
  readonly RecordStatus[],
  readonly Finding[],
  ShareStatus,
])[] = [
  ["pending_ownership", ["missing", "missing"], [missing], "add"],
  ["propagating", ["proven", "partly"], [], "spreading"],
  [
    "propagating",
    ["proven", "other"],
    [finding("record_mismatch", "end_customer", "error")],
    "fix",
  ],
  ["propagating", ["proven", "found"], [], "placed"],
  ["propagating", ["unknown", "unknown"], [], "unknown"],
  ["issuing_cert", ["proven", "found"], [], "securing"],
  ["issuing_cert", ["proven", "found"], [caa], "fix"],
  ["issuing_cert", ["proven", "found"], [origin], "sender"],
  // What is nothing of the reader's does not contradict that all is right.
  ["live", ["proven", "found"], [www], "done"],
  ["live", ["proven", "found"], [origin], "done"],
  ["live", ["proven", "missing"], [missing], "add"],
  ["drifted", ["proven", "missing"], [missing], "add"],
  ["failed", ["missing"], [gaveUp, missing], "ended"],
];

describe("the status of a shared page", () => {
  for (const [state, statuses, findings, expected] of cases) {
    const codes = findings.map(({ code }) => code).join(", ") || "nothing found";
    it(`is ${expected} for ${state} with ${statuses.join(", ")} and ${codes}`, () => {
      const connection = { state, pendingRecords: null, cutover: null };
      assert.equal(shareStatus({ connection, records: records(...statuses), findings }), expected);
    });
  }

  it("asks for other records while a live domain moves", () => {
    const connection = { state: "live" as const, pendingRecords: [], cutover: null };
    const facts = { connection, records: records("proven", "missing"), findings: [] };
    assert.equal(shareStatus(facts), "replace");
  });

  it("says of a prepared name that it can be switched, not that it is wrong", () => {
    const moving = (status: "preparing" | "ready") => ({
      connection: {
        state: "propagating" as const,
        pendingRecords: null,
        cutover: { ...newCutover(null), status },
      },
      findings: [],
    });
    assert.equal(shareStatus({ ...moving("preparing"), records: records("missing") }), "add");
    assert.equal(shareStatus({ ...moving("ready"), records: records("found", "other") }), "switch");
    assert.equal(shareStatus({ ...moving("preparing"), records: records("found") }), "placed");
  });

  it("leaves out what the list of records says and what others must do", () => {
    assert.deepEqual(readersFindings([www, origin, missing, gaveUp, caa]), [caa]);
  });
});
