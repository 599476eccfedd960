import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { testConnection } from "@mooring/testing/control/connection";
import {
  ada,
  bob,
  challengeAt,
  edgeName,
  hostname,
  token,
} from "@mooring/testing/control/diagnosis/facts";
import {
  codesOf,
  diagnoseScripted,
  diagnoseWith,
  type ScriptedWorld,
} from "@mooring/testing/control/diagnosis/scripted-world";
import { domainChecks } from "@mooring/testing/control/domain-check";
import { memoryResolver, records as parseRecords } from "@mooring/testing/dns/memory-resolver";
import { REFUSED, SERVFAIL, SILENCE } from "@mooring/testing/dns/scripted-dns";
import { cname, ns, txt } from "@mooring/testing/dns/scripted-zone";
import type { Answer } from "dns-packet";
import { gatherDns } from "./gather-dns.ts";

const proven = txt(challengeAt, token);
const toEdge = cname(hostname, edgeName);
const live: ScriptedWorld = { connection: { state: "live" }, facts: { claim: "own" } };

function ds(name: string): Answer {
  const digest = Buffer.alloc(32, 7);
  return { name, type: "DS", ttl: 60, data: { keyTag: 1, algorithm: 13, digestType: 2, digest } };
}

describe("a diagnosis of ownership over the wire", () => {
  it("describes the record in the terms of Cloudflare's form, and lists each server's answer", async (t) => {
    const { findings } = await diagnoseScripted(t, { records: [toEdge] });
    const said = findings.map(({ texts, ...finding }) => {
      assert.equal(texts.end_customer.title, "The proof is not there yet");
      return finding;
    });
    assert.deepEqual(said, [
      {
        code: "ownership_missing",
        severity: "error",
        title: `The ownership record of ${hostname} is not there yet`,
        evidence: [`${ada}: no TXT record`, `${bob}: no TXT record`],
        actor: "end_customer",
        fix: `At Cloudflare, add a record with Type: TXT, Name: _service-challenge.shop, Content: ${token}, TTL: 300.`,
        params: {
          domain: hostname,
          name: challengeAt,
          provider: "Cloudflare",
          zone: "acme.example",
        },
        add: [{ name: challengeAt, type: "TXT", value: token, ttl: 300, priority: null }],
        remove: [],
      },
    ]);
  });

  const mistakes: readonly (readonly [string, readonly Answer[], string])[] = [
    ["at the bare hostname", [txt(hostname, token)], "ownership_wrong_name"],
    ["at the zone's top", [txt("acme.example", token)], "ownership_wrong_name"],
    [
      "at the challenge name of the zone",
      [txt("_service-challenge.acme.example", token)],
      "ownership_wrong_name",
    ],
    [
      "with the domain twice",
      [txt(`${challengeAt}.acme.example`, token)],
      "ownership_doubled_name",
    ],
    ["with quotation marks", [txt(challengeAt, `"${token}"`)], "ownership_altered"],
    ["in small letters", [txt(challengeAt, token.toLowerCase())], "ownership_altered"],
    ["with an earlier value", [txt(challengeAt, "service-verify=old")], "ownership_other_token"],
    ["with an unrelated value", [txt(challengeAt, "hello")], "ownership_mismatch"],
    ["as a CNAME", [cname(challengeAt, "verify.example.net")], "ownership_cname"],
  ];
  for (const [how, records, code] of mistakes) {
    it(`recognises the record ${how}`, async (t) => {
      const diagnosis = await diagnoseScripted(t, { records });
      const ownership = codesOf(diagnosis).filter((one) => one.startsWith("ownership"));
      assert.deepEqual(ownership, [code]);
    });
  }

  it("does not accept a wildcard as the record", async () => {
    const holding = parseRecords(
      `*.shop.acme.example 60 TXT ${token}`,
      `${hostname} 60 CNAME ${edgeName}`,
    );
    const resolver = memoryResolver({
      zone: "acme.example",
      servers: { [ada]: holding, [bob]: holding },
      recursive: parseRecords(`${edgeName} 60 A 192.0.2.10`, `${hostname} 60 CNAME ${edgeName}`),
    });
    const diagnosis = await diagnoseWith(resolver, {});
    assert.deepEqual(codesOf(diagnosis), ["ownership_wildcard"]);
    assert.deepEqual(diagnosis.findings[0]?.evidence, [
      `${ada}: TXT "${token}" (from a wildcard)`,
      `${bob}: TXT "${token}" (from a wildcard)`,
    ]);
  });

  it("names the server that is behind", async (t) => {
    const servers = { [ada]: [toEdge, proven], [bob]: [toEdge] };
    const { findings, summary } = await diagnoseScripted(t, { servers });
    assert.deepEqual(
      findings.map(({ code, actor, evidence }) => ({ code, actor, evidence })),
      [
        {
          code: "ownership_partial",
          actor: "wait",
          evidence: [`${ada}: TXT "${token}"`, `${bob}: no TXT record`],
        },
      ],
    );
    assert.match(summary, /is on its way; there is nothing to do but wait\.$/);
  });

  it("reports nothing else about an unregistered domain", async (t) => {
    const recursive = () => ({ rcode: 3 });
    assert.deepEqual(codesOf(await diagnoseScripted(t, { recursive })), ["not_registered"]);
  });

  it("says where the records belong when DNS has moved or a name is delegated", async (t) => {
    const moved = await diagnoseScripted(t, { connection: { provider: "desec" } });
    assert.ok(codesOf(moved).includes("dns_moved"));
    const own = await diagnoseScripted(t, { zone: hostname });
    assert.ok(codesOf(own).includes("zone_delegated"));
  });
});

describe("a diagnosis of nameservers over the wire", () => {
  it("distinguishes a stale DS from broken DNSSEC", async (t) => {
    const stale = await diagnoseScripted(t, {
      ...live,
      records: [toEdge],
      recursive: ({ type }) => (type === "DS" ? { answers: [ds("acme.example")] } : null),
    });
    assert.deepEqual(codesOf(stale), ["dnssec_ds_stale"]);
    assert.deepEqual(stale.findings[0]?.evidence.slice(1), [
      `${ada}: no DNSKEY record`,
      `${bob}: no DNSKEY record`,
    ]);
    const broken = await diagnoseScripted(t, {
      ...live,
      records: [toEdge],
      recursive: ({ checkingDisabled, name }) =>
        !checkingDisabled && name.endsWith("acme.example") ? SERVFAIL : null,
    });
    assert.deepEqual(codesOf(broken), ["dnssec_broken"]);
  });

  it("lists unresponsive, failing and lame servers", async (t) => {
    const servers = {
      [ada]: [toEdge],
      [bob]: SILENCE,
      "cat.ns.cloudflare.com": REFUSED,
      "dan.ns.cloudflare.com": { rcode: 0, authoritative: false },
    };
    const { findings } = await diagnoseScripted(t, {
      ...live,
      servers,
      queryTimeoutMs: 2_500,
      budgetMs: 60_000,
    });
    assert.deepEqual(
      findings.map(({ code, severity, evidence }) => ({ code, severity, evidence })),
      [
        { code: "ns_unreachable", severity: "warning", evidence: [`${bob}: no answer in time`] },
        {
          code: "ns_servfail",
          severity: "warning",
          evidence: ["cat.ns.cloudflare.com: refuses to answer (REFUSED)"],
        },
        {
          code: "ns_lame",
          severity: "warning",
          evidence: ["dan.ns.cloudflare.com: does not serve this domain"],
        },
      ],
    );
  });

  it("lists servers whose NS records differ from the delegation", async (t) => {
    const servers = { [ada]: [toEdge], [bob]: [toEdge, ns("acme.example", "ns1.old.example")] };
    const diagnosis = await diagnoseScripted(t, { ...live, servers });
    assert.deepEqual(codesOf(diagnosis), ["ns_disagree"]);
  });

  it("never reports unanswered records as missing or wrong", async () => {
    const reasons = ["timeout", "servfail", "refused", "unreachable", "malformed", "lame"] as const;
    const states = ["pending_ownership", "propagating", "live", "drifted"] as const;
    const accusing = /^(ownership_(missing|mismatch|altered)|record_|private|a+_leftover)/;
    const holding = parseRecords(
      `${challengeAt} 60 TXT ${token}`,
      `${hostname} 60 CNAME ${edgeName}`,
    );
    const tried = reasons.flatMap((reason) =>
      [reason, holding].flatMap((second) =>
        states.map(async (state) => {
          const servers = { [ada]: reason, [bob]: second };
          const resolver = memoryResolver({ zone: "acme.example", servers, recursive: holding });
          const codes = codesOf(await diagnoseWith(resolver, { connection: { state } }));
          assert.deepEqual(
            [...codes].filter((code) => accusing.test(code)),
            [],
            reason,
          );
          assert.ok(
            codes.some((code) => code.startsWith("ns_")),
            `${reason} is not reported`,
          );
        }),
      ),
    );
    await Promise.all(tried);
  });

  it("stops when the caller aborts", async () => {
    const resolver = memoryResolver({ zone: "acme.example", servers: { [ada]: [], [bob]: [] } });
    const { runtime } = domainChecks(resolver);
    const gone = AbortSignal.abort(new Error("gone"));
    await assert.rejects(gatherDns(runtime, testConnection(), gone), /gone/);
  });

  it("stops with the budget, and lists what was not answered", async (t) => {
    const servers = { [ada]: SILENCE, [bob]: SILENCE };
    const diagnosis = await diagnoseScripted(t, { ...live, servers, budgetMs: 1_000 });
    assert.ok(codesOf(diagnosis).includes("check_incomplete"));
    const missed = diagnosis.findings.find(({ code }) => code === "check_incomplete");
    assert.ok(missed?.evidence.includes("Not answered in time: the records"));
  });
});
