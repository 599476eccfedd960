import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { type Connection, type Cutover, connectionStates } from "@mooring/sdk";
import { domainsEn } from "../../../widget/src/locales/domains/en.ts";
import { connectionSituation } from "../../../widget/src/situation.ts";
import { situationText } from "./state-text.ts";

const statuses: readonly (Cutover["status"] | null)[] = [
  null,
  "preparing",
  "ready",
  "switching",
  "done",
  "reverted",
];

function facts(
  state: Connection["state"],
  status: Cutover["status"] | null,
  code: Connection["error_code"] = null,
): Pick<Connection, "state" | "error_code" | "cutover"> {
  const rest = { checks: [], ready_at: null, old_records: [], ttl: null, visitors_gone_at: null };
  return { state, error_code: code, cutover: status && { status, ...rest } };
}

describe("the situation of a connection", () => {
  it("has one word, which its customer reads in the widget too", () => {
    const listed = connectionStates.filter((state) => state !== "archived");
    for (const state of listed) {
      for (const status of statuses) {
        for (const code of [null, "certificate_at_risk"] as const) {
          const one = facts(state, status, code);
          assert.equal(
            situationText(one).label,
            domainsEn[`situation_${connectionSituation(one)}`],
            `${state} ${status} ${code}`,
          );
        }
      }
    }
  });

  it("is its own while a prepared name waits for its switch", () => {
    assert.equal(situationText(facts("propagating", "ready")).label, "Ready to switch");
    assert.equal(situationText(facts("stalled", "ready")).label, "Ready to switch");
    assert.equal(situationText(facts("propagating", "preparing")).label, "Preparing");
    assert.equal(situationText(facts("pending_ownership", "preparing")).label, "Waiting for proof");
    assert.equal(situationText(facts("drifted", "switching")).label, "Drifted");
  });
});
