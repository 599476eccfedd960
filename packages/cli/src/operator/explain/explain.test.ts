import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { AppError, explainDomain, readConfig } from "@mooring/control";
import { createNetworkResolver } from "@mooring/dns";
import { callCli, callOnTerminal } from "@mooring/testing/cli/run-cli";
import { diagnoseWith } from "@mooring/testing/control/diagnosis/scripted-world";
import { type ScriptedDns, startScriptedDns } from "@mooring/testing/dns/scripted-dns";
import { a, answerFrom, ns } from "@mooring/testing/dns/scripted-zone";
import { freePort } from "@mooring/testing/processes/free-port";

const address = "127.0.0.1";
const hostname = "shop.acme.example";
const behind = "behind.acme.example";
const edgeName = "edge.mooring.example";

interface Said {
  readonly code: string;
  readonly title: string;
  readonly fix: string;
}

describe("mooring explain", () => {
  let server: ScriptedDns;
  let env: Readonly<Record<string, string>> = {};

  before(async () => {
    const port = await freePort();
    const zone = answerFrom(
      [ns("acme.example", "ns1.acme.example"), a("ns1.acme.example", address)].concat(
        a(hostname, "203.0.113.9"),
        a(behind, "104.16.1.1"),
      ),
      { soa: "acme.example" },
    );
    const rest = answerFrom([a(edgeName, "192.0.2.10")], { soa: "mooring.example" });
    const behave = (question: { readonly name: string; readonly type: string }) =>
      question.name.endsWith("acme.example") ? zone(question) : rest(question);
    server = await startScriptedDns({ address, port, behave });
    env = { DNS_RESOLVERS: `${address}:${port}`, DNS_AUTHORITATIVE_PORT: String(port) };
  });
  after(() => server.stop());

  it("says what a diagnosis says, without key and database", async () => {
    const args = ["explain", hostname, "--edge", edgeName, "--json"];
    const result = await callCli(args, env);
    assert.equal(result.code, 1, result.stderr);
    const { findings, summary, nameserver, edge, in_use: inUse } = result.json();
    assert.deepEqual([nameserver, edge], ["ns1.acme.example", edgeName]);
    assert.deepEqual((inUse as { addresses: readonly string[] }).addresses, ["203.0.113.9"]);
    const said = findings as readonly Said[];
    const resolver = createNetworkResolver({
      resolvers: [`${address}:${server.port}`],
      authoritativePort: server.port,
    });
    const connection = {
      hostname,
      registrableDomain: "acme.example",
      state: "propagating",
    } as const;
    const diagnosis = await diagnoseWith(resolver, {
      connection: { ...connection, provider: null },
      facts: { claim: "own" },
    });
    const expected = diagnosis.findings.find(({ code }) => code === "record_mismatch");
    const found = said.find(({ code }) => code === "record_mismatch");
    assert.ok(expected && found, said.map(({ code }) => code).join(" "));
    assert.deepEqual([found.title, found.fix], [expected.title, expected.fix]);
    assert.equal(summary, diagnosis.summary);
  });

  it("is coloured on a terminal only, and compares nothing without an edge", async () => {
    const piped = await callCli(["explain", hostname], env);
    assert.ok(!piped.stdout.includes("\u001b"), piped.stdout);
    assert.match(piped.stdout, /give --edge to compare the records/);
    assert.doesNotMatch(piped.stdout, /record_mismatch/);
    const terminal = callOnTerminal(["explain", hostname, "--edge", edgeName], {
      ...env,
      TERM: "xterm",
    });
    assert.equal(await terminal.ended, 1, terminal.screen());
    assert.ok(terminal.screen().includes("\u001b[31m✘"), terminal.screen());
    assert.match(terminal.screen(), /record_mismatch/);
  });

  it("names the CDN that a domain is behind, and what cannot be seen through it", async () => {
    const args = ["explain", behind, "--edge", edgeName];
    const shown = await callCli([...args, "--json"], env);
    assert.equal(shown.code, 0, shown.stdout);
    assert.deepEqual(shown.json()["proxied"], { by: "cloudflare" });
    const { stdout } = await callCli(args, env);
    assert.match(stdout, /^Behind +Cloudflare: its proxy may stay on/m);
    assert.match(stdout, /cannot be seen from DNS/);
    const direct = await callCli(["explain", hostname, "--edge", edgeName, "--json"], env);
    assert.equal(direct.json()["proxied"], null);
  });

  it("refuses what is no domain", async () => {
    const { signal } = new AbortController();
    await assert.rejects(explainDomain(readConfig({}), "not a domain", { signal }), AppError);
  });
});
