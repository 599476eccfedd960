import assert from "node:assert/strict";
import { once } from "node:events";
import { connect as connectH2 } from "node:http2";
import { after, before, beforeEach, describe, it } from "node:test";
import { connectTo, parseStatus, request, roundTrip } from "@mooring/testing/edge/client";
import { aliasLines } from "@mooring/testing/edge/http/smuggling-parts";
import { startOrigin, startRawOrigin, type TestOrigin } from "@mooring/testing/edge/origin";
import { startTestEdge, type TestEdge } from "@mooring/testing/edge/test-edge";

const spoofedFields = [
  "X-Forwarded-For: 6.6.6.6",
  "X-Forwarded-Proto: http",
  "X-Forwarded-Host: evil.example",
  "X-Forwarded-Port: 1",
  "X-Forwarded-Prefix: /admin",
  "X-Forwarded-Client-Cert: x",
  "X-Forwarded: 6.6.6.6",
  "Forwarded: for=6.6.6.6",
  "X-Real-IP: 6.6.6.6",
  "X-Client-IP: 6.6.6.6",
  "X-Cluster-Client-IP: 6.6.6.6",
  "True-Client-IP: 6.6.6.6",
  "CF-Connecting-IP: 6.6.6.6",
  "X-Original-URL: /admin",
  "X-Rewrite-URL: /admin",
  "X-Original-Host: evil.example",
  "Proxy: http://evil.example",
  "X-Svc-Assertion: forged",
  "X-Svc-Anything: forged",
];

describe("the headers that an origin sees", () => {
  let edge: TestEdge;
  let origin: TestOrigin;
  before(async () => {
    edge = await startTestEdge();
    origin = await startOrigin();
    edge.hosts.set("shop.example", { originUrl: origin.url });
  });
  after(async () => {
    await edge.close();
    await origin.close();
  });
  beforeEach(() => {
    origin.received.length = 0;
  });

  async function seenWith(lines: readonly string[], start?: string) {
    const answer = await roundTrip(edge, "shop.example", request("shop.example", start, lines));
    assert.equal(parseStatus(answer), 200, answer);
    const [received] = origin.received.splice(0);
    if (received === undefined) throw new Error("the origin saw nothing");
    return received;
  }

  const ownFields = {
    host: "shop.example",
    "x-forwarded-for": "127.0.0.1",
    "x-forwarded-proto": "https",
    "x-forwarded-host": "shop.example",
    "x-real-ip": "127.0.0.1",
    "x-svc-assertion": "assertion-for-shop.example",
    "x-svc-connection": "connection-of-shop-example",
    via: "1.1 mooring",
    "cdn-loop": "mooring",
  };

  it("name the client as the edge sees it, whatever the client sends", async () => {
    const { headers } = await seenWith(spoofedFields);
    assert.deepEqual(headers, ownFields);
    for (const line of spoofedFields) {
      assert.deepEqual((await seenWith([line])).headers, ownFields, line);
      assert.deepEqual((await seenWith([line.toUpperCase()])).headers, ownFields, line);
    }
  });

  it("cannot be taken away by naming them in Connection", async () => {
    const names = Object.keys(ownFields).join(", ");
    const { headers } = await seenWith([`Connection: ${names}`]);
    assert.deepEqual(headers, ownFields);
  });

  it("lack hop-by-hop fields", async () => {
    const { headers } = await seenWith([
      "Connection: X-Hop, keep-alive",
      "X-Hop: 1",
      "Keep-Alive: timeout=5",
      "Proxy-Connection: keep-alive",
      "Proxy-Authorization: Basic eA==",
      "Upgrade: h2c",
      "HTTP2-Settings: AAMAAABk",
      "TE: gzip",
    ]);
    assert.deepEqual(headers, ownFields);
  });

  it("pass the client's own fields on, in order and unchanged", async () => {
    const { headers, rawHeaders, url } = await seenWith(
      [
        "Cookie: a=1",
        "Accept: text/html",
        "X-Many: 1",
        "Authorization: Bearer t",
        "X-Many: 2",
        "X-Latin: \xe4\t\xf6",
      ],
      "GET /a/./b//c?d=%2F&e HTTP/1.1",
    );
    assert.equal(url, "/a/./b//c?d=%2F&e");
    assert.equal(headers["cookie"], "a=1");
    assert.equal(headers["authorization"], "Bearer t");
    assert.equal(headers["x-many"], "1, 2");
    assert.ok(rawHeaders.includes("accept"));
    const latin = headers["x-latin"];
    assert.ok(typeof latin === "string" && Buffer.from(latin, "latin1").length > 0);
  });

  it("accept trailers only when the client does", async () => {
    const { headers } = await seenWith(["TE: trailers, deflate;q=0.5"]);
    assert.equal(headers["te"], "trailers");
    assert.equal(headers["connection"], "TE");
  });

  it("add to the trace of other proxies", async () => {
    const { headers } = await seenWith(["Via: 1.0 other", "CDN-Loop: other; v=1"]);
    assert.equal(headers["via"], "1.0 other, 1.1 mooring");
    assert.equal(headers["cdn-loop"], "other; v=1, mooring");
  });

  it("name the origin's own host and path when it is set so", async () => {
    edge.hosts.set("own.example", {
      originUrl: `${origin.url}/base/`,
      originHostHeader: "origin",
    });
    const answer = await roundTrip(
      edge,
      "own.example",
      request("own.example", "GET /x?y HTTP/1.1"),
    );
    assert.equal(parseStatus(answer), 200);
    assert.equal(origin.received[0]?.headers.host, `127.0.0.1:${origin.port}`);
    assert.equal(origin.received[0]?.headers["x-forwarded-host"], "own.example");
    assert.equal(origin.received[0]?.url, "/base/x?y");
  });

  it("are the same from HTTP/2, with cookies in one field", async () => {
    const socket = await connectTo(edge, "shop.example", { ALPNProtocols: ["h2"] });
    const session = connectH2("https://shop.example", { createConnection: () => socket });
    const stream = session.request({
      ":path": "/h2",
      cookie: ["a=1", "b=2"],
      "x-forwarded-for": "6.6.6.6",
      "x-svc-assertion": "forged",
      "x-svc-connection": "forged",
    });
    await once(stream.resume(), "end");
    session.destroy();
    assert.deepEqual(origin.received[0]?.headers, {
      ...ownFields,
      cookie: "a=1; b=2",
      via: "2.0 mooring",
    });
  });

  it("keep names with other characters, but none that an origin could take for a trusted one", async () => {
    const harmless = { x_tenant_id: "1", "x.trace": "2", "build~id": "3", "!": "4" };
    const lines = Object.entries(harmless).map(([name, value]) => `${name}: ${value}`);
    const { headers } = await seenWith([...lines, ...aliasLines]);
    assert.deepEqual(headers, { ...ownFields, ...harmless });

    const socket = await connectTo(edge, "shop.example", { ALPNProtocols: ["h2"] });
    const session = connectH2("https://shop.example", { createConnection: () => socket });
    const aliases = {
      x_forwarded_for: "6.6.6.6",
      "x-svc.assertion": "forged",
      x_svc_connection: "forged",
      remote_user: "root",
    };
    const stream = session.request({ ":path": "/", ...harmless, ...aliases });
    await once(stream.resume(), "end");
    session.destroy();
    assert.deepEqual(origin.received[0]?.headers, {
      ...ownFields,
      ...harmless,
      // What HAProxy passes on, it does by HTTP/1.1.
      via: edge.ready === undefined ? "2.0 mooring" : "1.1 mooring",
    });
  });

  it("keep the port that the client named", async () => {
    const asked = request("SHOP.example:8443", "GET / HTTP/1.1");
    assert.equal(parseStatus(await roundTrip(edge, "shop.example", asked)), 200);
    assert.equal(origin.received[0]?.headers.host, "shop.example:8443");
    assert.equal(origin.received[0]?.headers["x-forwarded-host"], "shop.example:8443");
  });
});

describe("the headers that a client gets", () => {
  it("are the origin's, without hop-by-hop fields and Alt-Svc", async () => {
    const edge = await startTestEdge();
    const origin = await startRawOrigin((socket) => {
      socket.once("data", () =>
        socket.end(
          "HTTP/1.1 201 Made Up\r\nContent-Length: 2\r\nSet-Cookie: a=1\r\nSet-Cookie: b=2\r\n" +
            'Connection: close, X-Hop\r\nX-Hop: 1\r\nKeep-Alive: timeout=1\r\nAlt-Svc: h3=":443"\r\n' +
            "X-Svc-Assertion: leaked\r\nX_Odd.Name: passed\r\nProxy-Authenticate: Basic\r\n\r\nok",
        ),
      );
    });
    edge.hosts.set("shop.example", { originUrl: origin.url });
    const answer = await roundTrip(edge, "shop.example", request("shop.example"));
    const [head = "", body] = answer.split("\r\n\r\n");
    const [start, ...lines] = head.replace(/\r\ndate: [^\r]+ GMT/, "\r\ndate: now").split("\r\n");
    assert.deepEqual([start, body], ["HTTP/1.1 201 Made Up", "ok"]);
    const cookies = lines.filter((line) => line.startsWith("set-cookie"));
    assert.deepEqual(cookies, ["set-cookie: a=1", "set-cookie: b=2"]);
    // The order of different names has no meaning (RFC 9110 §5.3).
    assert.deepEqual(lines.sort(), [
      "connection: close",
      "content-length: 2",
      "date: now",
      "set-cookie: a=1",
      "set-cookie: b=2",
      "x_odd.name: passed",
    ]);
    await edge.close();
    await origin.close();
  });
});
