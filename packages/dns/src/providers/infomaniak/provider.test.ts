import assert from "node:assert/strict";
import { describe, it } from "node:test";
import {
  create,
  makePlan,
  rec,
  remove,
  suiteZone,
  withZone,
} from "../../../conformance/cases/case-context.ts";
import { startInfomaniak } from "../../../conformance/simulators/infomaniak.ts";
import { runConformance } from "../../../conformance/suite.ts";
import type { Fetch } from "../adapter/http.ts";
import { infomaniak } from "./provider.ts";

runConformance(infomaniak, { simulator: startInfomaniak });

const { signal } = new AbortController();
const zone = { id: suiteZone, name: suiteZone, nameservers: [] };

function opened(data: unknown, status = 200, rest: Readonly<Record<string, unknown>> = {}) {
  const sent: { readonly url: string; readonly init: RequestInit }[] = [];
  const fetch: Fetch = async (url, init) => {
    sent.push({ url, init });
    return Response.json({ result: "success", data, ...rest }, { status });
  };
  return { provider: infomaniak.open({ api_token: "token-0123" }, { fetch }), sent };
}

describe("a zone at Infomaniak", () => {
  it("is read from either spelling of the apex, of texts and of CAA values", async () => {
    const row = (id: number, source: string, type: string, target: string) => {
      return { id, source, type, target, ttl: 3_600, updated_at: 1 };
    };
    const { provider } = opened([
      row(25, ".", "NS", "nsany1.infomaniak.com"),
      row(26, "", "TXT", '"v=spf1" " -all"'),
      row(27, "odd", "TXT", '"quotes \\" backslashes \\\\"'),
      row(28, "bare", "TXT", "challengetoken"),
      row(29, ".", "MX", "5 mta-gw.infomaniak.ch"),
      row(30, ".", "CAA", "0 issue letsencrypt.org"),
      row(31, ".", "MX", "0 ."),
    ]);
    const { records, opaque } = await provider.listRecords(zone, signal);
    assert.deepEqual(opaque, []);
    assert.deepEqual(
      records.map(({ name, type, value, priority }) => [name, type, value, priority]),
      [
        [suiteZone, "NS", "nsany1.infomaniak.com", null],
        [suiteZone, "TXT", "v=spf1 -all", null],
        [`odd.${suiteZone}`, "TXT", 'quotes " backslashes \\', null],
        [`bare.${suiteZone}`, "TXT", "challengetoken", null],
        [suiteZone, "MX", "mta-gw.infomaniak.ch", 5],
        [suiteZone, "CAA", '0 issue "letsencrypt.org"', null],
        [suiteZone, "MX", ".", 0],
      ],
    );
  });

  it("keeps what dynamic DNS, a delegated zone or no key is behind", () =>
    withZone(infomaniak, startInfomaniak, suiteZone, async ({ backend, provider, zone: found }) => {
      const settings = [{ dyndns_id: 7 }, { delegated_zone: { id: 8 } }, { id: null }, { id: "" }];
      for (const [index, extras] of settings.entries()) {
        await backend.plant?.(suiteZone, { ...rec(`app${index}`, "A", "192.0.2.1"), extras });
      }
      const { opaque, records } = await provider.listRecords(found, signal);
      assert.deepEqual(records, []);
      assert.equal(opaque.length, settings.length);
      const removals = settings.map((_, index) => remove(rec(`app${index}`, "A", "192.0.2.1")));
      await provider.apply(found, makePlan(suiteZone, removals), signal);
      assert.equal(backend.writeCount(), 0);
      const servers = await provider.readNameservers?.(found, signal);
      assert.deepEqual(servers, ["nsany1.infomaniak.com", "nsany2.infomaniak.com"]);
    }));

  it("is not planned on when its list ends early, and takes errors of status 200", async () => {
    const short = opened([], 200, { page: 1, pages: 1, total: 2 });
    await assert.rejects(short.provider.listRecords(zone, signal), { kind: "unavailable" });
    const codes = [
      ["not_authorized", "auth"],
      ["object_not_found", "not_found"],
      ["something_went_wrong", "unavailable"],
    ] as const;
    for (const [code, kind] of codes) {
      const error = { code, description: "said" };
      const failed = opened(null, 200, { result: "error", error });
      await assert.rejects(failed.provider.listRecords(zone, signal), { kind }, code);
    }
  });

  it("gets the apex as a dot and a long text in quoted parts", async () => {
    const { provider, sent } = opened([]);
    const long = "x".repeat(300);
    const plan = makePlan(suiteZone, [create(rec("@", "TXT", long))]);
    await provider.apply(zone, plan, signal);
    assert.deepEqual(JSON.parse(String(sent.at(-1)?.init.body)), {
      type: "TXT",
      source: ".",
      target: `"${"x".repeat(255)}" "${"x".repeat(45)}"`,
      ttl: 3_600,
    });
  });
});
