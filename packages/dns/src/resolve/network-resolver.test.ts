import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { type Behaviour, REFUSED, SERVFAIL, SILENCE } from "@mooring/testing/dns/scripted-dns";
import {
  type ScriptedResolver,
  scriptedResolver,
  valuesOf,
} from "@mooring/testing/dns/scripted-resolver";
import { a, answerFrom, cname, ns, soaRecord, txt } from "@mooring/testing/dns/scripted-zone";
import { until } from "@mooring/testing/processes/until";
import { createNetworkResolver } from "./network-resolver.ts";
import type { NameServer, Reply } from "./resolver.ts";

const challengeName = "_service-challenge.shop.acme.example";
const nameServer: NameServer = { host: "ns1.acme.example", addresses: ["127.0.0.1"] };
const genuineAnswer = answerFrom([txt(challengeName, "genuine")])({
  name: challengeName,
  type: "TXT",
});
const forgedAnswer = answerFrom([txt(challengeName, "forged")])({
  name: challengeName,
  type: "TXT",
});

/** For tests in which silence is the point. */
const shortLimits = { attemptTimeoutMs: 100, udpAttempts: 1 };

function ask(
  { resolver }: ScriptedResolver,
  transport: "udp" | "tcp",
  signal: AbortSignal = new AbortController().signal,
): Promise<Reply> {
  return resolver.askServer(nameServer, challengeName, "TXT", { signal, transport });
}

describe("askServer", () => {
  for (const mangle of [
    "id",
    "question_name",
    "question_type",
    "opcode",
    "not_a_response",
    "garbage",
    "other_source_port",
  ] as const) {
    test(`ignores a UDP packet with a wrong ${mangle} and waits for the right one`, async (t) => {
      const setup = await scriptedResolver(t, () => ({
        ...forgedAnswer,
        mangle,
        next: { ...genuineAnswer, delayMs: 20 },
      }));
      assert.deepEqual(valuesOf(await ask(setup, "udp")), ["genuine"]);
      assert.equal(setup.server.seen.length, 1);
    });

    test(`never believes a wrong ${mangle}, even when nothing else comes`, async (t) => {
      const setup = await scriptedResolver(t, () => ({ ...forgedAnswer, mangle }), {
        tcp: "refused",
        limits: shortLimits,
      });
      assert.equal(valuesOf(await ask(setup, "tcp")), "timeout");
    });
  }

  test("ignores unrelated messages on a TCP connection too, but not without end", async (t) => {
    const patient = await scriptedResolver(t, () => ({
      ...forgedAnswer,
      mangle: "id",
      next: { ...forgedAnswer, mangle: "question_name", next: genuineAnswer },
    }));
    assert.deepEqual(valuesOf(await ask(patient, "tcp")), ["genuine"]);
    const big = {
      answers: Array.from({ length: 200 }, (_, n) => txt(challengeName, `${n}${"x".repeat(250)}`)),
    };
    const flood = Array.from({ length: 8 }).reduce<Behaviour>(
      (next) => ({ ...big, mangle: "id", next }),
      SILENCE,
    );
    const flooded = await scriptedResolver(t, () => flood);
    assert.equal(valuesOf(await ask(flooded, "tcp")), "unreachable");
  });

  test("asks by TCP when a UDP answer has lost the letter case", async (t) => {
    const setup = await scriptedResolver(t, ({ transport }) =>
      transport === "udp" ? { ...forgedAnswer, mangle: "question_case" } : genuineAnswer,
    );
    const reply = await ask(setup, "udp");
    assert.deepEqual(valuesOf(reply), ["genuine"]);
    assert.ok(reply.outcome === "records" && reply.transport === "tcp");
  });

  test("counts only records on the owner-name chain, whatever else the message holds", async (t) => {
    const setup = await scriptedResolver(t, () => ({
      answers: [txt("evil.example", "forged"), a(challengeName, "192.0.2.1")],
      additionals: [txt(challengeName, "forged")],
      authorities: [soaRecord("acme.example")],
    }));
    assert.equal(valuesOf(await ask(setup, "tcp")), "NOERROR");
  });

  test("repeats a truncated answer by TCP and gives the same records", async (t) => {
    const setup = await scriptedResolver(t, ({ transport }) =>
      transport === "udp" ? { truncated: true } : genuineAnswer,
    );
    assert.deepEqual(valuesOf(await ask(setup, "udp")), ["genuine"]);
    assert.deepEqual(
      setup.server.seen.map(({ transport }) => transport),
      ["udp", "tcp"],
    );
  });

  test("asks a proof by TCP alone, closes the connection, and recursion stays off", async (t) => {
    const setup = await scriptedResolver(t, () => genuineAnswer);
    assert.deepEqual(valuesOf(await ask(setup, "tcp")), ["genuine"]);
    assert.deepEqual(
      setup.server.seen.map(({ transport }) => transport),
      ["tcp"],
    );
    assert.equal(setup.server.seen[0]?.recursionDesired, false);
    await until(() => setup.server.openConnections() === 0);
  });

  test("falls back to UDP where TCP is refused, but not where it is silent", async (t) => {
    const refusing = await scriptedResolver(t, () => genuineAnswer, { tcp: "refused" });
    assert.deepEqual(valuesOf(await ask(refusing, "tcp")), ["genuine"]);
    const silent = await scriptedResolver(t, () => genuineAnswer, {
      tcp: "silent",
      limits: shortLimits,
    });
    assert.equal(valuesOf(await ask(silent, "tcp")), "timeout");
    assert.equal(silent.server.seen.length, 0);
  });

  test("asks again without EDNS where the server does not know it", async (t) => {
    const setup = await scriptedResolver(t, ({ hasEdns }) =>
      hasEdns ? { rcode: 1, mangle: "no_question" } : genuineAnswer,
    );
    assert.deepEqual(valuesOf(await ask(setup, "udp")), ["genuine"]);
  });

  const failures: readonly (readonly [string, Behaviour])[] = [
    ["servfail", SERVFAIL],
    ["refused", REFUSED],
    ["timeout", SILENCE],
    ["malformed", { ...genuineAnswer, mangle: "cut_short" }],
    ["malformed", { ...genuineAnswer, truncated: true }],
    ["malformed", { ...genuineAnswer, rcode: 3 }],
    ["lame", { ...genuineAnswer, authoritative: false }],
    ["lame", { authoritative: false, authorities: [ns("acme.example", "ns.other.example")] }],
    ["lame", { rcode: 9 }],
  ];
  for (const [reason, behaviour] of failures) {
    test(`says ${reason}, never "absent", for ${JSON.stringify(behaviour).slice(0, 60)}`, async (t) => {
      const setup = await scriptedResolver(
        t,
        () => behaviour,
        reason === "timeout" ? { limits: shortLimits } : {},
      );
      assert.equal(valuesOf(await ask(setup, "udp")), reason);
      assert.equal(valuesOf(await ask(setup, "tcp")), reason);
    });
  }

  test("says unreachable when nothing listens or no address is permitted", async (t) => {
    const setup = await scriptedResolver(t, () => genuineAnswer);
    const signal = new AbortController().signal;
    const unused = { host: "ns9.acme.example", addresses: ["127.0.0.9"] };
    const asked = await setup.resolver.askServer(unused, challengeName, "TXT", {
      signal,
      transport: "tcp",
    });
    assert.equal(valuesOf(asked), "unreachable");
    const choosy = createNetworkResolver({
      resolvers: [],
      authoritativePort: setup.server.port,
      permitAddress: () => false,
    });
    const refused = await choosy.askServer(nameServer, challengeName, "TXT", {
      signal,
      transport: "tcp",
    });
    assert.equal(valuesOf(refused), "unreachable");
    assert.equal(setup.server.seen.length, 0);
  });

  test("never sends a name that is not canonical", async (t) => {
    const setup = await scriptedResolver(t, () => genuineAnswer);
    const { signal } = new AbortController();
    for (const name of ["Shop.acme.example", "a b.example", `${"a".repeat(64)}.example`]) {
      const reply = await setup.resolver.askServer(nameServer, name, "A", {
        signal,
        transport: "udp",
      });
      assert.equal(valuesOf(reply), "malformed");
    }
    assert.equal(setup.server.seen.length, 0);
  });

  test("continues with a server's next address when the first does not answer", async (t) => {
    const setup = await scriptedResolver(t, () => genuineAnswer);
    const both = { host: "ns1.acme.example", addresses: ["127.0.0.9", "127.0.0.1"] };
    const { signal } = new AbortController();
    const reply = await setup.resolver.askServer(both, challengeName, "TXT", {
      signal,
      transport: "udp",
    });
    assert.deepEqual(valuesOf(reply), ["genuine"]);
  });

  test("returns the SOA's negative TTL and a CNAME that leads away as its chain", async (t) => {
    const setup = await scriptedResolver(t, ({ type }) =>
      type === "TXT"
        ? { rcode: 3, authorities: [soaRecord("acme.example", 600, 45)] }
        : { answers: [cname(challengeName, "edge.other.example")] },
    );
    const absent = await ask(setup, "udp");
    assert.ok(absent.outcome === "absent");
    assert.deepEqual([absent.rcode, absent.negativeTtlSeconds], ["NXDOMAIN", 45]);
    const { signal } = new AbortController();
    const away = await setup.resolver.askServer(nameServer, challengeName, "A", {
      signal,
      transport: "udp",
    });
    assert.ok(away.outcome === "absent");
    assert.deepEqual(away.chain, ["edge.other.example"]);
  });

  test("ends at once, with the caller's reason, when aborted", async (t) => {
    const setup = await scriptedResolver(t, () => SILENCE, {
      limits: { attemptTimeoutMs: 60_000 },
    });
    for (const transport of ["udp", "tcp"] as const) {
      const controller = new AbortController();
      const asked = ask(setup, transport, controller.signal);
      const before = setup.server.seen.length;
      await until(() => setup.server.seen.length > before);
      const reason = new Error("no longer wanted");
      controller.abort(reason);
      await assert.rejects(asked, reason);
    }
    await until(() => setup.server.openConnections() === 0);
    await assert.rejects(ask(setup, "udp", AbortSignal.abort(new Error("too late"))), /too late/);
  });
});
