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
import { startRegru } from "../../../conformance/simulators/regru.ts";
import { runConformance } from "../../../conformance/suite.ts";
import type { Fetch } from "../adapter/http.ts";
import { regru } from "./provider.ts";

const untimed = "a throttled answer has status 200 and names no pause";

runConformance(regru, {
  simulator: startRegru,
  without: ["SRV"],
  skippedSince: "2026-11-18",
  skip: [
    { test: "waits as long as the provider asks, then retries", reason: untimed },
    { test: "hands a long wait to the caller instead of waiting", reason: untimed },
    {
      test: "raises a TTL that is too short and stores one that is not",
      reason: "records have no TTL of their own, only the zone has",
    },
    {
      test: "creates and deletes a service, and nothing twice",
      reason: "how SRV records are listed is not known; writing them is refused",
    },
  ],
});

const { signal } = new AbortController();
const zone = { id: suiteZone, name: suiteZone, nameservers: [] };

/** An answer of the shape that a real account got; texts in place of numbers occur, too. */
function opened(rrs: readonly unknown[], ttl = "1d") {
  const sent: Readonly<Record<string, unknown>>[] = [];
  const fetch: Fetch = async (_url, init) => {
    sent.push(JSON.parse(new URLSearchParams(String(init.body)).get("input_data") ?? "null"));
    const found = { dname: suiteZone, result: "success", rrs, service_id: "77843261" };
    const domains = [{ ...found, soa: { minimum_ttl: "3h", ttl } }];
    return Response.json({ answer: { domains }, messagestore: null, result: "success" });
  };
  return { provider: regru.open({ username: "shop", password: "password" }, { fetch }), sent };
}

const row = (subname: string, rectype: string, content: string, prio: number | string = 0) => ({
  content,
  prio,
  rectype,
  state: "A",
  subname,
});

describe("a zone at REG.RU", () => {
  it("is read with the TTL of the whole zone, and what has another form is only shown", async () => {
    const rows = [
      row("@", "NS", "ns1.reg.ru."),
      row("@", "NS", "ns2.reg.ru.", 1),
      row("@", "MX", "mx.example.net.", "10"),
      row("_sip._tcp", "SRV", "5 5060 sip.example.net.", 1),
      row("www", "CAA", "0 issue ca.example.net"),
    ];
    const { provider } = opened(rows, "10m");
    const { records, opaque } = await provider.listRecords(zone, signal);
    assert.deepEqual(
      records.map(({ type, value, ttl, priority }) => [type, value, ttl, priority]),
      [
        ["NS", "ns1.reg.ru", 600, null],
        ["NS", "ns2.reg.ru", 600, null],
        ["MX", "mx.example.net", 600, 10],
      ],
    );
    assert.deepEqual(
      opaque.map(({ type }) => type),
      ["SRV", "CAA"],
    );
    const servers = await provider.readNameservers?.(zone, signal);
    assert.deepEqual(servers, ["ns1.reg.ru", "ns2.reg.ru"]);
  });

  it("loses one record by its content and priority, never all of a type", async () => {
    const { provider, sent } = opened([row("team", "NS", "ns9.example.net.", 1)]);
    const plan = makePlan(suiteZone, [remove(rec("team", "NS", "ns9.example.net"))]);
    await provider.apply(zone, plan, signal);
    assert.deepEqual(sent.at(-1), {
      domains: [{ dname: suiteZone }],
      subdomain: "team",
      record_type: "NS",
      content: "ns9.example.net.",
      priority: 1,
    });
  });

  it("is listed under its A-label, and not when it was cancelled", () =>
    withZone(regru, startRegru, suiteZone, async ({ backend, provider }) => {
      await backend.seed("xn--e1afmkfd.xn--p1ai", []);
      const names = (await provider.listZones(signal)).map(({ name }) => name);
      assert.deepEqual(names.toSorted(), [suiteZone, "xn--e1afmkfd.xn--p1ai"]);
    }));

  it("takes no service and no CAA record", async () => {
    const { provider, sent } = opened([]);
    for (const record of [
      rec("_sip._tcp", "SRV", "5 5060 sip.example.net", { priority: 1 }),
      rec("shop", "CAA", '0 issue "ca.example.net"'),
    ]) {
      const plan = makePlan(suiteZone, [create(record)]);
      await assert.rejects(provider.apply(zone, plan, signal), { kind: "unsupported" });
    }
    assert.equal(sent.length, 2);
  });

  it("fails by the code of the command or of the domain inside an answer of status 200", async () => {
    const codes = [
      ["NO_AUTH", "auth"],
      ["ACCESS_DENIED_FROM_IP", "auth"],
      ["DOMAIN_IS_NOT_USE_REGRU_NSS", "not_found"],
      ["ACCOUNT_EXCEEDED_ALLOWED_CONNECTION_RATE", "rate_limited"],
      ["SERVICE_UNAVAILABLE", "unavailable"],
      ["SUBD_INVALID", "unsupported"],
    ] as const;
    for (const [code, kind] of codes) {
      const failed = { result: "error", error_code: code, error_text: "said" };
      for (const body of [failed, { result: "success", answer: { domains: [failed] } }]) {
        const fetch: Fetch = async () => Response.json(body);
        const provider = regru.open({ username: "u", password: "p" }, { fetch });
        await assert.rejects(provider.listRecords(zone, signal), { kind }, code);
      }
    }
  });
});
