import assert from "node:assert/strict";
import { createHash, X509Certificate } from "node:crypto";
import { describe, test } from "node:test";
import { certificate, listenHttp, listenHttps, listenTcp } from "@mooring/testing/egress/loopback";
import { createGuard } from "./guard.ts";

const loopback = { allow: ["127.0.0.0/8"], lookup: async () => ["127.0.0.1"] };
const guard = createGuard(loopback);

describe("request", () => {
  test("sends method, headers, host and body, and gives back status, headers and body", async () => {
    await using server = await listenHttp(async (request, response) => {
      const chunks: Buffer[] = await request.toArray();
      response.writeHead(201, { "X-Reply": "yes", "set-cookie": ["a=1", "b=2"] });
      response.end(
        JSON.stringify([
          request.method,
          request.url,
          request.headers,
          Buffer.concat(chunks).toString(),
        ]),
      );
    });
    const answer = await guard.request(`http://hook.example:${server.port}/in?x=%20#part`, {
      method: "POST",
      headers: { "X-Svc-Timestamp": "1", "Content-Type": "application/json" },
      body: '{"é":1}',
    });
    assert.deepEqual([answer.status, answer.truncated], [201, false]);
    assert.equal(answer.headers.get("x-reply"), "yes");
    assert.deepEqual(answer.headers.getSetCookie(), ["a=1", "b=2"]);
    assert.equal(answer.remoteAddress, "127.0.0.1");
    assert.ok(answer.timings.totalMs >= answer.timings.firstByteMs);
    assert.equal(answer.timings.tlsMs, null);
    assert.deepEqual(JSON.parse(answer.body.toString()), [
      "POST",
      "/in?x=%20",
      {
        host: `hook.example:${server.port}`,
        "accept-encoding": "identity",
        "x-svc-timestamp": "1",
        "content-type": "application/json",
        "content-length": "8",
        connection: "close",
      },
      '{"é":1}',
    ]);
  });

  test("opens a new connection for each request", async () => {
    await using server = await listenHttp((_, response) => response.end("ok"));
    for (let index = 0; index < 3; index += 1) {
      await guard.request(`http://hook.example:${server.port}/`);
    }
    assert.equal(server.connects(), 3);
  });

  test("returns a redirect as it is and follows it nowhere", async () => {
    await using inner = await listenTcp();
    for (const status of [301, 302, 303, 307, 308]) {
      const location = `http://127.0.0.1:${inner.port}/`;
      await using server = await listenHttp((_, response) => {
        response.writeHead(status, { location }).end();
      });
      const url = `http://hook.example:${server.port}/`;
      const answer = await guard.request(url);
      assert.deepEqual([answer.status, answer.headers.get("location")], [status, location]);
      const fetched = await guard.fetch(url, { redirect: "follow" });
      assert.deepEqual([fetched.status, fetched.headers.get("location")], [status, location]);
    }
    assert.equal(inner.connects(), 0);
  });

  test("tries the next checked address when one does not answer", async () => {
    await using server = await listenHttp((_, response) => response.end("ok"));
    const both = createGuard({ ...loopback, lookup: async () => ["127.0.0.2", "127.0.0.1"] });
    const answer = await both.request(`http://hook.example:${server.port}/`);
    assert.equal(answer.remoteAddress, "127.0.0.1");
  });

  test("reports a closed port by the system's code and without its address", async () => {
    const server = await listenTcp();
    const { port } = server;
    await server[Symbol.asyncDispose]();
    await assert.rejects(guard.request(`http://hook.example:${port}/`), {
      kind: "connect",
      message: "the connection failed (ECONNREFUSED)",
    });
  });

  test("fails when the server closes without an answer or in the middle of one", async () => {
    const answers = ["", "HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nhalf", "SSH-2.0-x\r\n"];
    for (const answer of answers) {
      await using server = await listenTcp((socket) => {
        socket.once("data", () => socket.end(answer));
      });
      const sent = guard.request(`http://hook.example:${server.port}/`);
      await assert.rejects(sent, { name: "EgressError", kind: "connect" });
    }
  });

  test("fails at once when the server insists on another protocol", async () => {
    await using server = await listenTcp((socket) => {
      socket.write("HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n");
    });
    await assert.rejects(guard.request(`http://hook.example:${server.port}/`), { kind: "connect" });
  });
});

describe("limits", () => {
  test("stop reading a huge answer at maxBytes and close the connection", async () => {
    const { promise: closed, resolve: onClosed } = Promise.withResolvers<void>();
    await using server = await listenHttp((_, response) => {
      const block = Buffer.alloc(16 * 1024, "x");
      const pour = () => {
        while (!response.destroyed && response.write(block));
      };
      response.on("drain", pour).on("close", onClosed);
      pour();
    });
    const answer = await guard.request(`http://hook.example:${server.port}/`, {
      maxBytes: 100_000,
    });
    assert.deepEqual([answer.truncated, answer.body.length], [true, 100_000]);
    await closed;
  });

  test("distinguish an answer of exactly maxBytes from a longer one", async () => {
    await using server = await listenHttp((_, response) => response.end("12345678"));
    const url = `http://hook.example:${server.port}/`;
    const results = await Promise.all(
      [0, 7, 8, 9].map(async (maxBytes) => {
        const { body, truncated } = await guard.request(url, { maxBytes });
        return [body.toString(), truncated];
      }),
    );
    assert.deepEqual(results, [
      ["", true],
      ["1234567", true],
      ["12345678", false],
      ["12345678", false],
    ]);
  });

  test("count the bytes on the wire: a compressed answer stays compressed", async () => {
    const packed = Buffer.from("1f8b0800000000000003", "hex");
    await using server = await listenHttp((_, response) => {
      response.writeHead(200, { "content-encoding": "gzip" }).end(packed);
    });
    const answer = await guard.request(`http://hook.example:${server.port}/`);
    assert.deepEqual(answer.body, packed);
  });

  const slow: readonly (readonly [string, string])[] = [
    ["hangs after the connection", ""],
    ["drips its headers", "HTTP/1.1 200 OK\r\nx-slow: "],
    ["drips its body", "HTTP/1.1 200 OK\r\ncontent-length: 1000000\r\n\r\n"],
    ["sends interim answers for ever", "HTTP/1.1 100 Continue\r\n\r\n"],
  ];
  for (const [what, start] of slow) {
    test(`cut off a server that ${what}`, async () => {
      const { promise: closed, resolve: onClosed } = Promise.withResolvers<void>();
      await using server = await listenTcp((socket) => {
        socket.resume();
        const next = start.includes("100") && !start.includes("200") ? start : "x";
        const timer = start === "" ? undefined : setInterval(() => socket.write(next), 5);
        socket.write(start);
        socket.on("close", () => {
          clearInterval(timer);
          onClosed();
        });
      });
      const sent = guard.request(`http://hook.example:${server.port}/`, { totalTimeoutMs: 60 });
      await assert.rejects(sent, {
        kind: "timeout",
        message: "the request took longer than 60 ms",
      });
      await closed;
    });
  }

  test("cut off a TLS handshake and a name lookup that hang", async () => {
    await using server = await listenTcp((socket) => socket.resume());
    const url = `https://hook.example:${server.port}/`;
    const expected = { kind: "timeout", message: "connecting took longer than 40 ms" };
    await assert.rejects(guard.request(url, { connectTimeoutMs: 40 }), expected);
    const hanging = createGuard({ lookup: () => new Promise(() => undefined) });
    await assert.rejects(hanging.request(url, { connectTimeoutMs: 40 }), expected);
    assert.equal(server.connects(), 1);
  });

  test("end with the caller's signal, before or during the request", async () => {
    const { promise: asked, resolve: onAsked } = Promise.withResolvers<void>();
    await using server = await listenHttp(() => onAsked());
    const url = `http://hook.example:${server.port}/`;
    await assert.rejects(guard.request(url, { signal: AbortSignal.abort() }), { kind: "aborted" });
    assert.equal(server.connects(), 0);
    const controller = new AbortController();
    const sent = guard.request(url, { signal: controller.signal });
    const failed = assert.rejects(sent, { kind: "aborted" });
    await asked;
    controller.abort();
    await failed;
  });
});

describe("TLS", () => {
  test("verifies the certificate for the name or address of the URL", async () => {
    const names: unknown[] = [];
    await using server = await listenHttps((request, response) => {
      names.push("servername" in request.socket ? request.socket.servername : undefined);
      response.end("ok");
    });
    const trusting = createGuard({ ...loopback, tls: { ca: certificate } });
    const answer = await trusting.request(`https://origin.example:${server.port}/`);
    assert.equal(answer.body.toString(), "ok");
    assert.ok((answer.timings.tlsMs ?? 0) > 0);
    await trusting.request(`https://127.0.0.1:${server.port}/`);
    assert.deepEqual(names, ["origin.example", false]);
    await assert.rejects(trusting.request(`https://other.example:${server.port}/`), {
      kind: "tls",
      message: "the TLS handshake failed (ERR_TLS_CERT_ALTNAME_INVALID)",
    });
    await assert.rejects(guard.request(`https://origin.example:${server.port}/`), {
      kind: "tls",
      message: "the TLS handshake failed (DEPTH_ZERO_SELF_SIGNED_CERT)",
    });
    assert.equal(names.length, 2);
  });

  test("accepts exactly the pinned certificate, and sends nothing to another", async () => {
    let requests = 0;
    await using server = await listenHttps((_request, response) => {
      requests += 1;
      response.end("ok");
    });
    const url = `https://own.example:${server.port}/`;
    const pin = createHash("sha256").update(new X509Certificate(certificate).raw).digest("hex");
    const pinned = await guard.fetchWith({ certificateSha256: pin })(url);
    assert.equal(await pinned.text(), "ok");
    const mistaken = { kind: "tls", message: /^the certificate is not the one/ };
    const trusting = createGuard({ ...loopback, tls: { ca: certificate } });
    for (const certificateSha256 of [`${"0".repeat(63)}1`, pin.slice(2), "", "no digits"]) {
      await assert.rejects(guard.request(url, { certificateSha256 }), mistaken);
      const trusted = trusting.request(`https://origin.example:${server.port}/`, {
        certificateSha256,
      });
      await assert.rejects(trusted, mistaken);
    }
    assert.equal(requests, 1);
  });

  test("is needed where only https is allowed", async () => {
    await using server = await listenHttp((_request, response) => response.end("ok"));
    const fetchSecurely = guard.fetchWith({ schemes: ["https"] });
    await assert.rejects(fetchSecurely(`http://own.example:${server.port}/`), {
      kind: "refused_url",
    });
    assert.equal(server.connects(), 0);
  });
});
