import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { after, before, describe, it } from "node:test";
import { createGuard, type EgressRequest } from "@mooring/egress";
import { until } from "@mooring/testing/processes/until";
import { parseBootstrap } from "../../domain/registrations/bootstrap.ts";
import { askRegistry } from "./rdap-client.ts";

describe("a question to a registry", () => {
  let server: Server;
  let url: string;
  let listener: RequestListener = (_, response) => void response.end();
  before(async () => {
    server = createServer((request, response) => listener(request, response));
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  });
  after(() => {
    server.closeAllConnections();
    server.close();
  });

  const loopback = createGuard({ allowPrivate: "loopback" });
  const never = new AbortController().signal;
  const now = new Date("2026-11-18T09:00:00Z");
  const bootstrap = () =>
    parseBootstrap(
      JSON.stringify({
        version: "1.0",
        publication: "2026-01-01T00:00:00Z",
        services: [[["test"], [url]]],
      }),
    );
  const ask = (egress: Parameters<typeof askRegistry>[0] = loopback, timeoutMs?: number) =>
    askRegistry(egress, bootstrap(), { server: url, domain: "acme.test", now }, never, timeoutMs);

  it("is one request for JSON of any kind, with its limits", async () => {
    const sent: [string, EgressRequest][] = [];
    await ask({
      request: (to, options = {}) => {
        sent.push([String(to), options]);
        return loopback.request(to, options);
      },
    });
    const [[to, { headers, maxBytes, totalTimeoutMs }] = ["", {}]] = sent;
    assert.equal(to, `${url}domain/acme.test`);
    assert.match(headers?.["accept"] ?? "", /^application\/rdap\+json, application\/json/);
    assert.deepEqual([sent.length, maxBytes, totalTimeoutMs], [1, 262_144, 5_000]);
  });

  it("ends when its time is over, also when the body drips", async () => {
    let isClosed = false;
    listener = (request, response) => {
      response.writeHead(200, { "content-type": "application/rdap+json" });
      const drip = setInterval(() => response.write(" "), 10);
      request.socket.on("close", () => {
        clearInterval(drip);
        isClosed = true;
      });
    };
    assert.deepEqual(await ask(loopback, 150), { kind: "failed", reason: "timeout" });
    await until(() => isClosed, "the end of the connection");
  });

  it("ends when its time is over, also in the middle of redirects", async () => {
    let hops = 0;
    listener = ({ url: path = "" }, response) => {
      hops += 1;
      if (hops === 1) response.writeHead(302, { location: path }).end();
    };
    assert.deepEqual(await ask(loopback, 150), { kind: "failed", reason: "timeout" });
    assert.equal(hops, 2);
  });

  it("reaches no private address, whatever the file names", async () => {
    let isAsked = false;
    listener = (_, response) => {
      isAsked = true;
      response.end();
    };
    assert.deepEqual(await ask(createGuard()), { kind: "failed", reason: "refused_address" });
    assert.equal(isAsked, false);
  });

  it("knows when the registry asks to wait", async () => {
    const answer = async (status: number, headers: Record<string, string> = {}) => {
      listener = (_, response) => void response.writeHead(status, headers).end();
      return ask();
    };
    const { host } = new URL(url);
    const limited = (retryAfterMs: number | null) => ({ kind: "limited", host, retryAfterMs });
    assert.deepEqual(await answer(429), limited(null));
    assert.deepEqual(await answer(429, { "retry-after": "60" }), limited(60_000));
    const date = { "retry-after": "Wed, 18 Nov 2026 10:00:00 GMT" };
    assert.deepEqual(await answer(503, date), limited(3_600_000));
    assert.deepEqual(await answer(503), { kind: "failed", reason: "status 503" });
    assert.deepEqual(await answer(404), { kind: "unknown" });
    assert.deepEqual(await answer(302), { kind: "failed", reason: "redirect refused" });
  });

  it("is ended by its caller with the caller's reason", async () => {
    const caller = new AbortController();
    listener = () => caller.abort(new Error("stopping"));
    const question = { server: url, domain: "acme.test", now };
    await assert.rejects(askRegistry(loopback, bootstrap(), question, caller.signal), /stopping/);
  });
});
