import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { createAnswerer, startNameServer, type ValidationZone } from "@mooring/dns";
import {
  type ScriptedDns,
  type ScriptedQuestion,
  startScriptedDns,
} from "@mooring/testing/dns/scripted-dns";
import { a, answerFrom, ns, soaRecord } from "@mooring/testing/dns/scripted-zone";
import { freePort } from "@mooring/testing/processes/free-port";
import { checkValidation } from "./validation.ts";

const zone = "v.mooring.example";
const nameServers = ["ns-v1.mooring.example", "ns-v2.mooring.example"];
const [parentAddress, ...addresses] = ["127.0.26.1", "127.0.26.2", "127.0.26.3"];

/** Something that answers at one of the zone's addresses. */
interface Answering {
  close(): Promise<unknown>;
}

/**
 * The parent zone is a scripted server, which is the operator's resolver too; ours are the real
 * ones.
 */
describe("the doctor's check of the validation zone", () => {
  let port = 0;
  let parent: ScriptedDns;
  let delegatedTo: readonly string[] = nameServers;
  let named = nameServers;
  before(async () => {
    port = await freePort();
    parent = await startScriptedDns({ address: parentAddress ?? "", port, behave });
  });
  after(() => parent.stop());

  function behave(question: ScriptedQuestion) {
    const isBelow = `.${question.name}`.endsWith(`.${zone}`);
    if (isBelow && delegatedTo.length > 0) {
      const authorities = delegatedTo.map((server) => ns(zone, server));
      return { authoritative: false, authorities };
    }
    const hosts = named.map((name, at) => a(name, addresses[at] ?? ""));
    const own = [ns("mooring.example", "ns1.mooring.example"), ...hosts];
    return answerFrom([...own, a("ns1.mooring.example", parentAddress ?? "")], {
      soa: "mooring.example",
    })(question);
  }

  async function ours(at: number, changes: Partial<ValidationZone> = {}): Promise<Answering> {
    const names = { findValues: () => null, serial: () => at };
    return startNameServer({
      hosts: [addresses[at] ?? ""],
      port,
      ratePerNetwork: 0,
      onError: assert.ifError,
      answer: createAnswerer({ zone, nameServers, ...changes }, names),
    });
  }

  async function foreign(at: number, tcp: "on" | "refused", soa: string): Promise<Answering> {
    const record = { ...soaRecord(soa, 5, 5), name: zone };
    const server = await startScriptedDns({
      address: addresses[at] ?? "",
      port,
      tcp,
      behave: () => ({ authoritative: true, answers: [record] }),
    });
    return { close: () => server.stop() };
  }

  async function findings(...running: readonly Promise<Answering>[]): Promise<readonly string[]> {
    const servers = await Promise.all(running);
    try {
      const found = await checkValidation({
        validationZone: zone,
        validationNameServers: nameServers,
        dnsResolvers: [`${parentAddress}:${port}`],
        dnsAuthoritativePort: port,
      });
      return found.map(({ status, detail }) => `${status}: ${detail}`);
    } finally {
      await Promise.all(servers.map((server) => server.close()));
      [delegatedTo, named] = [nameServers, nameServers];
    }
  }

  it("is fine when both servers answer alike, whatever their serials", async () => {
    assert.deepEqual(await findings(ours(0), ours(1)), [
      `ok: ${nameServers.join(" and ")} answer alike for ${zone}, over UDP and TCP`,
    ]);
  });

  it("finds a zone that its parent does not delegate, or delegates elsewhere", async () => {
    delegatedTo = [];
    assert.deepEqual(await findings(ours(0), ours(1)), [
      `fail: ${zone} is not delegated in its parent zone`,
    ]);
    delegatedTo = ["ns-v1.mooring.example"];
    assert.match((await findings(ours(0), ours(1))).join(), /^fail: the parent zone delegates v\./);
  });

  it("finds a server without an address, and one that does not answer", async () => {
    named = nameServers.slice(0, 1);
    assert.deepEqual(await findings(ours(0)), [
      "fail: ns-v2.mooring.example has no address in DNS",
    ]);
    assert.deepEqual(await findings(ours(0)), [
      `fail: ns-v2.mooring.example (127.0.26.3) does not answer for ${zone}`,
    ]);
  });

  it("finds servers that answer differently", async () => {
    const other = { nameServers: ["ns-v9.mooring.example"] };
    assert.match(
      (await findings(ours(0), ours(1, other))).join(),
      /^fail: the servers of v\.mooring\.example answer differently: ns-v1\S* .* \/ ns-v9/,
    );
  });

  it("finds a server that TCP does not reach", async () => {
    assert.deepEqual(await findings(ours(0), foreign(1, "refused", zone)), [
      "fail: ns-v2.mooring.example (127.0.26.3) does not answer over TCP",
    ]);
  });

  it("finds another program on the port", async () => {
    const running = [0, 1].map((at) => foreign(at, "on", "elsewhere.example"));
    assert.match(
      (await findings(...running)).join(),
      /^fail: another program answers for v\.mooring\.example: ns1\.elsewhere\.example /,
    );
  });

  it("has nothing to say where there is no such zone", async () => {
    const none = { validationNameServers: [], dnsResolvers: [], dnsAuthoritativePort: port };
    for (const [validationZone, detail] of [
      [null, "none: wildcards and cut-overs are off"],
      ["validation.test", "validation.test: for names of the sandbox only"],
    ] as const) {
      const found = await checkValidation({ ...none, validationZone });
      assert.deepEqual(
        found.map((one) => [one.status, one.detail]),
        [["ok", detail]],
      );
    }
  });
});
