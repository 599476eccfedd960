import assert from "node:assert/strict";
import { randomBytes, scryptSync } from "node:crypto";
import { once } from "node:events";
import type { IncomingHttpHeaders } from "node:http";
import { connect as connectH2 } from "node:http2";
import { after, before, beforeEach, describe, it } from "node:test";
import { connectTo, parseStatus, request, roundTrip } from "@mooring/testing/edge/client";
import { startOrigin, type TestOrigin } from "@mooring/testing/edge/origin";
import { startTestEdge, type TestEdge } from "@mooring/testing/edge/test-edge";
import { until } from "@mooring/testing/processes/until";
import { createRequestRules, type RequestRules } from "../rules/request-rules.ts";

const hostname = "shop.example";

/** As the API stores it. */
function storedPair(username: string, password: string) {
  const salt = randomBytes(16);
  const hash = scryptSync(`${username}:${password}`, salt, 32, { N: 16_384, r: 8, p: 1 });
  const text = `scrypt$16384$8$1$${salt.toString("base64url")}$${hash.toString("base64url")}`;
  return { username, hash: text };
}

const basic = (pair: string): string => `Authorization: Basic ${btoa(pair)}`;

describe("a request under rules", () => {
  let edge: TestEdge;
  let origin: TestOrigin;
  let seen: IncomingHttpHeaders[] = [];
  let now = new Date("2026-11-18T10:00:00Z");
  let connection = 0;
  before(async () => {
    // The test itself is a trusted proxy, so that it can name any visitor.
    edge = await startTestEdge({
      rules: createRequestRules({ clock: { now: () => now } }),
      front: {
        proxyProtocolFrom: null,
        trustedProxies: ["127.0.0.1"],
        findCdn: () => null,
        healthChecksFrom: [],
      },
    });
    origin = await startOrigin((incoming, response) => {
      seen.push(incoming.headers);
      response.end("the shop");
    });
  });
  after(async () => {
    await edge.close();
    await origin.close();
  });
  beforeEach(() => {
    seen = [];
    connection += 1;
  });

  /** Each test has a connection of its own, so that no limit is used yet. */
  const serve = (rules: object, own?: object): void => {
    edge.hosts.set(hostname, {
      originUrl: origin.url,
      edge: rules,
      connectionId: `connection ${connection}`,
      own: own === undefined ? null : { ...noOwn, rules: own },
    });
  };
  const noOwn = { redirectTo: null, originUrl: null, originHostHeader: null };
  const get = (lines: readonly string[] = [], line = "GET / HTTP/1.1"): Promise<string> =>
    roundTrip(edge, hostname, request(hostname, line, lines));
  const from = (address: string): Promise<number> =>
    get([`X-Forwarded-For: ${address}`]).then(parseStatus);

  const networks: readonly {
    readonly rules: object;
    readonly served: readonly string[];
    readonly refused: readonly string[];
  }[] = [
    {
      rules: { deny: ["192.0.2.0/24"] },
      served: ["192.0.3.1", "2001:db8::1"],
      refused: ["192.0.2.1", "192.0.2.255", "::ffff:192.0.2.7", "::ffff:c000:207"],
    },
    {
      rules: { allow: ["2001:db8::/32", "198.51.100.7/32"] },
      served: ["2001:db8:ffff::1", "198.51.100.7", "::ffff:198.51.100.7"],
      refused: ["2001:db9::1", "198.51.100.8", "::1"],
    },
    {
      rules: { allow: ["10.0.0.0/8"], deny: ["10.9.0.0/16"] },
      served: ["10.8.0.1"],
      refused: ["10.9.0.1", "11.0.0.1"],
    },
    { rules: { allow: ["0.0.0.0/0"] }, served: ["203.0.113.1"], refused: ["2001:db8::1"] },
    { rules: { deny: ["::/0"] }, served: ["203.0.113.1"], refused: ["2001:db8::1"] },
    // What an edge of this release does not understand lets nobody in.
    { rules: { allow: ["everybody"] }, served: [], refused: ["203.0.113.1"] },
    { rules: { allow: { since: 2027 } }, served: [], refused: ["203.0.113.1"] },
  ];
  for (const { rules, served, refused } of networks) {
    it(`is served by network under ${JSON.stringify(rules)}`, async () => {
      serve(rules);
      for (const address of served) assert.equal(await from(address), 200, address);
      for (const address of refused) assert.equal(await from(address), 403, address);
      assert.equal(seen.length, served.length, "the origin gets none that is refused");
    });
  }

  it("gets 503 with the escaped text until the maintenance ends by itself", async () => {
    const page = "Back at 11 <b>o'clock</b>\n& better";
    serve({ maintenance: { until: "2026-11-18T10:01:30.000Z", page } });
    const answer = await get();
    assert.equal(parseStatus(answer), 503);
    assert.match(answer, /\r\nretry-after: 90\r\n/);
    assert.match(answer, /<h1>Under maintenance<\/h1>/);
    assert.match(
      answer,
      /<p lang="" dir="auto">Back at 11 &#60;b&#62;o&#39;clock&#60;\/b&#62;\n&#38; better<\/p>/,
    );
    const head = await get([], "HEAD / HTTP/1.1");
    assert.match(head, /^HTTP\/1.1 503 [\s\S]*\r\nretry-after: 90\r\n[\s\S]*\r\n\r\n$/);
    serve({ error_page: "<i>{{message}}</i>", maintenance: { until: null, page } });
    const own = await get();
    assert.match(own, /<i>Back at 11 &#60;b&#62;/);
    assert.match(own, /\r\nretry-after: 3600\r\n/);
    serve({ maintenance: { until: "2026-11-18T10:01:30.000Z", page: null } });
    assert.match(await get(), /This site is not available at the moment/);
    assert.equal(seen.length, 0);
    now = new Date("2026-11-18T10:01:30Z");
    assert.equal(parseStatus(await get()), 200);
  });

  it("is limited for each visitor, an IPv6 network being one", async () => {
    serve({ rate_limit: { requests: 2, per_s: 3_600, by: "visitor" } });
    assert.deepEqual(
      [await from("192.0.2.1"), await from("192.0.2.1"), await from("192.0.2.1")],
      [200, 200, 429],
    );
    assert.equal(await from("192.0.2.2"), 200);
    assert.equal(await from("2001:db8::1"), 200);
    assert.equal(await from("2001:db8::2"), 200);
    assert.equal(await from("2001:db8::3"), 429);
    const answer = await get(["X-Forwarded-For: 192.0.2.1"]);
    const wait = Number(/\r\nretry-after: (\d+)\r\n/.exec(answer)?.[1]);
    assert.ok(wait > 1_700 && wait <= 1_800, String(wait));
    assert.equal(edge.stats.ruled.rate_limit, 3);
  });

  it("is limited for all visitors of the host, and by a changed limit at once", async () => {
    serve({ rate_limit: { requests: 1, per_s: 3_600, by: "host" } });
    assert.deepEqual([await from("192.0.2.1"), await from("192.0.2.2")], [200, 429]);
    serve({ rate_limit: { requests: 2, per_s: 3_600, by: "host" } });
    assert.deepEqual([await from("192.0.2.1"), await from("192.0.2.2")], [200, 200]);
  });

  it("counts a stream of HTTP/2 and the opening of a WebSocket as any other", async () => {
    serve({ rate_limit: { requests: 2, per_s: 3_600, by: "visitor" } });
    const socket = await connectTo(edge, hostname, { ALPNProtocols: ["h2"] });
    const session = connectH2(`https://${hostname}`, { createConnection: () => socket });
    const statuses: unknown[] = [];
    for (let stream = 0; stream < 3; stream += 1) {
      const opened = session.request({ ":path": "/" });
      const [response] = await once(opened, "response");
      statuses.push(response[":status"]);
      opened.resume();
      await once(opened, "close");
    }
    session.destroy();
    assert.deepEqual(statuses, [200, 200, 429]);
    const upgrade = [
      "Upgrade: websocket",
      "Connection: Upgrade",
      "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
      "Sec-WebSocket-Version: 13",
    ];
    const head = `GET / HTTP/1.1\r\nHost: ${hostname}\r\n${upgrade.join("\r\n")}\r\n\r\n`;
    const opening = await connectTo(edge, hostname);
    opening.write(head);
    const [first] = await once(opening, "data");
    assert.match(String(first), /^HTTP\/1.1 429 /);
    opening.destroy();
  });

  it("needs the credentials, which the origin does not get", async () => {
    serve({ basic_auth: storedPair("preview", "käse und brot") });
    const asked = await get();
    assert.equal(parseStatus(asked), 401);
    assert.match(asked, /\r\nwww-authenticate: Basic realm="shop.example", charset="UTF-8"\r\n/);
    assert.equal(parseStatus(await get([basic("preview:wrong")])), 401);
    assert.equal(parseStatus(await get(["Authorization: Bearer abc"])), 401);
    assert.equal(parseStatus(await get(["Authorization: Basic ???"])), 401);
    assert.equal(seen.length, 0);
    const pair = Buffer.from("preview:käse und brot").toString("base64");
    for (let round = 0; round < 2; round += 1) {
      const answer = await get([`Authorization: Basic ${pair}`, "Authorization: Bearer b"]);
      assert.match(answer, /^HTTP\/1.1 200 [\s\S]*the shop$/);
    }
    assert.deepEqual(
      seen.map(({ authorization }) => authorization),
      [undefined, undefined],
    );
    serve({ basic_auth: storedPair("preview", "another one") });
    assert.equal(parseStatus(await get([`Authorization: Basic ${pair}`])), 401);
  });

  it("is refused after too many wrong credentials of its visitor, and only of that one", async () => {
    serve({ basic_auth: storedPair("preview", "right and long") });
    const attempt = (pair: string, visitor: string): Promise<number> =>
      get([basic(pair), `X-Forwarded-For: ${visitor}`]).then(parseStatus);
    assert.equal(await attempt("preview:right and long", "192.0.2.9"), 200);
    for (let guess = 0; guess < 9; guess += 1) {
      assert.equal(await attempt("preview:the same guess", "192.0.2.9"), 401);
    }
    assert.equal(await attempt("preview:the same guess", "192.0.2.9"), 429);
    assert.equal(await attempt("preview:right and long", "192.0.2.9"), 200, "known pairs pass");
    assert.equal(await attempt("preview:the same guess", "192.0.2.10"), 401);
  });

  it("passes nobody by credentials whose hash is not understood", async () => {
    serve({ basic_auth: { username: "preview", hash: "argon2$later" } });
    assert.equal(parseStatus(await get([basic("preview:")])), 401);
    assert.equal(parseStatus(await get([basic("preview:anything")])), 401);
  });

  it("follows the rules of its connection before those of the application", async () => {
    const application = {
      deny: ["192.0.2.0/24"],
      maintenance: { until: null, page: null },
      rate_limit: { requests: 1, per_s: 3_600, by: "host" },
    };
    serve(application);
    assert.equal(await from("203.0.113.1"), 503);
    serve(application, { maintenance: "off" });
    assert.deepEqual([await from("203.0.113.1"), await from("203.0.113.1")], [200, 429]);
    serve(application, { maintenance: "off", rate_limit: "off", deny: ["203.0.113.0/24"] });
    assert.deepEqual([await from("203.0.113.1"), await from("192.0.2.1")], [403, 200]);
    serve(application, { maintenance: "off", rate_limit: "off", deny: "off" });
    assert.equal(await from("192.0.2.1"), 200);
    serve({}, { basic_auth: storedPair("a", "b") });
    assert.equal(await from("192.0.2.1"), 401);
  });

  it("reaches challenges and probes whatever the rules say, and no redirect", async () => {
    const rules = { allow: ["198.51.100.0/24"], maintenance: { until: null, page: null } };
    serve(rules);
    edge.certificates.challenges.set(`${hostname}/token`, "token.thumbprint");
    const challenge = await get([], "GET /.well-known/acme-challenge/token HTTP/1.1");
    assert.match(challenge, /^HTTP\/1.1 200 [\s\S]*token\.thumbprint$/);
    const nonce = "a".repeat(32);
    const probe = await get([], `GET /.well-known/mooring-probe/${nonce} HTTP/1.1`);
    assert.notEqual(parseStatus(probe), 403);
    assert.equal(parseStatus(probe), 200, probe);
    edge.hosts.set(hostname, { edge: rules, own: { ...noOwn, redirectTo: "www.example" } });
    assert.equal(parseStatus(await get()), 403);
  });
});

describe("a request that waits for the decision of its rules", () => {
  it("reaches no origin when its visitor has left meanwhile", async (t) => {
    let decide: (refusal: null) => void = () => undefined;
    let waiting = 0;
    const rules: RequestRules = {
      decide() {
        waiting += 1;
        return new Promise((resolve) => {
          decide = resolve;
        });
      },
    };
    const origin = await startOrigin();
    const edge = await startTestEdge({ rules });
    t.after(async () => {
      await edge.close();
      await origin.close();
    });
    edge.hosts.set(hostname, { originUrl: origin.url, edge: { deny: ["192.0.2.0/24"] } });
    const leaving = await connectTo(edge, hostname);
    leaving.write(request(hostname));
    await until(() => waiting === 1, "it waits");
    leaving.destroy();
    await until(() => edge.stats.connections === 0, "the edge has seen it leave");
    decide(null);
    const staying = roundTrip(edge, hostname, request(hostname));
    await until(() => waiting === 2, "another one waits");
    decide(null);
    assert.equal(parseStatus(await staying), 200);
    assert.equal(origin.received.length, 1);
  });
});
