import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import {
  connectPlain,
  parseStatus,
  readAll,
  request,
  roundTrip,
} from "@mooring/testing/edge/client";
import { startOrigin, type TestOrigin } from "@mooring/testing/edge/origin";
import { startTestEdge, type TestEdge } from "@mooring/testing/edge/test-edge";

describe("the port without TLS", () => {
  let edge: TestEdge;
  let origin: TestOrigin;
  before(async () => {
    edge = await startTestEdge();
    origin = await startOrigin();
    edge.hosts.set("a.example", { originUrl: origin.url });
    edge.certificates.challenges.set("a.example/token-1", "token-1.thumbprint");
    edge.certificates.challenges.set("soon.example/token-2", "token-2.thumbprint");
  });
  after(async () => {
    assert.equal(origin.connections(), 0);
    await edge.close();
    await origin.close();
  });

  async function ask(text: string): Promise<string> {
    const socket = await connectPlain(edge.httpPort);
    const answer = readAll(socket);
    socket.write(text);
    return await answer;
  }

  function locationOf(answer: string): string | undefined {
    return /\r\nlocation: (.*)\r\n/.exec(answer)?.[1];
  }

  it("redirects to https with the same method, path and query", async () => {
    for (const method of ["GET", "POST", "HEAD", "PATCH"]) {
      const answer = await ask(request("A.example", `${method} /a?b=c HTTP/1.1`));
      assert.equal(parseStatus(answer), 308);
      assert.equal(locationOf(answer), "https://a.example/a?b=c");
      assert.doesNotMatch(answer, /strict-transport-security/i);
    }
    const old = await ask(request("a.example:80", "GET / HTTP/1.0"));
    assert.equal(locationOf(old), "https://a.example/");
  });

  it("names the https port in redirects of requests with a port", async () => {
    const answer = await ask(request(`a.example:${edge.httpPort}`));
    assert.equal(locationOf(answer), `https://a.example:${edge.httpsPort}/`);
  });

  it("redirects to known names only", async () => {
    for (const host of ["unknown.example", "evil.example"]) {
      const answer = await ask(request(host));
      assert.equal(parseStatus(answer), 421);
      assert.match(answer, /<h1>Not connected<\/h1>/);
    }
    assert.equal(parseStatus(await ask(request("a.example@evil.example"))), 400);
    const slashes = await ask(request("a.example", "GET //evil.example/ HTTP/1.1"));
    assert.equal(locationOf(slashes), "https://a.example//evil.example/");
  });

  it("answers open challenges of any name", async () => {
    const path = "/.well-known/acme-challenge";
    const answer = await ask(request("a.example", `GET ${path}/token-1 HTTP/1.1`));
    assert.equal(parseStatus(answer), 200);
    assert.match(answer, /\r\n\r\ntoken-1\.thumbprint$/);
    assert.match(await ask(request("soon.example", `GET ${path}/token-2 HTTP/1.1`)), /thumbprint$/);
    for (const token of ["token-2", "", "..%2f", "a/b", "x".repeat(200)]) {
      assert.equal(
        parseStatus(await ask(request("a.example", `GET ${path}/${token} HTTP/1.1`))),
        404,
      );
    }
  });

  it("and the TLS port answer probes of known names, for no cache and with nothing else", async () => {
    const nonce = "0123456789abcdef0123456789abcdef";
    const start = (method: string, path: string) => `${method} /.well-known/${path} HTTP/1.1`;
    for (const path of [`mooring-probe/${nonce}`, `acme-challenge/mooring-probe-${nonce}`]) {
      const plain = await ask(request("A.example", start("GET", path)));
      const secured = await roundTrip(edge, "a.example", request("a.example", start("GET", path)));
      for (const [answer, listener] of [
        [plain, "http"],
        [secured, "https"],
      ] as const) {
        assert.equal(parseStatus(answer), 200);
        assert.match(answer, /\r\ncache-control: no-store\r\n/);
        assert.ok(answer.endsWith(`\r\n\r\n${nonce} a.example ${listener}`), answer);
        assert.doesNotMatch(answer, /\r\n(?:server|via|x-[a-z-]+|location):/i);
      }
    }
    const probe = `mooring-probe/${nonce}`;
    const head = await ask(request("a.example", start("HEAD", probe)));
    assert.ok(parseStatus(head) === 200 && head.endsWith("\r\n\r\n"), head);
    const unknown = await ask(request("unknown.example", start("GET", probe)));
    assert.equal(parseStatus(unknown), 421);
    const posted = await ask(request("a.example", start("POST", probe)));
    assert.equal(parseStatus(posted), 308);
    const other = await ask(request("a.example", start("GET", `${probe}0`)));
    assert.equal(parseStatus(other), 308);
  });

  it("and the TLS port answer with the token of the connection that has the name, or may get it", async () => {
    const own = "01a1ed14-0e0d-7057-a527-aeb1dbd838c4";
    const other = "01a1ed14-0e0d-7057-a527-aeb1dbd838c5";
    const path = "/.well-known/cf-custom-hostname-challenge";
    const start = (id: string, method = "GET") => `${method} ${path}/${id} HTTP/1.1`;
    edge.hosts.set("token.example", { originUrl: origin.url, connectionId: own });
    const plain = await ask(request("token.example", start(own)));
    const secured = await roundTrip(edge, "token.example", request("token.example", start(own)));
    for (const answer of [plain, secured]) {
      assert.equal(parseStatus(answer), 200);
      assert.ok(answer.endsWith(`\r\n\r\ntoken of token.example ${own}`), answer);
    }
    const soon = await ask(request("soon.example", start(own)));
    assert.ok(soon.endsWith(`token of soon.example ${own}`), soon);
    assert.equal(parseStatus(await ask(request("token.example", start(other)))), 308);
    assert.equal(parseStatus(await ask(request("token.example", start(own, "POST")))), 308);
    const vendors = "0d89c70d-ad9f-4843-b99f-6cc0252067e9";
    assert.equal(parseStatus(await ask(request("soon.example", start(vendors)))), 421);
  });

  it("and the TLS port never forward challenges to an origin", async () => {
    const start = "GET /.well-known/acme-challenge/other HTTP/1.1";
    assert.equal(parseStatus(await roundTrip(edge, "a.example", request("a.example", start))), 404);
    const known = "GET /.well-known/acme-challenge/token-1?x HTTP/1.1";
    assert.match(await roundTrip(edge, "a.example", request("a.example", known)), /thumbprint$/);
  });

  it("serves pipelined requests on one connection", async () => {
    const get = "GET /x HTTP/1.1\r\nHost: a.example\r\n\r\n";
    const answer = await ask(get + get + request("a.example"));
    assert.equal(answer.match(/HTTP\/1\.1 308/g)?.length, 3);
  });
});
