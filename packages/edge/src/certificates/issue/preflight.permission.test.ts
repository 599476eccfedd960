import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { after, before, describe, it } from "node:test";
import { createPermission } from "./preflight.ts";

describe("permission", () => {
  const asked: string[] = [];
  let answer = (_request: IncomingMessage, response: ServerResponse): void => void response.end();
  const server = createServer((request, response) => {
    asked.push(request.url ?? "");
    answer(request, response);
  });
  let url = "";
  before(async () => {
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/internal/ask`;
  });
  after(() => {
    server.closeAllConnections();
    server.close();
  });

  const ask = (signal = new AbortController().signal): Promise<boolean> =>
    createPermission(url, fetch).isAllowed("shop.acme.example", signal);
  const reply = (status: number, body: string, headers: Record<string, string> = {}) => {
    answer = (_request, response) => void response.writeHead(status, headers).end(body);
  };

  it("is given by a clear yes to exactly this name", async () => {
    reply(200, '{"allow":true}');
    assert.equal(await ask(), true);
    assert.equal(asked.at(-1), "/internal/ask?domain=shop.acme.example");
  });

  const refusals: readonly (readonly [string, number, string])[] = [
    ["a no", 200, '{"allow":false}'],
    ["a yes as text", 200, '{"allow":"true"}'],
    ["a yes as a number", 200, '{"allow":1}'],
    ["an empty object", 200, "{}"],
    ["an array", 200, "[true]"],
    ["a bare true", 200, "true"],
    ["null", 200, "null"],
    ["no body", 200, ""],
    ["something that is not JSON", 200, "<h1>ok</h1>"],
    ["a yes with another success", 201, '{"allow":true}'],
    ["a yes with a refusal", 403, '{"allow":true}'],
    ["a yes with a fault", 500, '{"allow":true}'],
  ];
  for (const [what, status, body] of refusals) {
    it(`is not given by ${what}`, async () => {
      reply(status, body);
      assert.equal(await ask(), false);
    });
  }

  it("is not given by a redirect, even to a yes", async () => {
    answer = (request, response) => {
      if (request.url?.startsWith("/yes")) response.end('{"allow":true}');
      else response.writeHead(302, { location: "/yes" }).end();
    };
    assert.equal(await ask(), false);
    assert.ok(!asked.includes("/yes"), "it is not even followed");
  });

  it("is not given by a connection that breaks", async () => {
    answer = (request) => void request.socket.destroy();
    assert.equal(await ask(), false);
  });

  it("is not given when the caller aborts", async () => {
    const leaving = new AbortController();
    answer = () => leaving.abort();
    assert.equal(await ask(leaving.signal), false);
  });
});
