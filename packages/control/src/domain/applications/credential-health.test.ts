import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { ProviderErrorKind } from "@mooring/dns";
import { afterUse, type CredentialHealth } from "./credential-health.ts";

const hour = 3_600_000;
const start = Date.parse("2026-11-15T12:00:00Z");

/** The events of uses, each at an hour and with the kind of its failure. */
function collectEvents(
  uses: readonly (readonly [hours: number, kind: ProviderErrorKind | null])[],
) {
  let health: CredentialHealth = { failingSince: null, reportedAt: null };
  return uses.map(([hours, kind]) => {
    const change = afterUse(health, kind, new Date(start + hours * hour));
    health = change.health;
    return change.event;
  });
}

describe("a stored credential", () => {
  it("is reported once when it is refused, and once when it works again", () => {
    const events = collectEvents([
      [0, "auth"],
      [1, "auth"],
      [30, "auth"],
      [31, null],
      [32, null],
    ]);
    assert.deepEqual(events, ["credential.failing", null, null, "credential.recovered", null]);
  });

  it("is not at fault when its provider is away, asks to wait or lacks the zone", () => {
    const kinds = ["unavailable", "rate_limited", "not_found", "conflict", "unsupported"] as const;
    assert.deepEqual(
      collectEvents(kinds.map((kind, index) => [index, kind] as const)),
      kinds.map(() => null),
    );
    assert.deepEqual(
      collectEvents([
        [0, "auth"],
        [1, "unavailable"],
        [2, null],
      ]),
      ["credential.failing", null, "credential.recovered"],
      "an outage does not end a failure",
    );
  });

  it("is reported at most once a day, however often its provider changes its mind", () => {
    const uses = Array.from({ length: 240 }, (_, index) => {
      return [index / 10, index % 2 === 0 ? "auth" : null] as const;
    });
    const sent = collectEvents(uses).filter((event) => event !== null);
    assert.deepEqual(sent, ["credential.failing", "credential.recovered"]);
  });

  it("is reported again after a day, when the failure lasts", () => {
    const events = collectEvents([
      [0, "auth"],
      [1, null],
      [2, "auth"],
      [23, "auth"],
      [25, "auth"],
      [26, null],
    ]);
    assert.deepEqual(events, [
      "credential.failing",
      "credential.recovered",
      null,
      null,
      "credential.failing",
      "credential.recovered",
    ]);
  });
});
