import assert from "node:assert/strict";
import { after, before, beforeEach, describe, test } from "node:test";
import {
  type Behaviour,
  type ScriptedDns,
  type ScriptedQuestion,
  SERVFAIL,
  SILENCE,
  startScriptedDns,
} from "@mooring/testing/dns/scripted-dns";
import { a, answerFrom, ns, txt } from "@mooring/testing/dns/scripted-zone";
import { freePort } from "@mooring/testing/processes/free-port";
import { createNetworkResolver } from "../resolve/network-resolver.ts";
import { proveTxt, type TxtProof } from "./txt-proof.ts";

const zone = "acme.example";
const name = `_service-challenge.shop.${zone}`;
const value = "service-verify=token";
const dead = `ns2.${zone}`;
const delegation = [
  ns(zone, `ns1.${zone}`),
  ns(zone, dead),
  a(`ns1.${zone}`, "127.40.0.1"),
  a(dead, "127.40.0.2"),
];
const empty = answerFrom(delegation, { soa: zone });
const proven = answerFrom([...delegation, txt(name, value)], { soa: zone });
const start = new Date("2026-05-01T00:00:00Z");
const minutes = (count: number) => new Date(start.getTime() + count * 60_000);

type Behave = (question: ScriptedQuestion) => Behaviour;

describe("a zone of which one of two servers is silent", () => {
  let port = 0;
  const started: ScriptedDns[] = [];
  const behave: Record<string, Behave> = {};
  /** Networks of two operators, and a second resolver of the first. */
  const [first, second, sibling] = ["127.41.0.1", "127.42.0.1", "127.41.0.2"];

  before(async () => {
    port = await freePort();
    for (const address of ["127.40.0.1", "127.40.0.2", first, second, sibling]) {
      const answer: Behave = (question) => behave[address]?.(question) ?? SILENCE;
      started.push(await startScriptedDns({ address, port, behave: answer }));
    }
  });
  after(() => Promise.all(started.map((server) => server.stop())));
  beforeEach(() => {
    for (const address of ["127.40.0.1", first, second, sibling]) behave[address] = proven;
    behave["127.40.0.2"] = () => SILENCE;
  });

  const prove = (
    now: Date,
    since: ReadonlyMap<string, Date>,
    resolvers: readonly string[] = [first, second],
  ): Promise<TxtProof> => {
    const resolver = createNetworkResolver({
      resolvers: resolvers.map((address) => `${address}:${port}`),
      authoritativePort: port,
      limits: { attemptTimeoutMs: 1_500, udpAttempts: 1 },
    });
    const { signal } = new AbortController();
    const silence = { now, since: async () => since };
    return proveTxt(resolver, { name, value, randomLabel: "r4nd0m", signal, silence });
  };
  const longSilent = new Map([[dead, start]]);
  const outcomeOf = async (proof: Promise<TxtProof>) => (await proof).outcome;

  test("is proven by the other after ten minutes, and not before", async () => {
    const [early, nearly, late] = await Promise.all([
      prove(start, new Map()),
      prove(minutes(9), longSilent),
      prove(minutes(10), longSilent),
    ]);
    assert.deepEqual([early.outcome, early.reason], ["unknown", "dns_timeout"]);
    assert.deepEqual(early.silentSince, longSilent);
    assert.equal(nearly.outcome, "unknown");
    assert.deepEqual([late.outcome, late.passedOver], ["match", [dead]]);
    assert.deepEqual(late.silentSince, longSilent);
  });

  test("starts again when the server has answered, and for another server", async () => {
    behave["127.40.0.2"] = proven;
    const answered = await prove(minutes(5), longSilent);
    assert.deepEqual([answered.outcome, answered.silentSince?.size], ["match", 0]);
    behave["127.40.0.2"] = () => SILENCE;
    const other = new Map([[`ns1.${zone}`, start]]);
    const again = await prove(minutes(20), other);
    assert.deepEqual(again.silentSince, new Map([[dead, minutes(20)]]));
    assert.equal(again.outcome, "unknown");
  });

  test("is judged absent by the other, so that the record can be written", async () => {
    for (const address of ["127.40.0.1", first, second]) behave[address] = empty;
    const proofs = [minutes(9), minutes(10)].map((now) => outcomeOf(prove(now, longSilent)));
    assert.deepEqual(await Promise.all(proofs), ["unknown", "absent"]);
  });

  test("is not proven unless resolvers of two operators see the value", async () => {
    const seenBy = [[first], [first, sibling]];
    const proofs = seenBy.map((resolvers) => outcomeOf(prove(minutes(10), longSilent, resolvers)));
    assert.deepEqual(await Promise.all(proofs), ["unknown", "unknown"]);
    behave[second] = empty;
    assert.equal(await outcomeOf(prove(minutes(10), longSilent)), "unknown");
    behave[second] = () => SERVFAIL;
    assert.equal(await outcomeOf(prove(minutes(10), longSilent)), "unknown");
    behave[sibling] = empty;
    behave[second] = proven;
    const three = [first, second, sibling];
    assert.equal(await outcomeOf(prove(minutes(10), longSilent, three)), "unknown");
  });

  test("is not proven over UDP alone, nor by forged UDP beside an honest TCP answer", async () => {
    const overUdp: Behave = (asked) => (asked.transport === "udp" ? proven(asked) : empty(asked));
    behave["127.40.0.1"] = overUdp;
    assert.equal(await outcomeOf(prove(minutes(10), longSilent)), "absent");
    const withoutTcp = await startScriptedDns({
      address: "127.40.0.3",
      port,
      tcp: "refused",
      behave: proven,
    });
    try {
      const moved = [
        ...delegation.slice(0, 2),
        a(`ns1.${zone}`, "127.40.0.3"),
        a(dead, "127.40.0.2"),
      ];
      const answer = answerFrom([...moved, txt(name, value)], { soa: zone });
      for (const address of [first, second]) behave[address] = answer;
      assert.equal(await outcomeOf(prove(minutes(10), longSilent)), "unknown");
    } finally {
      await withoutTcp.stop();
    }
  });

  test("waits for a server that answers with a failure: it is not silent", async () => {
    behave["127.40.0.2"] = () => SERVFAIL;
    const proof = await prove(minutes(60), longSilent);
    assert.deepEqual([proof.outcome, proof.silentSince?.size], ["unknown", 0]);
  });
});
