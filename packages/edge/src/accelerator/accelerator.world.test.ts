import assert from "node:assert/strict";
import { once } from "node:events";
import { readdir, readFile, stat } from "node:fs/promises";
import { type ClientSessionRequestOptions, connect as connectH2 } from "node:http2";
import { createServer as createTlsServer } from "node:https";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { after, before, describe, it } from "node:test";
import type { TLSSocket } from "node:tls";
import { isResumed, takeSession, visit } from "@mooring/testing/clients/visit";
import {
  type AcceleratedEdge,
  startAcceleratedEdge,
  testedHaproxy,
} from "@mooring/testing/edge/accelerator/accelerated-edge";
import { connectTo, readUntil, roundTrip } from "@mooring/testing/edge/client";
import { startOrigin, startRawOrigin, type TestOrigin } from "@mooring/testing/edge/origin";
import { leafFor } from "@mooring/testing/edge/test-edge";
import { until } from "@mooring/testing/processes/until";
import { defaultLimits } from "../config/limits.ts";
import { findHaproxy } from "./haproxy-program.ts";
import { findHaproxyUser } from "./haproxy-user.ts";

const own = (name: string) => ({
  connectionId: `0198c0de-0000-7000-8000-${name.padStart(12, "0")}`,
});

describe("the accelerator", () => {
  let edge: AcceleratedEdge;
  let origin: TestOrigin;
  before(async () => {
    origin = await startOrigin();
    edge = await startAcceleratedEdge({ names: 16 });
  });
  after(async () => {
    await edge?.close();
    await origin.close();
  });
  const ca = (): string => edge.authority.certificatePem;

  it("passes a name that is not promoted to the Node edge, with the visitor's address", async () => {
    edge.hosts.set("quiet.example", { originUrl: origin.url, ...own("1") });
    const page = await visit(edge.httpsPort, "quiet.example", ca(), "127.0.0.77");
    assert.deepEqual(page, { status: 200, body: "origin" });
    assert.equal(origin.received.at(-1)?.headers["x-real-ip"], "127.0.0.77");
    await assert.rejects(visit(edge.httpsPort, "unknown.example", ca()));
  });

  it("gives the origin the same request, promoted or not", async () => {
    edge.hosts.set("same.example", { originUrl: origin.url, ...own("2") });
    const lines = [
      "Accept: text/html",
      "Accept-Language: de, en;q=0.5",
      "Cookie: a=1; b=2",
      "X-Forwarded-For: 192.0.2.1",
      "X-Real-IP: 192.0.2.1",
      "X-Svc-Assertion: forged",
      "X-Svc-Anything: forged",
      "CF-Connecting-IP: 192.0.2.1",
      "Forwarded: for=192.0.2.1",
      "Proxy: http://192.0.2.1",
      "Keep-Alive: timeout=5",
      "X-Custom: fine",
      "Authorization: Bearer abc",
    ].join("\r\n");
    const ask = async (): Promise<Record<string, unknown>> => {
      const socket = await connectTo(edge, "same.example", { localAddress: "127.0.0.78" });
      const answer = readUntil(socket, (text) => text.endsWith("origin"));
      socket.write(`GET /a/%2e%2e/b?c=d&e HTTP/1.1\r\nHost: same.example\r\n${lines}\r\n\r\n`);
      assert.match(await answer, /^HTTP\/1\.1 200 OK\r\n/);
      socket.destroy();
      const { rawHeaders, ...received } = origin.received.at(-1) ?? { rawHeaders: [] };
      return { ...received };
    };
    const slow = await ask();
    assert.equal(await edge.served(), 0);
    await edge.promote("same.example");
    const before = edge.accessLines.length;
    const fast = await ask();
    assert.equal(await edge.served(), 1);
    assert.deepEqual(normal(fast), normal(slow));
    await until(() => edge.accessLines.length > before, "the line of the fast request");
    const line = edge.accessLines.at(-1);
    assert.deepEqual(
      { ...line, reference: "", elapsedMs: 0 },
      {
        reference: "",
        host: "same.example",
        connectionId: own("2").connectionId,
        remoteAddress: "127.0.0.78",
        method: "GET",
        path: "/a/%2e%2e/b",
        status: 200,
        bytes: 6,
        elapsedMs: 0,
        isComplete: true,
      },
    );
    assert.equal(edge.counted.at(-1)?.hostname, "same.example");
    assert.equal(edge.counted.at(-1)?.exchange.bytesOut, 6);
  });

  it("gives the visitor the same response, without what the origin lists in Connection", async (t) => {
    const fields = [
      "Connection: Keep-Alive, X-Hop , content-length",
      "X-Hop: 1",
      "X-HOP: 2",
      "x-stays: 1",
      "Connection:,x-other,\tSet-Cookie,(x), a.*b",
      "X-Other: 1",
      "x-other-stays: 1",
      "Set-Cookie: a=1",
      "X-Svc-Own: 1",
      "Alt-Svc: h3",
      "Content-Length: 4",
    ];
    const hops = await startRawOrigin((socket) => {
      socket.on("data", () =>
        socket.write(`HTTP/1.1 200 OK\r\n${fields.join("\r\n")}\r\n\r\nhops`),
      );
    });
    t.after(() => hops.close());
    edge.hosts.set("hops.example", { originUrl: hops.url, ...own("11") });
    const ask = async (): Promise<readonly unknown[]> => {
      const socket = await connectTo(edge, "hops.example");
      const answer = readUntil(socket, (text) => text.endsWith("hops"));
      socket.write("GET / HTTP/1.1\r\nHost: hops.example\r\n\r\n");
      const [head = ""] = (await answer).split("\r\n\r\n");
      socket.destroy();
      const session = connectH2(`https://127.0.0.1:${edge.httpsPort}`, {
        servername: "hops.example",
        ca: ca(),
      });
      const stream = session.request({ ":path": "/", ":authority": "hops.example" });
      const [{ ...h2 }] = await once(stream, "response");
      stream.destroy();
      session.close();
      const lines = head.toLowerCase().split("\r\n").sort();
      const values = Object.entries(h2).sort();
      // Our own announcement of HTTP/3 is not the origin's.
      const isOurs = /^(server|alt-svc\W+h3=")/;
      return [lines, values].map((one) =>
        one
          .map((field) => String(field).replace(/^date.*/, "date"))
          .filter((field) => !isOurs.test(field)),
      );
    };
    const slow = await ask();
    await edge.promote("hops.example");
    const before = await edge.served();
    assert.deepEqual(await ask(), slow);
    assert.deepEqual(slow[0], [
      "content-length: 4",
      "date",
      "http/1.1 200 ok",
      "x-other-stays: 1",
      "x-stays: 1",
    ]);
    assert.equal(await edge.served(), before + 2);
  });

  const slowRequests: Readonly<Record<string, string>> = {
    "chunks with forged trailers":
      "POST /x HTTP/1.1\r\nHost: slow.example\r\nTransfer-Encoding: chunked\r\nTrailer: x-svc-a\r\n\r\n3\r\nabc\r\n0\r\nX-Svc-A: 1\r\nX-Fine: 1\r\n\r\n",
    "an alias of a field of the edge":
      "GET / HTTP/1.1\r\nHost: slow.example\r\nX_Real_IP: 1\r\n\r\n",
    "a field that Connection lists":
      "GET / HTTP/1.1\r\nHost: slow.example\r\nX-Hop: 1\r\nConnection: x-hop\r\n\r\n",
    "a chain of proxies": "GET / HTTP/1.1\r\nHost: slow.example\r\nVia: 1.1 other\r\n\r\n",
    "a port in Host": "GET / HTTP/1.1\r\nHost: slow.example:8443\r\n\r\n",
    "an absolute target": "GET http://slow.example/q HTTP/1.1\r\nHost: slow.example\r\n\r\n",
    "two cookies": "GET / HTTP/1.1\r\nHost: slow.example\r\nCookie: a=1\r\nCookie: b=2\r\n\r\n",
    "another method": "DELETE /x HTTP/1.1\r\nHost: slow.example\r\n\r\n",
  };

  it("leaves to the Node edge what HAProxy would forward differently", async () => {
    edge.hosts.set("slow.example", { originUrl: origin.url, ...own("3") });
    const ask = async (bytes: string): Promise<unknown> => {
      const count = origin.received.length;
      const socket = await connectTo(edge, "slow.example", { localAddress: "127.0.0.79" });
      const answer = readUntil(socket, (text) => text.endsWith("origin"));
      socket.write(Buffer.from(bytes, "latin1"));
      await answer;
      socket.destroy();
      assert.equal(origin.received.length, count + 1);
      const { rawHeaders, ...received } = origin.received.at(-1) ?? { rawHeaders: [] };
      return normal({ ...received });
    };
    const slow = new Map<string, unknown>();
    for (const [what, bytes] of Object.entries(slowRequests)) slow.set(what, await ask(bytes));
    await edge.promote("slow.example");
    const served = await edge.served();
    for (const [what, bytes] of Object.entries(slowRequests)) {
      assert.deepEqual(await ask(bytes), slow.get(what), what);
    }
    assert.equal(await edge.served(), served);
    // Else an origin could obtain a certificate for the name.
    const challenge = "GET /.well-known/acme-challenge/abc HTTP/1.1\r\nHost: slow.example\r\n";
    const answer = await roundTrip(edge, "slow.example", `${challenge}Connection: close\r\n\r\n`);
    assert.match(answer, /^HTTP\/1\.1 404 /);
    assert.equal(origin.received.at(-1)?.url, "/x");
  });

  it("leaves a body without a length to the Node edge, over HTTP/2, too", async () => {
    const before = await edge.served();
    const session = connectH2(`https://127.0.0.1:${edge.httpsPort}`, {
      servername: "slow.example",
      ca: ca(),
    });
    const ask = async (options: ClientSessionRequestOptions): Promise<string | undefined> => {
      const head = { ":path": "/hidden", ":authority": "slow.example" };
      const stream = session.request(head, options);
      await once(options.endStream === true ? stream : stream.end("abc"), "response");
      await once(stream.resume(), "end");
      return origin.received.at(-1)?.body;
    };
    assert.equal(await ask({ endStream: true }), "");
    assert.equal(await edge.served(), before + 1);
    assert.equal(await ask({ endStream: false }), "abc");
    assert.equal(await edge.served(), before + 1);
    session.destroy();
  });

  it("forwards the largest head that the Node edge forwards, by it", async () => {
    const ask = async (bytes: number): Promise<string> => {
      const socket = await connectTo(edge, "slow.example");
      const answer = readUntil(socket, (text) => text.includes("\r\n"));
      const fields = Array.from({ length: 200 }, (_, index) => `x-${index}: 1`).join("\r\n");
      const head = `GET / HTTP/1.1\r\nHost: slow.example\r\n${fields}\r\nx-rest: `;
      socket.write(`${head}${"a".repeat(bytes - head.length - 4)}\r\n\r\n`);
      const [line = ""] = (await answer).split("\r\n");
      socket.destroy();
      return line;
    };
    const before = await edge.served();
    assert.match(await ask(defaultLimits.headBytes), / 200 /);
    // HAProxy has read the head before, and writes it in its own form.
    assert.match(await ask(defaultLimits.headBytes + 100), / 431 /);
    assert.equal(await edge.served(), before);
  });

  it("refuses a path of * over HTTP/2, but for OPTIONS", async () => {
    edge.hosts.set("star.example", { originUrl: origin.url, ...own("12") });
    await edge.promote("star.example");
    const session = connectH2(`https://127.0.0.1:${edge.httpsPort}`, {
      servername: "star.example",
      ca: ca(),
    });
    const ask = async (method: string): Promise<number | undefined> => {
      const head = { ":method": method, ":path": "*", ":authority": "star.example" };
      const [answer] = await once(session.request(head, { endStream: true }), "response");
      return answer[":status"];
    };
    const count = origin.received.length;
    const answers = [await ask("GET"), await ask("POST")];
    // HAProxy 3 writes it as "/" before any rule sees it.
    const isWritten = Number.parseInt(findHaproxy(testedHaproxy)?.version ?? "", 10) >= 3;
    assert.deepEqual(answers, isWritten ? [200, 200] : [400, 400]);
    assert.equal(origin.received.length, isWritten ? count + 2 : count);
    assert.equal(await ask("OPTIONS"), 200);
    session.destroy();
  });

  it("refuses another host than that of the handshake, and what could be read twice", async () => {
    edge.hosts.set("strict.example", { originUrl: origin.url, ...own("4") });
    edge.hosts.set("other.example", { originUrl: origin.url, ...own("5") });
    await edge.promote("strict.example");
    await edge.promote("other.example");
    const count = origin.received.length;
    const ask = async (bytes: string): Promise<string> => {
      const socket = await connectTo(edge, "strict.example");
      const answer = readUntil(socket, (text) => text.includes("\r\n"));
      socket.write(bytes);
      const [line = ""] = (await answer).split("\r\n");
      socket.destroy();
      return line;
    };
    assert.match(
      await ask("GET / HTTP/1.1\r\nHost: other.example\r\nConnection: close\r\n\r\n"),
      / 421 /,
    );
    const twice = [
      "POST / HTTP/1.1\r\nHost: strict.example\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nabcde",
      "GET / HTTP/1.1\r\nHost: strict.example\r\nTransfer_Encoding: chunked\r\n\r\n",
      "GET / HTTP/1.1\r\nHost: strict.example\r\nHost: other.example\r\n\r\n",
      "GET / HTTP/1.1\r\nHost : strict.example\r\n\r\n",
      "GET /#a HTTP/1.1\r\nHost: strict.example\r\n\r\n",
    ];
    const answers: string[] = [];
    for (const bytes of twice) answers.push(await ask(bytes));
    assert.ok(
      answers.every((line) => line.includes(" 400 ")),
      JSON.stringify(answers),
    );
    assert.equal(origin.received.length, count);
    // RFC 9112 §5.2, §6.3: HAProxy writes these in one form, so that one reading is left.
    const rewritten = [
      "GET / HTTP/1.1\r\nHost: strict.example\r\nX: a\r\n b\r\n\r\n",
      "POST / HTTP/1.1\r\nHost: strict.example\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    ];
    for (const bytes of rewritten) assert.match(await ask(bytes), / 200 /);
    const [folded, both, ...others] = origin.received.slice(count);
    assert.match(folded?.headers["x"]?.toString() ?? "", /^a +b$/);
    assert.equal(both?.headers["content-length"], undefined);
    assert.deepEqual([others, origin.malformed()], [[], 0]);
  });

  it("resumes no session of a promoted name, not even under the same one", async () => {
    for (const version of ["TLSv1.2", "TLSv1.3"] as const) {
      const session = await takeSession(edge.httpsPort, "strict.example", { ca: ca(), version });
      for (const name of ["strict.example", "other.example"]) {
        const is = await isResumed(edge.httpsPort, name, { ca: ca(), version, session });
        assert.equal(is, false, `${version} ${name}`);
      }
    }
  });

  it("leaves connections of trusted proxies to the Node edge, which believes what they say", async () => {
    const socket = await connectTo(edge, "strict.example", { localAddress: "127.9.9.9" });
    const before = await edge.served();
    const answer = readUntil(socket, (text) => text.endsWith("origin"));
    socket.write("GET / HTTP/1.1\r\nHost: strict.example\r\nX-Forwarded-For: 192.0.2.9\r\n\r\n");
    await answer;
    socket.destroy();
    assert.equal(await edge.served(), before);
  });

  it("has its files and sockets to itself, and no key on disk", async () => {
    const directory = path.join(edge.directory, "edge", "accelerator");
    const user = findHaproxyUser();
    const shared = await stat(directory);
    assert.equal(shared.mode & 0o777, user === null ? 0o700 : 0o710);
    if (user !== null) assert.deepEqual([shared.uid, shared.gid], [0, user.gid]);
    for (const name of await readdir(directory)) {
      const file = path.join(directory, name);
      const info = await stat(file);
      assert.equal(info.mode & 0o077, 0, name);
      if (info.isFile()) assert.doesNotMatch(await readFile(file, "utf8"), /PRIVATE KEY/, name);
    }
  });

  it("leaves HAProxy what it needs of the disk, and no more, where it is another user", async () => {
    const user = findHaproxyUser();
    const directory = path.join(edge.directory, "edge", "accelerator");
    const sockets = (await readdir(directory)).filter((name) => name.endsWith(".sock"));
    assert.ok(sockets.length >= 5);
    for (const name of sockets) {
      const owner = name.startsWith("admin")
        ? process.getuid?.()
        : (user?.uid ?? process.getuid?.());
      assert.equal((await stat(path.join(directory, name))).uid, owner, name);
    }
    const status = await readFile(`/proc/${edge.accelerator.pid()}/status`, "utf8");
    const ids = /^Uid:\t(.*)$/m.exec(status)?.[1]?.split("\t").map(Number);
    assert.deepEqual(new Set(ids), new Set([user?.uid ?? process.getuid?.()]));
  });

  it("is started again when it is killed, and knows nothing of before", async () => {
    const pid = edge.accelerator.pid();
    assert.ok(pid !== null && edge.promotion.isPromoted("strict.example"));
    process.kill(pid, "SIGKILL");
    await until(async () => {
      const page = await visit(edge.httpsPort, "strict.example", ca()).catch(() => null);
      return page?.status === 200 && ![null, pid].includes(edge.accelerator.pid());
    }, "the restart");
    await edge.promote("strict.example");
    const before = await edge.served();
    await until(async () => {
      await visit(edge.httpsPort, "strict.example", ca());
      return (await edge.served()) > before;
    }, "promotion after the restart");
  });

  it("verifies each https origin by its own name, and shares no connection between them", async () => {
    const [one, other] = [await startTlsOrigin("one.test"), await startTlsOrigin("other.test")];
    const trust = { originTls: { ca: edge.authority.certificatePem } };
    const originUrl = (port: number) => `https://localhost:${port}`;
    const named = (name: string) => ({ originTls: { ...trust.originTls, serverName: name } });
    edge.hosts.set("one.example", {
      originUrl: originUrl(one.port),
      ...named("one.test"),
      ...own("8"),
    });
    edge.hosts.set("other.example", {
      originUrl: originUrl(other.port),
      ...named("other.test"),
      ...own("9"),
    });
    // The certificate of that origin is of another name.
    edge.hosts.set("wrong.example", {
      originUrl: originUrl(one.port),
      ...named("other.test"),
      ...own("10"),
    });
    for (const name of ["one.example", "other.example", "wrong.example"]) await edge.promote(name);
    const before = await edge.served();
    for (let round = 0; round < 5; round += 1) {
      assert.equal((await visit(edge.httpsPort, "one.example", ca())).body, "one.test one.example");
      assert.equal(
        (await visit(edge.httpsPort, "other.example", ca())).body,
        "other.test other.example",
      );
    }
    assert.equal(await edge.served(), before + 10);
    const reached = one.requests();
    assert.equal((await visit(edge.httpsPort, "wrong.example", ca())).status, 502);
    assert.equal(one.requests(), reached);
    await until(
      () => !edge.promotion.isPromoted("wrong.example"),
      "the failing origin left to Node",
    );
    assert.ok(edge.failures.includes(own("10").connectionId));
    await Promise.all([one.close(), other.close()]);
  });

  async function startTlsOrigin(name: string) {
    const pair = await leafFor(edge.authority, { hostnames: [name] });
    let requests = 0;
    const server = createTlsServer(pair, (incoming, response) => {
      requests += 1;
      const { servername } = incoming.socket as TLSSocket;
      response.end(`${servername} ${incoming.headers.host}`);
    });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    return {
      port: (server.address() as AddressInfo).port,
      requests: () => requests,
      async close() {
        server.closeAllConnections();
        server.close();
      },
    };
  }
});

/** `connection` says how the edge uses its own connection to the origin. */
function normal(received: Record<string, unknown>): unknown {
  const { connection, ...headers } = received["headers"] as Record<string, string>;
  return { ...received, headers };
}
