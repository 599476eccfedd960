import assert from "node:assert/strict";
import { get as httpGet, type IncomingMessage } from "node:http";
import { get as httpsGet } from "node:https";
import { describe, test } from "node:test";
import { createGuard } from "./guard.ts";
import { certificate, listenHttp, listenHttps } from "./test/loopback.ts";

const guard = createGuard({
  allow: ["127.0.0.0/8"],
  lookup: async () => ["127.0.0.1"],
  tls: { ca: certificate },
});

async function textOf(start: (onResponse: (response: IncomingMessage) => void) => void) {
  const response = await new Promise<IncomingMessage>(start);
  return Buffer.concat(await response.toArray()).toString();
}

describe("agents", () => {
  test("carry http and https requests over checked connections, one each", async () => {
    await using plain = await listenHttp((request, response) => response.end(request.headers.host));
    await using secure = await listenHttps((_, response) => response.end("secure"));
    for (let index = 0; index < 2; index += 1) {
      const url = `http://origin.example:${plain.port}/`;
      const host = await textOf((done) => httpGet(url, { agent: guard.agents.http }, done));
      assert.equal(host, `origin.example:${plain.port}`);
      const secureUrl = `https://origin.example:${secure.port}/`;
      const text = await textOf((done) => httpsGet(secureUrl, { agent: guard.agents.https }, done));
      assert.equal(text, "secure");
    }
    assert.deepEqual([plain.connects(), secure.connects()], [2, 2]);
  });

  test("verify the certificate whatever the request says", async () => {
    await using secure = await listenHttps((_, response) => response.end("secure"));
    const failed = new Promise((_, reject) => {
      const options = { agent: guard.agents.https, rejectUnauthorized: false };
      httpsGet(`https://other.example:${secure.port}/`, options).on("error", reject);
    });
    await assert.rejects(failed, { kind: "connect" });
  });

  test("refuse local sockets and ports of other services", async () => {
    const agent = guard.agents.http;
    for (const options of [
      { socketPath: "/run/some.sock" },
      { host: "origin.example", port: 25 },
    ]) {
      const failed = new Promise((_, reject) => httpGet({ ...options, agent }).on("error", reject));
      await assert.rejects(failed, { kind: "refused_url" });
    }
  });
});
