import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { stripVTControlCharacters } from "node:util";
import type { ConnectionDetail } from "@mooring/sdk";
import { shownWidth } from "../text/paint.ts";
import { hasEnded, hasReached, listSteps } from "./steps.ts";
import { changesSince, stepsView } from "./watch.ts";

const record = {
  host: "www.acme.test",
  type: "CNAME",
  value: "edge.localhost",
  ttl: 300,
  priority: null,
};
const base: ConnectionDetail = {
  id: "0198c0de-0000-7000-8000-000000000000",
  application_id: "0198c0de-0000-7000-8000-000000000001",
  hostname: "www.acme.test",
  kind: "subdomain",
  setup_type: "manual",
  state: "pending_ownership",
  provider: null,
  batch_id: null,
  error_code: null,
  wildcard: false,
  cutover: null,
  contest: null,
  redirect_to: null,
  origin_url: null,
  origin_host_header: null,
  edge: null,
  proxied: null,
  registration: null,
  customer_ref: null,
  created_at: "2026-01-01T00:00:00.000Z",
  ownership_challenge: { name: "_service-challenge.www.acme.test", value: "service-verify=x" },
  ownership: null,
  target: "edge.localhost",
  needed_records: [
    {
      host: "_service-challenge.www.acme.test",
      type: "TXT",
      value: "service-verify=x",
      ttl: 300,
      priority: null,
      purpose: "ownership",
      optional: false,
    },
    { ...record, purpose: "traffic", optional: false },
  ],
  desired_records: [record],
  pending_records: null,
  observed_records: [],
  observed_truncated: false,
  observed_omitted: 0,
  validation: null,
  dangling: false,
  partner_id: null,
  certificate: {
    status: "none",
    not_after: null,
    ca: null,
    source: null,
    fingerprint: null,
    next_attempt_at: null,
    last_error: null,
  },
};
const observed = [{ ...record, propagated: true, observed_at: "2026-01-01T00:00:00.000Z" }];

const statuses = (change: Partial<ConnectionDetail>) =>
  listSteps({ ...base, ...change })
    .map(({ status }) => status)
    .join(" ");

describe("listSteps", () => {
  const table: readonly (readonly [Partial<ConnectionDetail>, string])[] = [
    [{ state: "created" }, "active waiting waiting waiting"],
    [{ state: "pending_ownership" }, "active waiting waiting waiting"],
    [{ state: "pending_ownership", error_code: "txt_not_found" }, "active waiting waiting waiting"],
    [{ state: "pending_ownership", error_code: "txt_mismatch" }, "trouble waiting waiting waiting"],
    [{ state: "verifying" }, "active waiting waiting waiting"],
    [{ state: "verified" }, "done active waiting waiting"],
    [{ state: "dns_writing" }, "done active waiting waiting"],
    [{ state: "propagating", error_code: "record_missing" }, "done active waiting waiting"],
    [{ state: "propagating", error_code: "proxied" }, "done trouble waiting waiting"],
    [{ state: "stalled" }, "done trouble waiting waiting"],
    [{ state: "issuing_cert" }, "done done active waiting"],
    [{ state: "issuing_cert", error_code: "caa_forbidden" }, "done done trouble waiting"],
    [{ state: "live" }, "done done done done"],
    [{ state: "drifted" }, "done trouble waiting waiting"],
    [{ state: "failed", error_code: "ownership_timeout" }, "failed waiting waiting waiting"],
    [{ state: "failed", error_code: "propagation_timeout" }, "done failed waiting waiting"],
    [{ state: "failed", error_code: "certificate_timeout" }, "done done failed waiting"],
    [{ state: "archived" }, "waiting waiting waiting waiting"],
  ];
  for (const [change, expected] of table) {
    it(`shows ${change.state} ${change.error_code ?? ""} as ${expected}`, () => {
      assert.equal(statuses(change), expected);
    });
  }
});

describe("hasReached", () => {
  it("counts later states, and neither failed nor archived", () => {
    assert.equal(hasReached("issuing_cert", "verified"), true);
    assert.equal(hasReached("propagating", "issuing_cert"), false);
    assert.equal(hasReached("drifted", "live"), false);
    assert.equal(hasReached("failed", "verified"), false);
    assert.deepEqual(
      [hasEnded("failed"), hasEnded("archived"), hasEnded("stalled")],
      [true, true, false],
    );
  });
});

describe("stepsView", () => {
  it("fits every line into the terminal, and shows the records of active steps only", () => {
    const shown = (change: Partial<ConnectionDetail>, columns: number) =>
      stepsView({
        connection: { ...base, ...change },
        elapsedMs: 4_900,
        frame: 3,
        columns,
        note: "Nothing new for a while: mooring connections diagnose",
      });
    for (const line of shown({}, 40)) assert.ok(shownWidth(line) <= 40, line);
    const text = stripVTControlCharacters(shown({ state: "propagating" }, 80).join("\n"));
    assert.match(text, /^www\.acme\.test {2}propagating {2}4 s\n/);
    assert.match(text, /✔ ownership is proven\n/);
    assert.match(text, /· www\.acme\.test CNAME edge\.localhost\n/);
    assert.doesNotMatch(text, /service-verify/);
  });
});

describe("changesSince", () => {
  it("lists everything at first, then only what is new", () => {
    const first = changesSince(null, base);
    assert.deepEqual(first, [
      "pending_ownership",
      "waiting for the proof of ownership in DNS",
      "wanted: _service-challenge.www.acme.test TXT service-verify=x",
    ]);
    assert.deepEqual(changesSince(base, base), []);
    const propagating: ConnectionDetail = { ...base, state: "propagating" };
    assert.deepEqual(changesSince(propagating, { ...propagating, observed_records: observed }), [
      "seen: www.acme.test CNAME edge.localhost",
    ]);
  });
});
