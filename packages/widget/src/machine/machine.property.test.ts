import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { proofSize } from "@mooring/testing/processes/proof-size";
import {
  connectionId,
  sampleCheck,
  sampleConflict,
  sampleConnection,
  sampleDiagnosis,
  sampleEmail,
  samplePlan,
  sampleRecords,
  sampleSending,
} from "@mooring/testing/widget/samples";
import fc from "fast-check";
import { createProblem } from "../runner/api.ts";
import type { MachineEvent } from "./event.ts";
import { begin, pageEvents, transition } from "./machine.ts";
import type { Effect, State } from "./state.ts";
import { planWatch } from "./watching.ts";

const runs = proofSize(300, 20_000);
const secret = "s3cr3t-value";

const connection = fc
  .constantFrom(
    "pending_ownership",
    "verifying",
    "verified",
    "dns_writing",
    "propagating",
    "stalled",
    "issuing_cert",
    "live",
    "drifted",
    "failed",
    "archived",
  )
  .chain((state) =>
    fc
      .constantFrom(null, "provider_auth", "txt_mismatch")
      .map((error_code) => sampleConnection({ state, error_code })),
  );
const check = fc
  .record({ domain_connect: fc.boolean(), auto_configurable: fc.boolean() })
  .map(sampleCheck);
const effect: fc.Arbitrary<Effect> = fc.constantFrom<Effect[]>(
  { type: "check", domain: "shop.acme.com" },
  { type: "create", domain: "shop.acme.com" },
  { type: "load", id: connectionId },
  { type: "plan", id: connectionId, provider: null, credential: "stored" },
  { type: "apply", id: connectionId, provider: "x", credential: { token: secret }, replace: [] },
  { type: "share", id: connectionId },
  { type: "start_domain_connect", id: connectionId },
);
const problem = fc
  .constantFrom(
    "invalid",
    "QuotaExceeded",
    "HostnameConflict",
    "network",
    "internal",
    "provider_error",
  )
  .map((code) => createProblem(code, "…"));

const event: fc.Arbitrary<MachineEvent> = fc.oneof(
  fc.constantFrom<MachineEvent[]>(
    { type: "typed", text: "shop.acme.com" },
    { type: "submitted" },
    { type: "continued", way: "automatic" },
    { type: "continued", way: "manual" },
    { type: "method_chosen", method: "domain_connect" },
    { type: "method_chosen", method: "credential" },
    { type: "method_chosen", method: "manual" },
    { type: "credential_typed", key: "token", text: secret },
    { type: "credential_given", fields: { token: secret } },
    { type: "consented", id: "change-1", isGiven: true },
    { type: "plan_accepted" },
    { type: "check_asked" },
    { type: "share_asked" },
    { type: "records_asked" },
    { type: "email_chosen", provider: "zoho", inputs: {} },
    { type: "email_done" },
    { type: "email_confirmed" },
    { type: "email_revised" },
    { type: "access_allowed", isGiven: true },
    { type: "email_applied", result: sampleEmail(), isPreview: true },
    { type: "email_chosen", provider: "resend", inputs: {} },
    { type: "sending_applied", result: sampleSending() },
    { type: "sending_check_asked" },
    { type: "cutover_chosen", isWanted: false },
    { type: "origin_accepted", isGiven: true },
    { type: "switch_asked", way: "automatic" },
    { type: "automatic_asked" },
    { type: "back" },
    { type: "retried" },
    { type: "restarted", domain: "" },
    { type: "close_asked" },
    { type: "stayed" },
    { type: "renew_asked" },
    { type: "planned", plan: samplePlan() },
    { type: "planned", plan: sampleConflict() },
    { type: "applied", plan: samplePlan({ applied: true }) },
    { type: "applied", plan: sampleConflict() },
    { type: "popup_changed", status: "returned" },
    { type: "popup_changed", status: "closed" },
    { type: "shared", url: "https://x", expiresAt: "2026-11-22T00:00:00.000Z" },
    { type: "diagnosed", diagnosis: sampleDiagnosis() },
    { type: "email_applied", result: sampleEmail() },
    { type: "expired", effect: null, problem: createProblem("unauthorized", "over") },
    { type: "renewed", boundDomain: null },
    { type: "stalling" },
    { type: "went_offline" },
    { type: "went_online" },
  ),
  check.map((one): MachineEvent => ({ type: "checked", domain: "shop.acme.com", check: one })),
  connection.map(
    (one): MachineEvent => ({ type: "created", domain: "shop.acme.com", connection: one }),
  ),
  fc
    .tuple(connection, check)
    .map(([one, other]): MachineEvent => ({ type: "loaded", connection: one, check: other })),
  fc.tuple(connection, fc.boolean()).map(
    ([one, areFound]): MachineEvent => ({
      type: "polled",
      connection: one,
      records: sampleRecords(areFound),
    }),
  ),
  fc
    .tuple(effect, problem)
    .map(([one, other]): MachineEvent => ({ type: "failed", effect: one, problem: other })),
);

const needsConnection: readonly State["step"][] = [
  "automatic_setup",
  "manual_configuration",
  "in_progress",
  "email",
  "success",
];

function holds(state: State): void {
  if (needsConnection.includes(state.step)) assert.ok(state.connection, state.step);
  if (state.step === "error") assert.ok(state.failure);
  if (state.step === "success") assert.equal(state.succeededId, state.connection?.id);
  if (state.overlay === "expired") assert.equal(planWatch(state), null);
  // A secret is in the state only from the form to the response of the write.
  if (state.step !== "automatic_setup")
    assert.doesNotMatch(JSON.stringify(state.automatic), /s3cr3t/);
  // A form that is left can be returned to; what comes after the setup does not know it.
  const isSetUp = ["in_progress", "email", "success"].includes(state.step);
  if (isSetUp || state.closed !== null) assert.deepEqual(state.draft, {});
  assert.ok(state.check === null || !["check"].includes(state.busy ?? ""));
}

describe("any sequence of events", () => {
  it("preserves every screen's invariants, reports each step once, and never reopens", () => {
    fc.assert(
      fc.property(
        fc.boolean(),
        fc.boolean(),
        fc.array(event, { maxLength: 60 }),
        (offersEmail, isResumed, events) => {
          const setting = { offersEmail, boundDomain: null, canRenew: true };
          let { state } = begin({
            setting,
            domain: "",
            connectionId: isResumed ? connectionId : null,
          });
          for (const one of events) {
            const before = state;
            ({ state } = transition(state, one));
            holds(state);
            const names = pageEvents(before, state).map(({ name }) => name);
            assert.equal(
              names.includes("svc:step"),
              before.step !== state.step && before.closed === null,
            );
            assert.doesNotMatch(JSON.stringify(pageEvents(before, state)), /s3cr3t/);
          }
          const closed = transition(state, { type: "left" }).state;
          assert.ok(closed.closed);
          for (const one of events) {
            const { state: still, effects } = transition(closed, one);
            assert.equal(still, closed);
            assert.deepEqual(effects, []);
          }
        },
      ),
      { numRuns: runs },
    );
  });
});
