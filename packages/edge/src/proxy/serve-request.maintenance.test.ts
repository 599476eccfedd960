import assert from "node:assert/strict";
import { once } from "node:events";
import { connect as connectH2 } from "node:http2";
import { after, before, describe, it } from "node:test";
import { connectTo, parseStatus, readAll, request, roundTrip } from "@mooring/testing/edge/client";
import { startOrigin, type TestOrigin } from "@mooring/testing/edge/origin";
import { startTestEdge, type TestEdge } from "@mooring/testing/edge/test-edge";

const hostname = "shop.example";

describe("a name of a suspended tenant", () => {
  let edge: TestEdge;
  let origin: TestOrigin;
  let asked = 0;
  before(async () => {
    edge = await startTestEdge();
    origin = await startOrigin((_request, response) => {
      asked += 1;
      response.end("the shop");
    });
  });
  after(async () => {
    await edge.close();
    await origin.close();
  });

  const own = {
    error_page: "<h1>Pay here: {{title}}</h1>",
    response_headers: [{ action: "set", name: "x-own", value: "1" }],
  };
  const set = (isSuspended: boolean): void => {
    edge.hosts.set(hostname, { originUrl: origin.url, edge: own, isSuspended });
  };

  it("gets the maintenance page over HTTP/1.1, and nothing of the tenant", async () => {
    set(true);
    const before = asked;
    for (const method of ["GET", "POST", "DELETE"]) {
      const answer = await roundTrip(
        edge,
        hostname,
        `${method} /?<script>alert(1)</script> HTTP/1.1\r\nHost: ${hostname}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`,
      );
      assert.equal(parseStatus(answer), 503, answer);
      assert.match(answer, /\r\nretry-after: 3600\r\n/i);
      assert.match(answer, /\r\ncache-control: no-store\r\n/i);
      assert.match(answer, /<h1>Under maintenance<\/h1>\n<p>This site is not available at the/);
      assert.doesNotMatch(answer, /Pay here|x-own|script|suspend/i);
    }
    const head = await roundTrip(edge, hostname, request(hostname).replace("GET", "HEAD"));
    assert.equal(parseStatus(head), 503);
    assert.doesNotMatch(head, /Under maintenance/);
    assert.equal(asked, before, "no origin is asked");
  });

  it("gets it over HTTP/2, a gRPC client as the status of its call", async () => {
    set(true);
    const socket = await connectTo(edge, hostname, { ALPNProtocols: ["h2"] });
    const session = connectH2(`https://${hostname}`, { createConnection: () => socket });
    const page = session.request({ ":path": "/" });
    const [response] = await once(page, "response");
    let body = "";
    for await (const chunk of page) body += String(chunk);
    assert.deepEqual([response[":status"], response["retry-after"]], [503, "3600"]);
    assert.match(body, /Under maintenance/);
    const rpc = {
      ":method": "POST",
      ":path": "/shop.Cart/Add",
      "content-type": "application/grpc",
    };
    const grpc = session.request({ ...rpc, te: "trailers" }, { endStream: true });
    const [reply] = await once(grpc, "response");
    assert.deepEqual([reply[":status"], reply["grpc-status"]], [200, "14"]);
    assert.match(String(reply["grpc-message"]), /^This site is not available/);
    grpc.resume();
    session.destroy();
  });

  it("is served again on the same connection when the tenant is resumed", async () => {
    set(true);
    const socket = await connectTo(edge, hostname);
    const answers = readAll(socket);
    const [first] = await Promise.all([
      once(socket, "data"),
      socket.write(`GET / HTTP/1.1\r\nHost: ${hostname}\r\n\r\n`),
    ]);
    assert.match(String(first), /^HTTP\/1.1 503 /);
    set(false);
    socket.write(request(hostname));
    assert.match(await answers, /\r\nx-own: 1\r\n[\s\S]*the shop$/);
  });

  it("neither redirects nor hides the challenges of certificates", async () => {
    edge.hosts.set("www.example", {
      originUrl: origin.url,
      isSuspended: true,
      own: { redirectTo: hostname, originUrl: null, originHostHeader: null },
    });
    const answer = await roundTrip(edge, "www.example", request("www.example"));
    assert.equal(parseStatus(answer), 503, answer);
    edge.certificates.challenges.set("www.example/token", "token.thumbprint");
    const path = "/.well-known/acme-challenge/token";
    const challenge = `GET ${path} HTTP/1.1\r\nHost: www.example\r\nConnection: close\r\n\r\n`;
    assert.match(await roundTrip(edge, "www.example", challenge), /token\.thumbprint$/);
  });
});
