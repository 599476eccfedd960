import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { ada, bob, desired, edgeName, hostname } from "@mooring/testing/control/diagnosis/facts";
import {
  codesOf,
  diagnoseScripted,
  type ScriptedWorld,
} from "@mooring/testing/control/diagnosis/scripted-world";
import { a, aaaa, cname, soaRecord, txt } from "@mooring/testing/dns/scripted-zone";
import type { Answer } from "dns-packet";

const toEdge = cname(hostname, edgeName);
const live: ScriptedWorld = { connection: { state: "live" }, facts: { claim: "own" } };
const propagating: ScriptedWorld = {
  connection: { state: "propagating" },
  facts: { claim: "own" },
};

function caa(name: string, value: string): Answer {
  return { name, type: "CAA", ttl: 60, data: { flags: 0, tag: "issue", value } };
}

describe("a diagnosis of records over the wire", () => {
  it("finds nothing when everything is right", async (t) => {
    const diagnosis = await diagnoseScripted(t, { ...live, records: [toEdge] });
    assert.deepEqual(diagnosis.findings, []);
    assert.equal(diagnosis.summary, `${hostname} is connected and everything is right.`);
  });

  const pains: readonly (readonly [string, readonly Answer[], readonly string[]])[] = [
    ["the orange cloud", [a(hostname, "104.16.1.1")], ["record_proxied"]],
    ["flattening that is not the orange cloud", [a(hostname, "192.0.2.10")], ["record_flattened"]],
    ["an old host", [a(hostname, "203.0.113.9")], ["record_mismatch"]],
    ["an office network", [a(hostname, "10.0.0.5")], ["private_address"]],
    [
      "a target with the domain appended",
      [cname(hostname, `${edgeName}.acme.example`)],
      ["record_target_doubled"],
    ],
    [
      "a name with the domain twice",
      [cname(`${hostname}.acme.example`, edgeName)],
      ["record_doubled_name"],
    ],
    [
      "a circle of aliases",
      [cname(hostname, "b.acme.example"), cname("b.acme.example", hostname)],
      ["record_loop"],
    ],
    ["CAA for another authority", [toEdge, caa("acme.example", "digicert.com")], ["caa_forbidden"]],
    [
      "mail at the name of a CNAME",
      [
        {
          name: hostname,
          type: "MX",
          ttl: 60,
          data: { preference: 10, exchange: "mail.acme.example" },
        },
      ],
      ["record_conflict", "record_missing"],
    ],
    ["nothing", [], ["record_missing"]],
    [
      "a day-long memory",
      [a(hostname, "203.0.113.9", 86_400)],
      ["record_mismatch", "slow_to_change"],
    ],
  ];
  for (const [pain, records, codes] of pains) {
    it(`recognises ${pain}`, async (t) => {
      const diagnosis = await diagnoseScripted(t, { ...propagating, records });
      assert.deepEqual(codesOf(diagnosis), codes, JSON.stringify(diagnosis, null, 1));
    });
  }

  it("finds a leftover AAAA and a second A beside the right address", async (t) => {
    const connection = {
      state: "propagating",
      desiredRecords: [desired("A", "192.0.2.10")],
    } as const;
    const records = [
      a(hostname, "192.0.2.10"),
      a(hostname, "203.0.113.9"),
      aaaa(hostname, "2001:db8:f::5"),
    ];
    const diagnosis = await diagnoseScripted(t, { records, connection });
    assert.deepEqual(codesOf(diagnosis), ["aaaa_leftover", "a_leftover"]);
  });

  it("distinguishes a lagging server from a wrong record", async (t) => {
    const servers = { [ada]: [toEdge], [bob]: [cname(hostname, "old.example")] };
    const { findings } = await diagnoseScripted(t, { ...propagating, servers });
    assert.deepEqual(
      findings.map(({ code, evidence }) => ({ code, evidence })),
      [{ code: "servers_disagree", evidence: [`${ada}: ${edgeName}`, `${bob}: old.example`] }],
    );
  });

  it("says until when resolvers cache an absence", async (t) => {
    const diagnosis = await diagnoseScripted(t, {
      ...live,
      records: [toEdge],
      recursive: ({ name, type }) =>
        name === hostname && type !== "NS" && type !== "CAA"
          ? { rcode: 3, authorities: [soaRecord("acme.example", 3_600, 900)] }
          : null,
    });
    assert.deepEqual(codesOf(diagnosis), ["records_cached"]);
    assert.deepEqual(diagnosis.findings[0]?.evidence, [
      `Resolvers, ${hostname}: nothing there, cached for 15 minutes`,
    ]);
    assert.match(diagnosis.findings[0]?.fix ?? "", /visible everywhere by \d\d:\d\d UTC/);
  });

  it("recognises two accounts behind one proxy company", async (t) => {
    const diagnosis = await diagnoseScripted(t, {
      ...propagating,
      records: [a(hostname, "104.16.1.1")],
      recursive: ({ name, type }) =>
        name === edgeName && type === "A" ? { answers: [a(edgeName, "104.16.9.9")] } : null,
    });
    assert.deepEqual(codesOf(diagnosis), ["record_proxied", "proxy_to_proxy"]);
  });

  it("suggests alternatives for an apex whose provider has no ALIAS", async (t) => {
    const records: readonly Answer[] = [];
    const diagnosis = await diagnoseScripted(t, {
      servers: { "ns1.host.example": records, "ns2.host.example": records },
      connection: {
        state: "propagating",
        hostname: "acme.example",
        kind: "apex",
        provider: null,
        desiredRecords: [desired("ALIAS", edgeName, "acme.example")],
      },
    });
    assert.deepEqual(codesOf(diagnosis), ["apex_needs_alias"]);
  });

  it("warns before a second SPF policy is added", async (t) => {
    const policy = desired("TXT", "v=spf1 include:mooring.example ~all", "acme.example");
    const connection = { state: "propagating", desiredRecords: [policy] } as const;
    const records = [txt("acme.example", "v=spf1 include:old.example -all")];
    const diagnosis = await diagnoseScripted(t, { records, connection });
    assert.deepEqual(codesOf(diagnosis), ["policy_duplicate", "record_missing"]);
  });

  it("reports records that are to replace those in DNS", async (t) => {
    const connection = {
      state: "live",
      desiredRecords: [desired("CNAME", "old-edge.mooring.example")],
      pendingRecords: [desired("CNAME", edgeName)],
    } as const;
    const records = [cname(hostname, "old-edge.mooring.example")];
    const diagnosis = await diagnoseScripted(t, { ...live, connection, records });
    assert.deepEqual(codesOf(diagnosis), ["records_changed"]);
  });

  it("reports a chain of twenty aliases that ends nowhere", async (t) => {
    const hop = (index: number) => (index === 0 ? hostname : `hop-${index}.acme.example`);
    const chain = Array.from({ length: 20 }, (_, index) => cname(hop(index), hop(index + 1)));
    const diagnosis = await diagnoseScripted(t, { ...propagating, records: chain });
    assert.deepEqual(codesOf(diagnosis), ["record_loop"]);
  });

  it("reports that the www of a connected apex is not connected", async (t) => {
    const connection = {
      state: "live",
      hostname: "acme.example",
      kind: "apex",
      desiredRecords: [desired("CNAME", edgeName, "acme.example")],
    } as const;
    const records = [a("acme.example", "192.0.2.10")];
    const diagnosis = await diagnoseScripted(t, { ...live, connection, records });
    assert.deepEqual(codesOf(diagnosis), ["www_not_connected"]);
  });

  it("reports an archived name that still points here", async (t) => {
    const world: ScriptedWorld = { connection: { state: "archived" }, records: [toEdge] };
    const diagnosis = await diagnoseScripted(t, world);
    assert.deepEqual(codesOf(diagnosis), ["archived_still_points_here"]);
  });
});
