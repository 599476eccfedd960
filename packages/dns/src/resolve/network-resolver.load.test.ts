import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { SILENCE, startScriptedDns } from "@mooring/testing/dns/scripted-dns";
import { scriptedResolver } from "@mooring/testing/dns/scripted-resolver";
import { a, answerFrom } from "@mooring/testing/dns/scripted-zone";
import { freePort } from "@mooring/testing/processes/free-port";
import { proofSize } from "@mooring/testing/processes/proof-size";
import { createNetworkResolver } from "./network-resolver.ts";

const questionCount = proofSize(1_000, 5_000);
const unlimited = { ratePerSecond: 1_000_000, burst: 1_000_000, maxInFlight: 1_000_000 };

describe("many queries at once", () => {
  test(`${questionCount} different questions are all answered over a bounded number of sockets`, async (t) => {
    const sockets = { peak: 0 };
    const { resolver } = await scriptedResolver(
      t,
      (question) => {
        const open = process.getActiveResourcesInfo().filter((kind) => kind === "UDPWrap");
        sockets.peak = Math.max(sockets.peak, open.length);
        return answerFrom([a(question.name, "192.0.2.1")])(question);
      },
      { limits: { maxInFlight: 64, recursive: unlimited, callTimeoutMs: 60_000 } },
    );
    const { signal } = new AbortController();
    const asked = Array.from({ length: questionCount }, (_, index) =>
      resolver.resolve(`n${index}.example`, "A", signal),
    );
    const replies = await Promise.all(asked);
    assert.ok(replies.every((reply) => reply.outcome === "records"));
    // A socket that is being closed is still listed for a tick of the event loop.
    assert.ok(sockets.peak > 2 && sockets.peak <= 2 * 64, `${sockets.peak} sockets`);
  });

  test("a server that stays silent under 1,000 checks delays only its own", async (t) => {
    const port = await freePort();
    const silent = await startScriptedDns({ address: "127.0.0.1", port, behave: () => SILENCE });
    const healthy = await startScriptedDns({
      address: "127.0.0.2",
      port,
      behave: (question) => answerFrom([a(question.name, "192.0.2.1")])(question),
    });
    t.after(() => Promise.all([silent.stop(), healthy.stop()]));
    const resolver = createNetworkResolver({
      resolvers: [],
      authoritativePort: port,
      limits: {
        maxInFlight: 32,
        authoritative: { ...unlimited, maxInFlight: 16 },
        // Silence ends by the abort below and not before, however long the others take.
        attemptTimeoutMs: 60_000,
        callTimeoutMs: 60_000,
      },
    });
    const controller = new AbortController();
    const ask = (address: string, name: string) =>
      resolver.askServer({ host: address, addresses: [address] }, name, "A", {
        signal: controller.signal,
        transport: "udp",
      });
    const stuck = Array.from({ length: 1_000 }, (_, index) =>
      ask("127.0.0.1", `s${index}.example`),
    );
    const served = Array.from({ length: 200 }, (_, index) => ask("127.0.0.2", `h${index}.example`));
    const replies = await Promise.all(served);
    assert.ok(replies.every((reply) => reply.outcome === "records"));
    assert.ok(silent.seen.length <= 32, `${silent.seen.length} reached the silent server`);
    controller.abort(new Error("enough"));
    const ends = await Promise.allSettled(stuck);
    assert.ok(ends.every((end) => end.status === "rejected"));
  });

  test("a call ends by its own budget, as unknown and not as an error", async (t) => {
    const { resolver } = await scriptedResolver(t, () => SILENCE, {
      limits: { attemptTimeoutMs: 60_000, callTimeoutMs: 50 },
    });
    const reply = await resolver.resolve("a.example", "A", new AbortController().signal);
    assert.deepEqual(reply, { outcome: "failed", reason: "timeout" });
  });
});
