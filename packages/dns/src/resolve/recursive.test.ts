import assert from "node:assert/strict";
import { describe, test } from "node:test";
import {
  type Behaviour,
  REFUSED,
  SERVFAIL,
  startScriptedDns,
} from "@mooring/testing/dns/scripted-dns";
import {
  type ScriptedResolver,
  scriptedResolver,
  valuesOf,
} from "@mooring/testing/dns/scripted-resolver";
import { a, answerFrom, cname } from "@mooring/testing/dns/scripted-zone";
import { freePort } from "@mooring/testing/processes/free-port";
import { createNetworkResolver } from "./network-resolver.ts";
import type { Reply } from "./resolver.ts";

function resolve(
  { resolver }: ScriptedResolver,
  name: string,
  type: "A" | "TXT" = "A",
): Promise<Reply> {
  return resolver.resolve(name, type, new AbortController().signal);
}

describe("resolve", () => {
  test("follows CNAMEs, within an answer and beyond it", async (t) => {
    const zone = answerFrom([cname("a.example", "b.example"), a("c.example", "192.0.2.7")]);
    const setup = await scriptedResolver(t, (question) =>
      question.name === "b.example"
        ? { answers: [cname("b.example", "c.example")] }
        : zone(question),
    );
    const open = { answers: [cname("x.example", "b.example")] };
    const second = await scriptedResolver(t, (question) => {
      if (question.name === "x.example") return open;
      return question.name === "b.example"
        ? { answers: [cname("b.example", "c.example")] }
        : zone(question);
    });
    assert.deepEqual(valuesOf(await resolve(setup, "c.example")), ["192.0.2.7"]);
    const reply = await resolve(second, "x.example");
    assert.deepEqual(valuesOf(reply), ["192.0.2.7"]);
    assert.ok(reply.outcome === "records");
    assert.deepEqual(reply.chain, ["b.example", "c.example"]);
  });

  test("stops at CNAME loops, in one answer and over several", async (t) => {
    const looping = await scriptedResolver(t, () => ({
      answers: [cname("a.example", "b.example"), cname("b.example", "a.example")],
    }));
    assert.equal(valuesOf(await resolve(looping, "a.example")), "cname_loop");
    const pingPong = await scriptedResolver(t, ({ name }) => ({
      answers: [cname(name, name === "a.example" ? "b.example" : "a.example")],
    }));
    assert.equal(valuesOf(await resolve(pingPong, "a.example")), "cname_loop");
    const itself = await scriptedResolver(t, ({ name }) => ({ answers: [cname(name, name)] }));
    assert.equal(valuesOf(await resolve(itself, "a.example")), "cname_loop");
  });

  test("follows eight CNAMEs and stops at a chain of twenty", async (t) => {
    const hops = (count: number) => [
      ...Array.from({ length: count }, (_, hop) => cname(`h${hop}.example`, `h${hop + 1}.example`)),
      a(`h${count}.example`, "192.0.2.7"),
    ];
    const eight = await scriptedResolver(t, answerFrom(hops(8)));
    assert.deepEqual(valuesOf(await resolve(eight, "h0.example")), ["192.0.2.7"]);
    const twenty = await scriptedResolver(t, answerFrom(hops(20)));
    assert.equal(valuesOf(await resolve(twenty, "h0.example")), "cname_loop");
    const stepwise = await scriptedResolver(t, ({ name }) => ({
      answers: [cname(name, `h${Number(name.slice(1, name.indexOf("."))) + 1}.example`)],
    }));
    assert.equal(valuesOf(await resolve(stepwise, "h0.example")), "cname_loop");
    assert.ok(stepwise.server.seen.length <= 9);
  });

  test("distinguishes a DNSSEC failure from a broken server by the CD bit", async (t) => {
    const bogus = await scriptedResolver(t, ({ checkingDisabled }) =>
      checkingDisabled ? { answers: [a("a.example", "192.0.2.7")] } : SERVFAIL,
    );
    assert.equal(valuesOf(await resolve(bogus, "a.example")), "bogus");
    const broken = await scriptedResolver(t, () => SERVFAIL);
    assert.equal(valuesOf(await resolve(broken, "a.example")), "servfail");
  });

  test("asks the next resolver when the first gives no answer", async (t) => {
    const port = await freePort();
    const start = (address: string, behave: () => Behaviour) =>
      startScriptedDns({ address, port, behave });
    const first = await start("127.0.0.1", () => REFUSED);
    const second = await start("127.0.0.2", () => ({ answers: [a("a.example", "192.0.2.7")] }));
    t.after(() => Promise.all([first.stop(), second.stop()]));
    const resolver = createNetworkResolver({
      resolvers: [`127.0.0.1:${port}`, `127.0.0.2:${port}`],
    });
    const reply = await resolver.resolve("a.example", "A", new AbortController().signal);
    assert.deepEqual(valuesOf(reply), ["192.0.2.7"]);
  });

  test("takes resolvers as addresses with or without a port, and refuses anything else", () => {
    for (const resolver of ["127.0.0.1", "127.0.0.1:53", "[::1]", "[::1]:53"]) {
      createNetworkResolver({ resolvers: [resolver] });
    }
    for (const resolver of ["", "::1", "127.0.0.1:", "dns.example", "127.0.0.1:99999", "[x]:53"]) {
      assert.throws(() => createNetworkResolver({ resolvers: [resolver] }), RangeError, resolver);
    }
  });

  test("sends one query for the same question asked many times at once", async (t) => {
    const setup = await scriptedResolver(t, (question) => ({
      ...answerFrom([a("a.example", "192.0.2.7")])(question),
      delayMs: 30,
    }));
    const replies = await Promise.all(
      Array.from({ length: 50 }, () => resolve(setup, "a.example")),
    );
    assert.ok(replies.every((reply) => reply.outcome === "records"));
    assert.equal(setup.server.seen.length, 1);
    await resolve(setup, "a.example");
    assert.equal(setup.server.seen.length, 2);
  });

  test("lets one of several askers leave without taking the answer from the others", async (t) => {
    const setup = await scriptedResolver(t, (question) => ({
      ...answerFrom([a("a.example", "192.0.2.7")])(question),
      delayMs: 50,
    }));
    const leaver = new AbortController();
    const left = setup.resolver.resolve("a.example", "A", leaver.signal);
    const stayed = resolve(setup, "a.example");
    leaver.abort(new Error("leaving"));
    await assert.rejects(left, /leaving/);
    assert.deepEqual(valuesOf(await stayed), ["192.0.2.7"]);
    assert.equal(setup.server.seen.length, 1);
  });

  test("never sends a name from the network that is not a valid name", async (t) => {
    const setup = await scriptedResolver(t, ({ name }) => ({
      answers: [cname(name, "a b.example")],
    }));
    assert.equal(valuesOf(await resolve(setup, "a.example")), "malformed");
    assert.equal(setup.server.seen.length, 1);
  });
});
