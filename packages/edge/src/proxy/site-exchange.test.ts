import assert from "node:assert/strict";
import type { ServerResponse } from "node:http";
import { after, before, describe, it } from "node:test";
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from "node:zlib";
import {
  connectTo,
  parseStatus,
  readUntil,
  request,
  roundTrip,
} from "@mooring/testing/edge/client";
import { startOrigin, type TestOrigin } from "@mooring/testing/edge/origin";
import { startTestEdge, type TestEdge } from "@mooring/testing/edge/test-edge";

const page = "<p>compressible</p>".repeat(500);

/** By the last segment of the path; others get the page. */
const answers: Readonly<Record<string, (response: ServerResponse) => void>> = {
  small: (response) => void response.end("small"),
  "not-modified": (response) => void response.writeHead(304).end(),
  events(response) {
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.write("data: first\n\n");
  },
};

describe("a response under the settings of its application", () => {
  let edge: TestEdge;
  let origin: TestOrigin;
  before(async () => {
    edge = await startTestEdge();
    origin = await startOrigin((incoming, response) => {
      const { pathname, searchParams } = new URL(incoming.url ?? "", "http://origin");
      for (const [name, value] of searchParams) response.appendHeader(name, value);
      const special = answers[pathname.split("/").at(-1) ?? ""];
      if (special !== undefined) special(response);
      else response.end(page);
    });
  });
  after(async () => {
    await edge.close();
    await origin.close();
  });

  const serve = (settings: object, more: object = {}): void => {
    edge.hosts.set("shop.example", { originUrl: origin.url, edge: settings, ...more });
  };
  const get = (target: string, lines: readonly string[] = [], method = "GET"): Promise<string> =>
    roundTrip(edge, "shop.example", request("shop.example", `${method} ${target} HTTP/1.1`, lines));
  const valuesOf = (answer: string, name: string): string[] =>
    [...(answer.split("\r\n\r\n")[0] ?? "").matchAll(new RegExp(`^${name}: (.*)$`, "gim"))].map(
      ([, value = ""]) => value.trim(),
    );

  it("has the header fields that the rules add, set and remove, in their order", async () => {
    serve({
      response_headers: [
        { action: "remove", name: "X-Powered-By" },
        { action: "set", name: "X-Frame-Options", value: "DENY" },
        { action: "add", name: "Set-Cookie", value: "b=2" },
        { action: "set", name: "x-order", value: "1" },
        { action: "set", name: "x-order", value: "2" },
      ],
    });
    const answer = await get("/?x-powered-by=PHP&x-frame-options=ALLOW&set-cookie=a%3D1");
    assert.deepEqual(valuesOf(answer, "x-powered-by"), []);
    assert.deepEqual(valuesOf(answer, "x-frame-options"), ["DENY"]);
    assert.deepEqual(valuesOf(answer, "set-cookie"), ["a=1", "b=2"]);
    assert.deepEqual(valuesOf(answer, "x-order"), ["2"]);
  });

  it("promises HTTPS where that is set, in place of the origin, also on error pages", async () => {
    serve({});
    assert.deepEqual(valuesOf(await get("/"), "strict-transport-security"), []);
    serve({ hsts: { max_age: 60, include_subdomains: true, preload: false } });
    const answer = await get("/?strict-transport-security=max-age%3D1");
    const promised = ["max-age=60; includeSubDomains"];
    assert.deepEqual(valuesOf(answer, "strict-transport-security"), promised);
    serve({ hsts: { max_age: 60, include_subdomains: true } }, { originUrl: null });
    const error = await get("/");
    assert.equal(parseStatus(error), 404);
    assert.deepEqual(valuesOf(error, "strict-transport-security"), promised);
  });

  it("is the application's page for errors of the edge, escaped and without scripts", async () => {
    const html = "<h1>{{title}}</h1>{{status}} {{message}} {{hostname}} {{reference}} {{other}}";
    serve({ error_page: html }, { originUrl: "http://127.0.0.1:1" });
    const answer = await get("/");
    assert.equal(parseStatus(answer), 502);
    const [reference = ""] = valuesOf(answer, "x-svc-reference");
    assert.match(reference, /^[0-9a-f]{12}$/);
    assert.ok(
      answer.includes("<h1>The site cannot be reached</h1>502 The server behind this domain"),
    );
    assert.ok(answer.endsWith(`shop.example ${reference} {{other}}`), answer);
    assert.match(valuesOf(answer, "content-security-policy")[0] ?? "", /^default-src 'none';/);
    assert.deepEqual(valuesOf(await get("/", [], "HEAD"), "content-length").length, 1);
    serve({}, { originUrl: "http://127.0.0.1:1" });
    assert.match(await get("/"), /502 .{1,2} reference/);
  });

  it("is compressed as the client likes best, and says so", async () => {
    serve({ compress: true });
    const decoders = { br: brotliDecompressSync, gzip: gunzipSync, zstd: zstdDecompressSync };
    const accepted: readonly (readonly [accept: string, coding: keyof typeof decoders])[] = [
      ["gzip, deflate, br, zstd", "br"],
      ["gzip, zstd", "zstd"],
      ["gzip", "gzip"],
      ["br;q=0.1, gzip;q=0.5", "gzip"],
      ["*", "br"],
      ["br;q=0, *;q=0.2", "zstd"],
    ];
    for (const [accept, coding] of accepted) {
      const answer = await get(
        '/?content-type=text%2Fhtml&etag="a"&vary=Cookie&accept-ranges=bytes',
        [`Accept-Encoding: ${accept}`],
      );
      assert.deepEqual(valuesOf(answer, "content-encoding"), [coding], accept);
      assert.deepEqual(valuesOf(answer, "vary"), ["Cookie, Accept-Encoding"]);
      assert.deepEqual(valuesOf(answer, "etag"), ['W/"a"']);
      assert.deepEqual(valuesOf(answer, "accept-ranges"), []);
      assert.deepEqual(valuesOf(answer, "content-length"), []);
      const body = Buffer.from(answer.split("\r\n\r\n").slice(1).join("\r\n\r\n"), "latin1");
      assert.equal(String(decoders[coding](unchunked(body))), page);
    }
  });

  it("is as the origin sent it where compression is refused or of no use", async () => {
    serve({ compress: true });
    const gzip = ["Accept-Encoding: gzip"];
    const html = "content-type=text%2Fhtml";
    const plain: readonly (readonly [target: string, lines: readonly string[]])[] = [
      [`/?${html}`, []],
      [`/?${html}`, ["Accept-Encoding: identity, gzip;q=0"]],
      ["/?content-type=image%2Fpng", gzip],
      [`/small?${html}`, gzip],
      [`/?${html}&cache-control=public,%20no-transform`, gzip],
      [`/?${html}&content-encoding=x`, gzip],
      [`/?${html}&content-range=bytes%200-9499%2F9500`, gzip],
    ];
    for (const [target, lines] of plain) {
      const answer = await get(target, lines);
      assert.equal(valuesOf(answer, "content-encoding").includes("gzip"), false, target);
      assert.equal(valuesOf(answer, "content-length").length, 1, target);
    }
    const varied = await get(`/?${html}`);
    assert.deepEqual(valuesOf(varied, "vary"), ["Accept-Encoding"]);
    const head = await get(`/?${html}`, gzip, "HEAD");
    assert.deepEqual(valuesOf(head, "content-encoding"), ["gzip"]);
    assert.deepEqual(valuesOf(await get('/not-modified?etag="a"', gzip), "etag"), ['W/"a"']);
  });

  it("is sent on event by event when it is compressed", async () => {
    serve({ compress: true });
    const socket = await connectTo(edge, "shop.example");
    const seen = readUntil(socket, (text) => text.split("\r\n\r\n").slice(1).join("").length > 20);
    socket.write(request("shop.example", "GET /events HTTP/1.1", ["Accept-Encoding: gzip"]));
    assert.match(await seen, /content-encoding: gzip/);
    socket.destroy();
  });

  it("is not compressed when too many are already", async (context) => {
    const busy = await startTestEdge({ limits: { compressions: 0 } });
    context.after(() => busy.close());
    busy.hosts.set("shop.example", { originUrl: origin.url, edge: { compress: true } });
    const answer = await roundTrip(
      busy,
      "shop.example",
      request("shop.example", "GET /?content-type=text%2Fhtml HTTP/1.1", ["Accept-Encoding: gzip"]),
    );
    assert.deepEqual(valuesOf(answer, "content-encoding"), []);
    assert.deepEqual(valuesOf(answer, "vary"), ["Accept-Encoding"]);
  });

  it("has links to the client's host where the origin knows only its own name", async () => {
    const prefix = `${origin.url}/base`;
    const links: readonly (readonly [sent: string, seen: string])[] = [
      [`${prefix}/next?a=b#c`, "https://shop.example/next?a=b#c"],
      [prefix.replace("http:", "https:"), "https://shop.example/"],
      [`${prefix.replace("http:", "")}/x`, "https://shop.example/x"],
      ["/base/y", "/y"],
      ["/other", "/other"],
      ["next", "next"],
      [`${origin.url}/outside`, `${origin.url}/outside`],
      ["https://elsewhere.example/base", "https://elsewhere.example/base"],
      [`${origin.url}0/base/`, `${origin.url}0/base/`],
    ];
    serve({}, { originUrl: prefix, originHostHeader: "origin" });
    for (const [sent, seen] of links) {
      const query = `location=${encodeURIComponent(sent)}&content-location=${encodeURIComponent(sent)}`;
      const answer = await get(`/?${query}`);
      assert.deepEqual(valuesOf(answer, "location"), [seen]);
      assert.deepEqual(valuesOf(answer, "content-location"), [seen]);
    }
    const cookies = [
      "a=1; Domain=127.0.0.1; Path=/",
      "b=2; domain=.elsewhere.example",
      "c=3; Secure",
    ];
    const answer = await get(
      `/?${cookies.map((one) => `set-cookie=${encodeURIComponent(one)}`).join("&")}`,
    );
    assert.deepEqual(valuesOf(answer, "set-cookie"), [
      "a=1; Path=/",
      "b=2; domain=.elsewhere.example",
      "c=3; Secure",
    ]);
    const origins = [
      { url: prefix, weight: 1 },
      { url: "https://second.example/base", weight: 0 },
    ];
    serve({}, { originUrl: prefix, originHostHeader: "origin", origins });
    const second = await get(`/?location=${encodeURIComponent("https://second.example/base/z")}`);
    assert.deepEqual(valuesOf(second, "location"), ["https://shop.example/z"]);
    serve({}, { originUrl: prefix });
    const unchanged = await get(`/?location=${encodeURIComponent(`${prefix}/next`)}`);
    assert.deepEqual(valuesOf(unchanged, "location"), [`${prefix}/next`]);
  });
});

/** The content of a chunked body. */
function unchunked(body: Buffer): Buffer {
  const pieces: Buffer[] = [];
  for (let at = 0; ; ) {
    const end = body.indexOf("\r\n", at);
    const size = Number.parseInt(body.toString("latin1", at, end), 16);
    if (!(size > 0)) return Buffer.concat(pieces);
    pieces.push(body.subarray(end + 2, end + 2 + size));
    at = end + 2 + size + 2;
  }
}
