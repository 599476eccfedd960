import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { ConnectionDetail, Cutover, DomainCheck } from "@mooring/sdk";
import { after, opened, plain, start } from "@mooring/testing/widget/machine";
import {
  connectionId,
  sampleCheck,
  sampleConnection,
  sampleEmail,
  samplePlan,
  sampleSettings,
} from "@mooring/testing/widget/samples";
import { createProblem } from "../runner/api.ts";
import { canSwitch, findBlockers } from "./cutover.ts";
import { joined } from "./joined.ts";
import { begin } from "./machine.ts";
import { movingName, offersCutover } from "./pairing.ts";
import type { Setting, State } from "./state.ts";

const analysed = () =>
  after(
    start(),
    { type: "typed", text: "shop.acme.com" },
    { type: "submitted" },
    { type: "checked", domain: "shop.acme.com", check: sampleCheck() },
  ).state;

describe("entering a domain", () => {
  it("checks the typed domain in its canonical form", () => {
    const { state, effects } = after(
      start(),
      { type: "typed", text: " HTTPS://Shop.Acme.com/x " },
      { type: "submitted" },
    );
    assert.equal(state.step, "domain_analysis");
    assert.deepEqual(effects, [{ type: "check", domain: "shop.acme.com" }]);
  });

  it("refuses an invalid domain, and a domain that the token is not valid for", () => {
    const typed = (text: string, setting: Partial<Setting> = {}) =>
      after(start(setting), { type: "typed", text }, { type: "submitted" }).state.inputProblem;
    assert.deepEqual(typed(""), { key: "empty" });
    assert.deepEqual(typed("acme"), { key: "incomplete" });
    assert.deepEqual(typed(`${"a".repeat(64)}.com`), { key: "long" });
    assert.deepEqual(typed("other.com", { boundDomain: "acme.com" }), { key: "other_domain" });
  });

  it("ignores a late response about another domain", () => {
    const { state } = after(
      start(),
      { type: "typed", text: "one.com" },
      { type: "submitted" },
      { type: "back" },
      { type: "typed", text: "two.com" },
      { type: "submitted" },
      { type: "checked", domain: "one.com", check: sampleCheck({ domain: "one.com" }) },
    );
    assert.equal(state.check, null);
    assert.equal(state.busy, "check");
  });

  it("shows the service's message about a refused domain", () => {
    const effect = { type: "check", domain: "shop.acme.com" } as const;
    const { state } = after(
      start(),
      { type: "typed", text: "shop.acme.com" },
      { type: "submitted" },
      { type: "failed", effect, problem: createProblem("invalid", "that is a public suffix") },
    );
    assert.equal(state.step, "enter_domain");
    assert.deepEqual(state.inputProblem, { key: "refused" });
  });
});

describe("a domain and its www that serve elsewhere", () => {
  const { features } = sampleSettings();
  const settings = sampleSettings({
    environment: "live",
    features: { ...features, pair: true, cutover: true },
  });
  const inUse = { addresses: ["203.0.113.20"], serves_https: true, ttl: 3_600, mail: false };
  const pair = {
    ...{ apex: "acme.com", www: "www.acme.com", recommended: "apex" as const },
    ...{ other_in_use: true, other_claim: "free" as const },
  };
  const chosen = (input: Partial<DomainCheck>) =>
    after(
      start(),
      { type: "settings_loaded", settings },
      { type: "typed", text: "acme.com" },
      { type: "submitted" },
      {
        type: "checked",
        domain: "acme.com",
        check: sampleCheck({ domain: "acme.com", pair, ...input }),
      },
      { type: "pair_chosen", choice: "apex" },
    ).state;

  it("are prepared together, unless the person wants both at once", () => {
    const both = chosen({ in_use: inUse });
    const create = { type: "create", domain: "acme.com", canonical: "apex" };
    const { effects } = after(both, { type: "continued", way: "manual" });
    assert.deepEqual(effects, [{ ...create, cutover: true }]);
    const direct = after(
      both,
      { type: "cutover_chosen", isWanted: false },
      { type: "continued", way: "manual" },
    );
    assert.deepEqual(direct.effects, [create]);
    assert.equal(movingName(both), "acme.com");
    const other = chosen({ in_use: null });
    assert.deepEqual(
      [offersCutover(other), movingName(other)],
      [true, "www.acme.com"],
      "also where only the other one shows a site",
    );
    const none = chosen({ in_use: null, pair: { ...pair, other_in_use: false } });
    assert.equal(offersCutover(none), false);
  });

  it("are switched by one plan, when the checks of both hold", () => {
    const half = (hostname: string, ok: boolean, status: Cutover["status"]) =>
      sampleConnection({
        hostname,
        state: "propagating",
        cutover: {
          status,
          checks: [{ code: "edge", ok, message: "" }],
          ready_at: null,
          old_records: [{ host: hostname, type: "A", value: "203.0.113.20", ...untimed }],
          ttl: 300,
          visitors_gone_at: null,
        },
      });
    const www = half("www.acme.com", false, "preparing");
    const early = joined(half("acme.com", true, "ready"), www);
    assert.equal(canSwitch(early), false);
    assert.equal(findBlockers(early, false).length, 1);
    const ready = joined(half("acme.com", true, "ready"), half("www.acme.com", true, "ready"));
    assert.deepEqual(
      ready.cutover?.old_records.map(({ host }) => host),
      ["acme.com", "www.acme.com"],
    );
    const waiting = after(begin({ setting: plain, domain: "", connectionId }).state, {
      type: "loaded",
      connection: ready,
      check: sampleCheck(),
    }).state;
    const { effects } = after(
      { ...waiting, mailAccess: { provider: "sandbox", fields: { token: "sandbox" } } },
      { type: "access_allowed", isGiven: true },
      { type: "switch_asked", way: "automatic" },
    );
    assert.deepEqual(effects, [
      {
        type: "plan",
        id: connectionId,
        provider: "sandbox",
        credential: { token: "sandbox" },
        pair: true,
        cutover: [],
      },
    ]);
  });
});

const untimed = { ttl: 300, priority: null };

describe("where a connection's state leads", () => {
  const cases: readonly (readonly [ConnectionDetail["state"], State["step"], State["step"]])[] = [
    // state, screen with automatic setup, screen with manual setup
    ["created", "automatic_setup", "manual_configuration"],
    ["pending_ownership", "automatic_setup", "manual_configuration"],
    ["verifying", "automatic_setup", "manual_configuration"],
    ["verified", "in_progress", "manual_configuration"],
    ["dns_writing", "in_progress", "in_progress"],
    ["propagating", "in_progress", "manual_configuration"],
    ["stalled", "in_progress", "manual_configuration"],
    ["issuing_cert", "in_progress", "in_progress"],
    ["live", "success", "success"],
    ["drifted", "error", "error"],
    ["failed", "error", "error"],
    ["archived", "error", "error"],
  ];
  for (const [state, automatic, manual] of cases) {
    it(`${state} opens at ${automatic}, or with manual setup at ${manual}`, () => {
      assert.equal(opened({ state }).step, automatic);
      const byHand = { auto_configurable: false, credential_fields: [] };
      assert.equal(opened({ state, setup_type: "manual" }, byHand).step, manual);
    });
  }

  it("shows the mail step before the end when offered, and reports the success immediately", () => {
    const address = {
      host: "shop.acme.com",
      type: "A",
      value: "192.0.2.1",
      ttl: 300,
      priority: null,
    };
    const live = { state: "live", desired_records: [address] } as const;
    const state = opened(live, {}, { offersEmail: true });
    assert.equal(state.step, "email");
    assert.equal(state.succeededId, connectionId);
    const { state: done } = after(
      state,
      { type: "email_chosen", provider: "zoho", inputs: {} },
      { type: "email_applied", result: sampleEmail() },
      { type: "email_done" },
    );
    assert.equal(done.step, "success");
  });

  it("offers no mail step at a name that is an alias, which can take no mail", () => {
    assert.equal(opened({ state: "live" }, {}, { offersEmail: true }).step, "success");
  });

  it("uses the access that the customer just gave for mail only when asked, and forgets it with the step", () => {
    const address = {
      host: "shop.acme.com",
      type: "A",
      value: "192.0.2.1",
      ttl: 300,
      priority: null,
    };
    const connection = sampleConnection({ state: "live", desired_records: [address] });
    const fields = { api_token: "given" };
    const start = opened({ state: "pending_ownership" }, {}, { offersEmail: true });
    const written = after(
      start,
      { type: "method_chosen", method: "credential" },
      { type: "credential_given", fields },
      { type: "planned", plan: samplePlan() },
      { type: "plan_accepted" },
      { type: "applied", plan: samplePlan({ applied: true }) },
      { type: "polled", connection, records: null, times: null },
    ).state;
    assert.equal(written.step, "email");
    assert.doesNotMatch(JSON.stringify(written.automatic), /given/);
    const choice = { type: "email_chosen", provider: "zoho", inputs: {} } as const;
    const mail = { type: "email", id: connectionId, provider: "zoho", inputs: {} } as const;
    assert.deepEqual(after(written, choice).effects, [{ ...mail, access: null, isPreview: true }]);
    const allowed = after(written, { type: "access_allowed", isGiven: true }).state;
    const access = { provider: "cloudflare", fields };
    const chosen = after(allowed, choice);
    assert.deepEqual(chosen.effects, [{ ...mail, access, isPreview: true }]);
    // Nothing is written before the person has seen what.
    const preview = { type: "email_applied", result: sampleEmail(), isPreview: true } as const;
    const shown = after(chosen.state, preview).state;
    assert.deepEqual([shown.busy, shown.mailDraft?.provider], [null, "zoho"]);
    const confirmed = after(shown, { type: "email_confirmed" });
    assert.deepEqual(confirmed.effects, [{ ...mail, access }]);
    const result = { type: "email_applied", result: sampleEmail() } as const;
    assert.equal(after(confirmed.state, result).state.mailDraft, null);
    // Where nothing would be written, there is nothing to confirm.
    const nothing = { ...sampleEmail(), written_records: [] };
    assert.deepEqual(after(chosen.state, { ...preview, result: nothing }).effects, [
      { ...mail, access },
    ]);
    const over = after(written, { type: "email_done" }).state;
    assert.doesNotMatch(JSON.stringify(over), /given/);
  });

  it("resumes the same application's connection of the hostname", () => {
    const effect = { type: "create", domain: "shop.acme.com" } as const;
    const problem = { ...createProblem("HostnameConflict", "taken"), connectionId: "held" };
    const { state, effects } = after(
      analysed(),
      { type: "continued", way: "automatic" },
      { type: "failed", effect, problem },
    );
    assert.deepEqual(effects, [{ type: "load", id: "held" }]);
    assert.equal(state.busy, "load");
  });

  it("lets the person prove a domain that another account has", () => {
    const effect = { type: "create", domain: "shop.acme.com" } as const;
    const { state } = after(
      analysed(),
      { type: "continued", way: "manual" },
      { type: "failed", effect, problem: createProblem("HostnameConflict", "…") },
    );
    const proving = after(state, { type: "retried" });
    assert.deepEqual(proving.effects, [{ ...effect, contest: true }]);
    const connection = sampleConnection({ error_code: "hostname_conflict" });
    const created = { type: "created", domain: "shop.acme.com", connection } as const;
    assert.equal(after(proving.state, created).state.step, "manual_configuration");
  });

  it("has an error screen for every final failure", () => {
    const effect = { type: "create", domain: "shop.acme.com" } as const;
    const failureKind = (code: string) =>
      after(
        analysed(),
        { type: "continued", way: "automatic" },
        { type: "failed", effect, problem: createProblem(code, "…") },
      ).state.failure?.kind;
    assert.equal(failureKind("QuotaExceeded"), "quota");
    assert.equal(failureKind("HostnameConflict"), "conflict");
    assert.equal(failureKind("network"), "unreachable");
    assert.equal(failureKind("internal"), "internal");
  });
});
