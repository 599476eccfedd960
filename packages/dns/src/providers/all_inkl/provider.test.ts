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
import { floodSeconds, startAllInkl } from "../../../conformance/simulators/all-inkl.ts";
import { runConformance } from "../../../conformance/suite.ts";
import type { Fetch } from "../adapter/http.ts";
import { allInkl } from "./provider.ts";

runConformance(allInkl, {
  simulator: startAllInkl,
  without: ["SRV"],
  skippedSince: "2026-11-18",
  skip: [
    {
      test: "gives names, targets, texts and priorities in canonical form",
      reason: "the interface shows no TTL; the rest of the case is tested below",
    },
    {
      test: "raises a TTL that is too short and stores one that is not",
      reason: "the interface takes no TTL",
    },
    {
      test: "creates and deletes a service, and nothing twice",
      reason: "how SRV records are stored is not known; writing them is refused",
    },
  ],
});

const { signal } = new AbortController();
const zone = { id: suiteZone, name: suiteZone, nameservers: [] };

describe("a zone at ALL-INKL.COM", () => {
  it("is read without the dots, and with what belongs to the panel locked", () =>
    withZone(allInkl, startAllInkl, suiteZone, async ({ backend, provider, zone: found }) => {
      await backend.seed(suiteZone, [
        rec("@", "MX", "w0123456.kasserver.com", { priority: 10 }),
        rec("www", "CNAME", suiteZone),
        rec("_dmarc", "TXT", "v=DMARC1; p=none;"),
      ]);
      const fixed = { record_id: 0, record_changeable: "N", record_deleteable: "N" };
      const rows = [
        [rec("@", "NS", "ns5.kasserver.com"), fixed],
        [rec("@", "A", "192.0.2.1"), { ...fixed, record_name: null }],
        [rec("app", "A", "192.0.2.1"), { record_deleteable: "N" }],
        [rec("bad", "A", "192.0.2.1"), { record_id: "" }],
        [rec("_sip._tcp", "SRV", "5 5060 sip.example.net", { priority: 1 }), {}],
      ] as const;
      for (const [record, extras] of rows) await backend.plant?.(suiteZone, { ...record, extras });
      const { records, opaque } = await provider.listRecords(found, signal);
      assert.deepEqual(
        records.map(({ name, type, value, priority }) => [name, type, value, priority]),
        [
          [suiteZone, "MX", "w0123456.kasserver.com", 10],
          [`www.${suiteZone}`, "CNAME", suiteZone, null],
          [`_dmarc.${suiteZone}`, "TXT", "v=DMARC1; p=none;", null],
        ],
      );
      assert.equal(opaque.length, rows.length);
      const servers = await provider.readNameservers?.(found, signal);
      assert.deepEqual(servers, ["ns5.kasserver.com"]);
      const removals = rows.map(([record]) => remove(record));
      await provider.apply(found, makePlan(suiteZone, removals), signal);
      assert.equal(backend.writeCount(), 0);
    }));

  it("is asked no earlier than the answer before allows", async () => {
    const backend = await startAllInkl();
    try {
      await backend.seed(suiteZone, []);
      let clock = 1_000_000;
      const calls: number[] = [];
      const fetch: Fetch = (url, init) => {
        if (url.endsWith("KasApi.php")) calls.push(clock);
        return backend.fetch(url, init);
      };
      const wait = async (ms: number) => {
        clock += ms;
      };
      const now = () => new Date(clock);
      const provider = allInkl.open(backend.credentials, { fetch, now, wait });
      const records = [rec("a", "A", "192.0.2.1"), rec("b", "A", "192.0.2.2")];
      await provider.apply(zone, makePlan(suiteZone, records.map(create)), signal);
      await provider.listRecords(zone, signal);
      const gaps = calls.slice(1).map((at, index) => at - (calls[index] ?? at));
      assert.deepEqual(
        gaps,
        [floodSeconds, floodSeconds, floodSeconds].map((one) => one * 1_000),
      );
    } finally {
      await backend.close();
    }
  });

  it("is asked in another session after a call that failed", async () => {
    let logins = 0;
    let isLost = true;
    const backend = await startAllInkl();
    try {
      await backend.seed(suiteZone, []);
      const fetch: Fetch = async (url, init) => {
        if (url.endsWith("KasAuth.php")) logins += 1;
        else if (isLost) return new Response("<html>gone</html>", { status: 500 });
        return backend.fetch(url, init);
      };
      const wait = async () => undefined;
      const provider = allInkl.open(backend.credentials, { fetch, wait });
      await assert.rejects(provider.listRecords(zone, signal), { kind: "unavailable" });
      isLost = false;
      await provider.listRecords(zone, signal);
      await provider.listRecords(zone, signal);
      assert.equal(logins, 2);
    } finally {
      await backend.close();
    }
  });

  it("fails by the word of a fault, with status 500 or 200", async () => {
    const codes = [
      ["zone_syntax_incorrect", "not_found"],
      ["flood_protection", "rate_limited"],
      ["unknown_session", "unavailable"],
      ["no_auth", "auth"],
      ["record_data_syntax_incorrect", "unsupported"],
    ] as const;
    for (const [code, kind] of codes) {
      for (const status of [200, 500]) {
        const body = `<e:Envelope><e:Body><e:Fault><faultstring>${code}</faultstring><detail>120.2</detail></e:Fault></e:Body></e:Envelope>`;
        const token = `<e:Envelope><e:Body><n:KasAuthResponse><return>t</return></n:KasAuthResponse></e:Body></e:Envelope>`;
        const fetch: Fetch = async (url) =>
          url.endsWith("KasAuth.php") ? new Response(token) : new Response(body, { status });
        const wait = async () => undefined;
        const provider = allInkl.open({ login: "w0", password: "secret" }, { fetch, wait });
        const retryAfterSeconds = kind === "rate_limited" ? 121 : null;
        await assert.rejects(provider.listRecords(zone, signal), { kind, retryAfterSeconds });
      }
    }
  });

  it("takes no service and no CAA record", () =>
    withZone(allInkl, startAllInkl, suiteZone, async ({ backend, provider, zone: found }) => {
      for (const record of [
        rec("_sip._tcp", "SRV", "5 5060 sip.example.net", { priority: 1 }),
        rec("shop", "CAA", '0 issue "ca.example.net"'),
      ]) {
        const plan = makePlan(suiteZone, [create(record)]);
        await assert.rejects(provider.apply(found, plan, signal), { kind: "unsupported" });
      }
      assert.equal(backend.writeCount(), 0);
    }));
});
