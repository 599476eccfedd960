import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Connection } from "@mooring/sdk";
import { after, opened, start } from "@mooring/testing/widget/machine";
import { connectionId } from "@mooring/testing/widget/samples";
import type { ConnectionState, SetupType } from "../events.ts";
import { pageEvents } from "./machine.ts";

/** Does not compile when the published types and the API's differ. */
type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : false) : false;
const isSameState: Same<ConnectionState, Connection["state"]> = true;
const isSameSetup: Same<SetupType, Connection["setup_type"]> = true;

describe("the events for the page", () => {
  it("have exactly the documented fields", () => {
    const fields = (names: readonly { name: string; detail: object }[]) =>
      names.map(({ name, detail }) => [name, Object.keys(detail).sort().join()]);
    const live = opened({ state: "live" });
    assert.deepEqual(fields(pageEvents(null, live)), [
      ["svc:step", "domain,jobId,provider,step"],
      ["svc:success", "domain,jobId,provider,setupType,success"],
    ]);
    assert.deepEqual(fields(pageEvents(live, after(live, { type: "left" }).state)), [
      ["svc:close", "domain,jobId,lastStatus,provider,reason,setupType,success"],
    ]);
    assert.ok(isSameState && isSameSetup);
  });

  it("have null for what is not known yet", () => {
    const closed = after(start(), { type: "close_asked" }).state;
    assert.deepEqual(pageEvents(start(), closed), [
      {
        name: "svc:close",
        detail: {
          domain: null,
          success: false,
          setupType: null,
          provider: null,
          lastStatus: null,
          jobId: null,
          reason: "user",
        },
      },
    ]);
  });

  it("report the error screen once, also when no call failed", () => {
    const drifted = opened({ state: "drifted", error_code: "record_mismatch" });
    const errors = pageEvents(null, drifted).filter(({ name }) => name === "svc:error");
    assert.deepEqual(errors, [
      {
        name: "svc:error",
        detail: {
          domain: "shop.acme.com",
          provider: "cloudflare",
          step: "error",
          jobId: connectionId,
          code: "record_mismatch",
          message: "the connection is drifted",
          upgradeUrl: null,
        },
      },
    ]);
    assert.deepEqual(pageEvents(drifted, { ...drifted, isOnline: false }), []);
  });

  it("report a success once", () => {
    const live = opened({ state: "live" });
    assert.equal(live.succeededId, connectionId);
    assert.deepEqual(pageEvents(live, { ...live, step: "success", isOnline: false }), []);
  });
});
