import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, it, type TestContext } from "node:test";
import { answerProbe, askProbe, deriveProbeKey, readProbeNonce } from "./edge-probe.ts";
import { createGuard } from "./guard.ts";

const key = deriveProbeKey(Buffer.alloc(32, 1));
const hostname = "shop.acme.example";
const now = new Date("2026-11-18T12:00:30Z");

describe("the probe of an edge", () => {
  it("recognises an edge by its answer, and the port at which it was asked", async (t) => {
    for (const listener of ["http", "https"] as const) {
      const reply = await ask(t, (request, response) => {
        const nonce = readProbeNonce(request.url ?? "") ?? "";
        response.end(answerProbe(key, { nonce, hostname, listener }, now));
      });
      assert.deepEqual([reply.outcome, reply.listener], ["ours", listener]);
    }
  });

  it("believes no answer of another key, name, nonce or time, and calls it stale", async (t) => {
    const good = { nonce: "", hostname, listener: "http" } as const;
    const later = (minutes: number) => new Date(now.getTime() + minutes * 60_000);
    const answers: readonly ((nonce: string) => string)[] = [
      (nonce) => answerProbe(deriveProbeKey(Buffer.alloc(32, 2)), { ...good, nonce }, now),
      (nonce) => answerProbe(key, { ...good, nonce, hostname: "shop.other.example" }, now),
      () => answerProbe(key, { ...good, nonce: "0".repeat(32) }, now),
      (nonce) => answerProbe(key, { ...good, nonce }, later(-2)),
      (nonce) => answerProbe(key, { ...good, nonce }, later(2)),
    ];
    for (const answer of answers) {
      const reply = await ask(t, (request, response) => {
        response.end(answer(readProbeNonce(request.url ?? "") ?? ""));
      });
      assert.deepEqual([reply.outcome, reply.listener], ["stale", null]);
    }
    const skewed = await ask(t, (request, response) => {
      const nonce = readProbeNonce(request.url ?? "") ?? "";
      response.end(answerProbe(key, { ...good, nonce }, later(1)));
    });
    assert.equal(skewed.outcome, "ours");
  });

  it("tells what else answered, and reads little of it", async (t) => {
    const cases = [
      [200, "redirected to a page of somebody else".repeat(10_000), "other"],
      [404, "", "other"],
      [301, "", "redirect"],
      [403, "", "blocked"],
      [429, "", "blocked"],
      [522, "", "failed"],
    ] as const;
    for (const [status, body, outcome] of cases) {
      const reply = await ask(t, (_request, response) => {
        response.writeHead(status).end(body);
      });
      assert.deepEqual([reply.outcome, reply.status], [outcome, status]);
    }
  });

  it("sees that a cache has the answer", async (t) => {
    const cached: readonly (readonly [name: string, value: string, isCached: boolean])[] = [
      ["age", "12", true],
      ["age", "0", false],
      ["cf-cache-status", "MISS", true],
      ["cf-cache-status", "DYNAMIC", false],
      ["cf-cache-status", "BYPASS", false],
      ["x-cache", "MISS, HIT", true],
    ];
    for (const [name, value, isCached] of cached) {
      const reply = await ask(t, (_request, response) => {
        response.setHeader(name, value).writeHead(404).end();
      });
      assert.equal(reply.isCached, isCached, `${name}: ${value}`);
    }
  });

  it("fails where nobody answers, and where the guard permits nothing", async (t) => {
    const signal = new AbortController().signal;
    const reply = await ask(t, (request) => request.socket.destroy());
    assert.deepEqual([reply.outcome, reply.status], ["failed", null]);
    const target = { hostname, scheme: "http", port: 80, path: "probe", keys: [key], now } as const;
    const { dial } = createGuard();
    for (const addresses of [[], ["127.0.0.1", "169.254.169.254"]]) {
      assert.equal((await askProbe(dial, { ...target, addresses }, signal)).outcome, "failed");
    }
  });

  it("reads the nonce of a question, at both paths, and nothing else", () => {
    const nonce = "0123456789abcdef0123456789abcdef";
    assert.equal(readProbeNonce(`/.well-known/mooring-probe/${nonce}`), nonce);
    assert.equal(readProbeNonce(`/.well-known/mooring-probe/${nonce}?x=1`), nonce);
    assert.equal(readProbeNonce(`/.well-known/acme-challenge/mooring-probe-${nonce}`), nonce);
    for (const target of ["/", "*", `/${nonce}`, `/.well-known/mooring-probe/${nonce}0`]) {
      assert.equal(readProbeNonce(target), null, target);
    }
  });
});

async function ask(t: TestContext, handle: RequestListener) {
  const server = createServer(handle).listen(0, "127.0.0.1");
  t.after(() => server.close());
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const { dial } = createGuard({ allow: ["127.0.0.1/32"] });
  const where = { addresses: ["127.0.0.1"], scheme: "http", port, path: "probe" } as const;
  const target = { hostname, keys: [key], now, ...where };
  return await askProbe(dial, target, new AbortController().signal);
}
