import assert from "node:assert/strict";
import { describe, it } from "node:test";
import {
  create,
  makePlan,
  rec,
  suiteZone,
  update,
  withZone,
} from "../../../conformance/cases/case-context.ts";
import { startDreamhost } from "../../../conformance/simulators/dreamhost.ts";
import { runConformance } from "../../../conformance/suite.ts";
import { ProviderError } from "../adapter/errors.ts";
import type { Fetch } from "../adapter/http.ts";
import { dreamhost } from "./provider.ts";

const untimed = "a throttled answer has status 200 and names no pause";
const noMx = "the API shows MX records and cannot write them; tested below";

runConformance(dreamhost, {
  simulator: startDreamhost,
  without: ["MX"],
  skippedSince: "2026-11-18",
  skip: [
    { test: "waits as long as the provider asks, then retries", reason: untimed },
    { test: "hands a long wait to the caller instead of waiting", reason: untimed },
    { test: "creates and deletes a mail exchanger, and nothing twice", reason: noMx },
    { test: "changes the priority of a mail exchanger", reason: noMx },
    {
      test: "retains the other values of a set when it adds, changes and deletes one",
      reason: "has a mail exchanger in its zone, which is opaque here; tested below",
    },
    {
      test: "raises a TTL that is too short and stores one that is not",
      reason: "records have no TTL of their own",
    },
  ],
});

const signal = new AbortController().signal;

describe("dreamhost", () => {
  it("leaves records alone that DreamHost manages, and mail exchangers", () =>
    withZone(dreamhost, startDreamhost, suiteZone, async ({ backend, provider, zone }) => {
      const managed = { ...rec("www", "A", "192.0.2.1"), extras: { editable: "0" } };
      await backend.plant?.(suiteZone, managed);
      const mail = { ...rec("@", "MX", "mx1.example.net", { priority: 0 }), extras: {} };
      await backend.plant?.(suiteZone, mail);
      const { opaque, records } = await provider.listRecords(zone, signal);
      assert.deepEqual(
        opaque.map(({ type, note }) => [type, note]),
        [
          ["A", "DreamHost manages it"],
          ["MX", "MX records can only be changed in DreamHost's panel"],
        ],
      );
      assert.ok(records.every(({ type }) => type === "NS"));
      const servers = await provider.readNameservers?.(zone, signal);
      assert.deepEqual(servers, ["ns1.dreamhost.com", "ns2.dreamhost.com", "ns3.dreamhost.com"]);
    }));

  it("retains the other texts of a name, and has the new one there before the old one goes", () =>
    withZone(dreamhost, startDreamhost, suiteZone, async ({ backend, provider, zone }) => {
      const [first, second, mine, changed] = ["first", "second; third", "mine", "changed"].map(
        (value) => rec("multi", "TXT", value),
      );
      assert.ok(first && second && mine && changed);
      await backend.seed(suiteZone, [first, second, mine]);
      const commands: string[] = [];
      const fetch: Fetch = (url, init) => {
        commands.push(new URL(url).searchParams.get("cmd") ?? "");
        return backend.fetch(url, init);
      };
      const watched = dreamhost.open(backend.credentials, { fetch, wait: async () => undefined });
      await watched.apply(zone, makePlan(suiteZone, [update(changed, mine)]), signal);
      assert.deepEqual(commands, ["dns-list_records", "dns-add_record", "dns-remove_record"]);
      const texts = (await provider.listRecords(zone, signal)).records.flatMap(({ type, value }) =>
        type === "TXT" ? [value] : [],
      );
      assert.deepEqual(texts.toSorted(), ["changed", "first", "second; third"]);
    }));

  it("refuses a mail exchanger before it writes anything", () =>
    withZone(dreamhost, startDreamhost, suiteZone, async ({ backend, provider, zone }) => {
      const records = [
        rec("app", "A", "192.0.2.1"),
        rec("app", "MX", "mx.example.net", { priority: 5 }),
      ];
      await assert.rejects(
        provider.apply(zone, makePlan(suiteZone, records.map(create)), signal),
        (error) => error instanceof ProviderError && error.kind === "unsupported",
      );
      assert.equal(backend.writeCount(), 0);
    }));

  it("does not repeat an addition whose answer was lost, though it is a GET", () =>
    withZone(dreamhost, startDreamhost, suiteZone, async ({ backend, zone }) => {
      const sent: string[] = [];
      const fetch: Fetch = async (url, init) => {
        const answer = await backend.fetch(url, init);
        const cmd = new URL(url).searchParams.get("cmd") ?? "";
        sent.push(cmd);
        if (cmd === "dns-add_record") throw new Error("the connection broke");
        return answer;
      };
      const provider = dreamhost.open(backend.credentials, { fetch, wait: async () => undefined });
      const plan = makePlan(suiteZone, [create(rec("app", "A", "192.0.2.1"))]);
      await assert.rejects(provider.apply(zone, plan, signal));
      assert.deepEqual(sent, ["dns-list_records", "dns-add_record"]);
    }));

  it("has its errors in answers of status 200, and never repeats the key", async () => {
    const kinds = {
      slow_down_bucko: "rate_limited",
      this_key_cannot_access_this_cmd: "auth",
      no_such_zone: "not_found",
      CNAME_must_be_only_record: "conflict",
      not_editable: "conflict",
      internal_error_updating_zone: "unavailable",
      invalid_value: "unsupported",
    };
    const key = "k0123456789";
    for (const [code, kind] of Object.entries(kinds)) {
      const body = JSON.stringify({ result: "error", data: `${code}\tseen ${key}` });
      const fetch = async () => new Response(body);
      const provider = dreamhost.open({ api_key: key }, { fetch, wait: async () => undefined });
      await assert.rejects(provider.listZones(signal), (error) => {
        assert.ok(error instanceof ProviderError);
        assert.equal(error.kind, kind, code);
        assert.ok(!error.message.includes(key), error.message);
        return true;
      });
    }
  });
});
