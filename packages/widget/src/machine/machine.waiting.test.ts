import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { after, opened, plain, polled, start } from "@mooring/testing/widget/machine";
import {
  connectionId,
  sampleCheck,
  sampleConflict,
  sampleConnection,
  sampleDiagnosis,
  samplePlan,
} from "@mooring/testing/widget/samples";
import { createProblem } from "../runner/api.ts";
import { begin } from "./machine.ts";
import { findTrouble } from "./trouble.ts";
import { planWatch } from "./watching.ts";

describe("automatic setup", () => {
  it("tries a stored credential only with a token for the hostname", () => {
    const bound = begin({
      setting: { ...plain, boundDomain: "shop.acme.com" },
      domain: "",
      connectionId,
    });
    const loaded = {
      type: "loaded",
      connection: sampleConnection(),
      check: sampleCheck(),
    } as const;
    const { state, effects } = after(bound.state, loaded);
    assert.deepEqual(effects, [
      { type: "plan", id: connectionId, provider: null, credential: "stored" },
    ]);
    const applying = after(state, { type: "planned", plan: samplePlan() });
    assert.equal(applying.effects[0]?.type, "apply");
    const conflict = after(state, { type: "planned", plan: sampleConflict() });
    assert.deepEqual(conflict.effects, []);
    assert.equal(opened({}).busy, null);
  });

  it("waits while the service writes the zone", () => {
    const bound = opened({}, {}, { boundDomain: "shop.acme.com" });
    const { state, effects } = after(bound, { type: "planned", plan: samplePlan() });
    const [effect] = effects;
    assert.equal(effect?.type, "apply");
    const { state: waiting } = after(state, {
      type: "failed",
      effect: {
        type: "apply",
        id: connectionId,
        provider: null,
        credential: "stored",
        replace: [],
      },
      problem: createProblem("conflict", "another request is writing the zone"),
    });
    assert.equal(waiting.step, "in_progress");
  });

  it("writes a plan only with consent to every conflict", () => {
    const planned = after(
      opened({}),
      { type: "credential_given", fields: { api_token: "hidden-value" } },
      { type: "planned", plan: sampleConflict() },
    ).state;
    assert.deepEqual(after(planned, { type: "plan_accepted" }).effects, []);
    const { effects } = after(
      planned,
      { type: "consented", id: "change-0", isGiven: true },
      { type: "plan_accepted" },
    );
    assert.deepEqual(effects, [
      {
        type: "apply",
        id: connectionId,
        provider: "cloudflare",
        credential: { api_token: "hidden-value" },
        replace: ["change-0"],
      },
    ]);
  });

  it("takes no consent to a conflict that cannot be replaced", () => {
    const plan = sampleConflict();
    const fixed = plan.changes.map((change) => ({ ...change, replaceable: false }));
    const { effects } = after(
      opened({}),
      { type: "credential_given", fields: { api_token: "hidden-value" } },
      { type: "planned", plan: { ...plan, changes: fixed } },
      { type: "consented", id: "change-1", isGiven: true },
      { type: "plan_accepted" },
    );
    assert.deepEqual(effects, []);
  });

  it("drops the typed credential after its use", () => {
    const { state } = after(
      opened({}),
      { type: "credential_given", fields: { api_token: "hidden-value" } },
      { type: "planned", plan: samplePlan() },
      { type: "plan_accepted" },
      { type: "applied", plan: samplePlan({ applied: true }) },
    );
    assert.equal(state.step, "in_progress");
    assert.doesNotMatch(JSON.stringify(state), /hidden-value/);
  });

  it("falls back to manual setup when the provider refuses permanently", () => {
    const { state } = after(
      opened({ state: "dns_writing" }),
      polled({ state: "propagating", setup_type: "manual", error_code: "provider_auth" }),
    );
    assert.equal(state.step, "manual_configuration");
  });
});

describe("waiting", () => {
  const manual = () =>
    opened({ setup_type: "manual" }, { auto_configurable: false, credential_fields: [] });

  it("takes what an unproven name leads to for what is to be replaced, not for trouble", () => {
    const error_code = "record_mismatch";
    const by = (state: "pending_ownership" | "propagating") =>
      findTrouble(
        after(manual(), {
          type: "polled",
          connection: sampleConnection({ state, error_code }),
          records: null,
        }).state,
      );
    assert.equal(by("pending_ownership"), null);
    assert.equal(by("propagating")?.code, error_code);
  });

  it("leaves the records when all are found and ownership is proven, not before", () => {
    assert.equal(
      after(manual(), polled({ setup_type: "manual" }, true)).state.step,
      "manual_configuration",
    );
    const there = after(manual(), polled({ setup_type: "manual", state: "propagating" }, true));
    assert.equal(there.state.step, "in_progress");
  });

  it("ignores a poll of another connection", () => {
    const other = sampleConnection({ id: "019a8400-0000-7000-8000-000000000002", state: "live" });
    const state = manual();
    assert.equal(after(state, { type: "polled", connection: other, records: null }).state, state);
  });

  it("shows a diagnosis after a time, or when the service reports a stall", () => {
    const waiting = opened({ state: "propagating" });
    for (const event of [{ type: "stalling" } as const, polled({ state: "stalled" })]) {
      const { state, effects } = after(waiting, event);
      assert.ok(state.isStalling);
      assert.deepEqual(effects, [{ type: "diagnose", id: connectionId }]);
      const diagnosed = after(state, { type: "diagnosed", diagnosis: sampleDiagnosis() });
      assert.equal(diagnosed.state.diagnosis?.findings.length, 1);
    }
  });

  it("asks again with the next poll when a diagnosis failed or found nothing", () => {
    const waiting = after(opened({ state: "propagating" }), { type: "stalling" }).state;
    const effect = { type: "diagnose", id: connectionId } as const;
    assert.deepEqual(after(waiting, polled({ state: "propagating" })).effects, []);
    const answers = [
      { type: "failed", effect, problem: createProblem("network", "away") },
      { type: "diagnosed", diagnosis: { ...sampleDiagnosis(), findings: [] } },
    ] as const;
    for (const answer of answers) {
      const { state, effects } = after(waiting, answer, polled({ state: "propagating" }));
      assert.deepEqual(effects, [effect]);
      const found = after(state, { type: "diagnosed", diagnosis: sampleDiagnosis() }).state;
      assert.deepEqual(after(found, polled({ state: "propagating" })).effects, []);
    }
  });

  it("repairs a drifted connection without returning to the error screen", () => {
    const repairing = after(
      opened({ state: "drifted" }),
      { type: "records_asked" },
      polled({ state: "drifted" }),
    );
    assert.equal(repairing.state.step, "manual_configuration");
    assert.equal(after(repairing.state, polled({ state: "live" })).state.step, "success");
  });
});

describe("going back", () => {
  const back = { type: "back" } as const;
  const manual = { type: "method_chosen", method: "manual" } as const;
  const typed = { type: "credential_typed", key: "api_token", text: "half a tok" } as const;

  it("leads from the token to what was found out, and loses nothing that was typed", () => {
    const form = opened({});
    assert.equal(form.automatic.mode, "credential");
    const left = after(form, typed, back).state;
    assert.equal(left.step, "domain_analysis");
    assert.equal(left.input, "shop.acme.com");
    const connection = sampleConnection();
    const again = after(
      left,
      { type: "continued", way: "automatic" },
      { type: "created", domain: connection.hostname, connection },
    ).state;
    assert.equal(again.automatic.mode, "credential");
    assert.deepEqual(again.draft, { api_token: "half a tok" });
  });

  it("leads from the records to where they were asked for", () => {
    const form = opened({});
    const records = after(form, typed, manual).state;
    assert.equal(records.step, "manual_configuration");
    const returned = after(records, back).state;
    assert.equal(returned.step, "automatic_setup");
    assert.equal(returned.automatic.mode, "credential");
    assert.deepEqual(returned.draft, { api_token: "half a tok" });
    const choice = after(opened({}, { domain_connect: true }), manual, back).state;
    assert.equal(choice.automatic.mode, "choose");
    assert.equal(after(choice, back).state.step, "domain_analysis");
  });

  it("leads from the records of a name without another way to what was found out", () => {
    const records = opened({}, { auto_configurable: false, credential_fields: [] });
    assert.equal(records.step, "manual_configuration");
    assert.equal(after(records, back).state.step, "domain_analysis");
  });

  it("leads from the records of a proven or drifted name to how it is", () => {
    const shown = { type: "records_asked" } as const;
    const proven = after(opened({ state: "propagating" }), shown).state;
    assert.equal(proven.step, "manual_configuration");
    assert.equal(after(proven, back).state.step, "in_progress");
    const drifted = after(opened({ state: "drifted" }), shown).state;
    assert.equal(drifted.step, "manual_configuration");
    assert.equal(after(drifted, back).state.step, "error");
  });
});

describe("leaving", () => {
  it("asks for confirmation only for an unfinished connection", () => {
    assert.equal(after(start(), { type: "close_asked" }).state.closed, "user");
    assert.equal(after(opened({ state: "live" }), { type: "close_asked" }).state.closed, "success");
    assert.equal(after(opened({ state: "failed" }), { type: "close_asked" }).state.closed, "error");
    const asked = after(opened({ state: "propagating" }), { type: "close_asked" }).state;
    assert.equal(asked.overlay, "exit");
    assert.equal(after(asked, { type: "stayed" }).state.overlay, null);
    assert.equal(after(asked, { type: "left" }).state.closed, "user");
  });

  it("stays on the screen when the session expires, and repeats the interrupted effect", () => {
    const effect = { type: "share", id: connectionId } as const;
    const expired = after(opened({ state: "propagating" }, {}, { canRenew: true }), {
      type: "expired",
      effect,
      problem: createProblem("unauthorized", "over"),
    }).state;
    assert.equal(expired.overlay, "expired");
    assert.equal(planWatch(expired), null);
    const { state, effects } = after(
      expired,
      { type: "renew_asked" },
      { type: "renewed", boundDomain: null },
    );
    assert.equal(state.step, "in_progress");
    assert.deepEqual(effects, [effect]);
    assert.equal(after(expired, { type: "left" }).state.closed, "expired");
  });

  it("retries automatically when the network returns", () => {
    const effect = { type: "check", domain: "shop.acme.com" } as const;
    const { effects } = after(
      start(),
      { type: "typed", text: "shop.acme.com" },
      { type: "submitted" },
      { type: "failed", effect, problem: createProblem("network", "away") },
      { type: "went_online" },
    );
    assert.deepEqual(effects, [effect]);
  });
});

describe("a contest", () => {
  const contest = { since: "2026-11-15T09:30:00.000Z", deadline: "2026-11-18T09:30:00.000Z" };

  it("shows its holder the record to add, and success once it has ended", () => {
    const state = opened({ state: "live", contest });
    assert.equal(state.step, "manual_configuration");
    assert.deepEqual(planWatch(state), { id: connectionId, withRecords: true });
    const waiting = after(state, polled({ state: "live", contest }, true)).state;
    assert.equal(waiting.step, "manual_configuration");
    assert.equal(after(waiting, polled({ state: "live" }, true)).state.step, "success");
  });

  it("keeps its prover at the records until the name has passed", () => {
    const prover = {
      state: "pending_ownership",
      error_code: "hostname_conflict",
      contest,
    } as const;
    const state = opened({ ...prover, setup_type: "manual" }, { credential_fields: [] });
    assert.equal(state.step, "manual_configuration");
    assert.equal(after(state, polled(prover, true)).state.step, "manual_configuration");
    assert.equal(after(state, polled({ state: "verified" }, true)).state.step, "in_progress");
  });

  it("that cannot begin, because both have proven, is explained by the diagnosis", () => {
    const unproven = { state: "pending_ownership", error_code: null } as const;
    const both = { ...unproven, error_code: "hostname_conflict" } as const;
    const state = opened({ ...unproven, setup_type: "manual" }, { credential_fields: [] });
    const asked = after(state, polled(both, true));
    assert.deepEqual(asked.effects, [{ type: "diagnose", id: connectionId }]);
    assert.equal(findTrouble(asked.state)?.actor, "end_customer");
    const finding = { code: "hostname_proven_by_both", severity: "error" } as const;
    const { findings } = sampleDiagnosis();
    const diagnosis = {
      ...sampleDiagnosis(),
      findings: findings.map((sample) => ({ ...sample, ...finding })),
    };
    const shown = after(asked.state, { type: "diagnosed", diagnosis }).state;
    const trouble = findTrouble(shown);
    assert.deepEqual([trouble?.finding?.code, trouble?.isExplained], [finding.code, false]);
    const waiting = after(shown, polled({ ...both, contest }, true)).state;
    assert.equal(findTrouble(waiting), null);
  });

  it("is lost by a holder whose connection is archived", () => {
    const state = opened({ state: "live", contest });
    const lost = after(state, polled({ state: "archived" })).state;
    assert.equal(lost.failure?.kind, "archived");
  });
});
