import assert from "node:assert/strict";
import { once } from "node:events";
import { type ClientHttp2Session, connect as connectH2, constants } from "node:http2";
import { after, before, describe, it } from "node:test";
import {
  connectPlain,
  connectTo,
  parseStatus,
  readAll,
  request,
  roundTrip,
} from "@mooring/testing/edge/client";
import { startOrigin, type TestOrigin } from "@mooring/testing/edge/origin";
import { startTestEdge, type TestEdge } from "@mooring/testing/edge/test-edge";
import { proofSize } from "@mooring/testing/processes/proof-size";
import { until } from "@mooring/testing/processes/until";

describe("a connection", () => {
  let edge: TestEdge;
  let a: TestOrigin;
  let b: TestOrigin;
  before(async () => {
    edge = await startTestEdge();
    a = await startOrigin((_request, response) => response.end("answer of a"));
    b = await startOrigin((_request, response) => response.end("answer of b"));
    edge.hosts.set("a.example", { originUrl: a.url, tenantId: "a" });
    edge.hosts.set("b.example", { originUrl: b.url, tenantId: "b" });
  });
  after(async () => {
    await edge.close();
    await a.close();
    await b.close();
  });

  async function openH2(servername: string): Promise<ClientHttp2Session> {
    const socket = await connectTo(edge, servername, { ALPNProtocols: ["h2"] });
    const session = connectH2(`https://${servername}`, { createConnection: () => socket });
    session.on("error", () => undefined);
    return session;
  }

  async function ask(
    session: ClientHttp2Session,
    headers: Record<string, string>,
  ): Promise<{ readonly status: number; readonly body: string }> {
    const stream = session.request({ ":path": "/", ...headers });
    const [response] = await once(stream, "response");
    let body = "";
    for await (const chunk of stream) body += String(chunk);
    return { status: response[":status"], body };
  }

  async function askH2(sni: string, host: string) {
    const session = await openH2(sni);
    const answer = await ask(session, { ":authority": host });
    session.destroy();
    return answer;
  }

  async function askH1(sni: string, host: string) {
    const body = await roundTrip(edge, sni, request(host));
    return { status: parseStatus(body), body };
  }

  it("serves only the name of its handshake, in any spelling of that name", async () => {
    for (const host of [
      "a.example",
      "A.Example",
      "a.example.",
      "a.example:443",
      "A.EXAMPLE:8443",
    ]) {
      assert.match(await roundTrip(edge, "a.example", request(host)), /answer of a$/, host);
    }
    for (const host of ["b.example", "example", "xa.example", "a.example.b.example", "127.0.0.1"]) {
      const answer = await roundTrip(edge, "a.example", request(host));
      assert.ok([400, 421].includes(parseStatus(answer)), `${host}: ${answer}`);
      assert.doesNotMatch(answer, /answer of/);
    }
  });

  it("checks every request of a pipeline", async () => {
    const socket = await connectTo(edge, "a.example");
    const answer = readAll(socket);
    const get = (host: string) => `GET / HTTP/1.1\r\nHost: ${host}\r\n\r\n`;
    const last = request("a.example");
    socket.write(
      get("a.example") + get("b.example") + get("a.example") + get("b.example:443") + last,
    );
    const text = await answer;
    assert.deepEqual(
      [...text.matchAll(/HTTP\/1\.1 ([0-9]+)/g)].map((match) => match[1]),
      ["200", "421", "200", "421", "200"],
    );
    assert.equal(text.match(/answer of a/g)?.length, 3);
    assert.doesNotMatch(text, /answer of b/);
  });

  it("checks every stream of an HTTP/2 connection", async () => {
    const session = await openH2("a.example");
    const answers = await Promise.all(
      ["a.example", "b.example", "A.example:443", "a.example"].map((authority) =>
        ask(session, { ":authority": authority }),
      ),
    );
    assert.deepEqual(
      answers.map(({ status }) => status),
      [200, 421, 200, 200],
    );
    assert.doesNotMatch(answers.map(({ body }) => body).join(), /answer of b/);
    session.destroy();
  });

  it("refuses an HTTP/2 request whose host and authority differ", async () => {
    const session = await openH2("a.example");
    const answer = await ask(session, { ":authority": "a.example", host: "b.example" });
    assert.equal(answer.status, 400);
    session.destroy();
  });

  it("refuses requests as soon as its host has another claim, and is closed soon after", async () => {
    edge.hosts.set("c.example", { originUrl: a.url });
    const socket = await connectTo(edge, "c.example");
    const session = await openH2("c.example");
    assert.equal((await ask(session, { ":authority": "c.example" })).status, 200);
    // The edge may close it before it has read the request, which is then not answered.
    const answer = readAll(socket).catch(() => "");
    edge.hosts.set("c.example", { originUrl: b.url, epoch: 2 });
    socket.write("GET / HTTP/1.1\r\nHost: c.example\r\n\r\n");
    const text = await answer;
    assert.ok(text === "" || parseStatus(text) === 421, text);
    if (!session.closed) await once(session, "close");
    edge.hosts.delete("c.example");
  });

  it("is closed when its host is removed, idle or not", async () => {
    edge.hosts.set("d.example", { originUrl: a.url });
    const idle = await connectTo(edge, "d.example");
    const busy = await openH2("d.example");
    edge.hosts.delete("d.example");
    await Promise.all([readAll(idle), busy.closed ? undefined : once(busy, "close")]);
  });

  it("has no site for a name that was archived, also while its certificate is known", async () => {
    edge.hosts.set("left.example", { originUrl: a.url, tenantId: "a" });
    assert.equal((await askH1("left.example", "left.example")).status, 200);
    edge.hosts.delete("left.example");
    await assert.rejects(connectTo(edge, "left.example"), "TLS begins for names that are served");
    for (const sni of ["a.example", "b.example"]) {
      const { status, body } = await askH1(sni, "left.example");
      assert.equal(status, 421);
      assert.doesNotMatch(body, /answer of/);
    }
    const plain = await connectPlain(edge.httpPort);
    plain.write(request("left.example"));
    const page = await readAll(plain);
    assert.equal(parseStatus(page), 421);
    assert.match(page, /<h1>Not connected<\/h1>/);
    assert.doesNotMatch(page, /answer of|location:/);
    const arabic = await connectPlain(edge.httpPort);
    arabic.write(request("left.example").replace("\r\n\r\n", "\r\nAccept-Language: ar\r\n\r\n"));
    const translated = await readAll(arabic);
    assert.match(translated, /\r\nvary: accept-language\r\n/i);
    assert.match(translated, /<html lang="ar" dir="rtl">/);
  });

  it("separates hosts in any mix of names, requests and versions", async () => {
    const size = proofSize(150, 5_000);
    const names = ["a.example", "b.example"] as const;
    for (let index = 0; index < size; index += 1) {
      const sni = names[index % 2] ?? "a.example";
      const host = names[(index >> 1) % 2] ?? "a.example";
      const { status, body } = index % 3 === 0 ? await askH2(sni, host) : await askH1(sni, host);
      assert.equal(status, sni === host ? 200 : 421);
      assert.equal(body.endsWith(`answer of ${host[0]}`), sni === host);
    }
  });

  it("aborts the request to the origin when the client resets the stream", async () => {
    let cut = false;
    let isAsked = false;
    const slow = await startOrigin((incoming) => {
      isAsked = true;
      incoming.on("close", () => {
        cut = true;
      });
    });
    edge.hosts.set("slow.example", { originUrl: slow.url });
    const session = await openH2("slow.example");
    const stream = session.request({ ":path": "/", ":authority": "slow.example" });
    stream.on("error", () => undefined);
    await until(() => isAsked);
    stream.close(constants.NGHTTP2_CANCEL);
    await until(() => cut);
    session.destroy();
    await slow.close();
  });
});
