import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { createHash, X509Certificate } from "node:crypto";
import { writeFileSync } from "node:fs";
import path from "node:path";
import { text } from "node:stream/consumers";
import { after, before, describe, it } from "node:test";
import { launchChromium } from "@mooring/testing/browser/chromium";
import { openQuicVisit, type QuicVisit, resumeQuicVisits } from "@mooring/testing/clients/aioquic";
import { visitByCurl } from "@mooring/testing/clients/curl-h3";
import { visit } from "@mooring/testing/clients/visit";
import {
  type AcceleratedEdge,
  startAcceleratedEdge,
} from "@mooring/testing/edge/accelerator/accelerated-edge";
import { startOrigin, startRawOrigin, type TestOrigin } from "@mooring/testing/edge/origin";
import { findDebian13 } from "@mooring/testing/processes/debian-13";
import { proofSize } from "@mooring/testing/processes/proof-size";
import { until } from "@mooring/testing/processes/until";

const own = (name: string) => ({
  connectionId: `0198c0de-0000-7000-8000-${name.padStart(12, "0")}`,
});
/** Two seconds are promised; a busy machine gets more. */
const limitMs = proofSize(4_500, 2_000);

const debian13 = findDebian13();
const skip = "missing" in debian13 ? debian13.missing : false;

/** With the HAProxy of Debian 13, by curl, aioquic and Chromium. */
describe("HTTP/3 for promoted names", { skip }, () => {
  assert.ok("haproxy" in debian13 || skip !== false);
  const { haproxy, curl, openssl, python } = "haproxy" in debian13 ? debian13 : emptyRoot;
  let edge: AcceleratedEdge;
  let origin: TestOrigin;
  let ca = "";
  before(async () => {
    origin = await startOrigin();
    edge = await startAcceleratedEdge({ names: 8, program: haproxy, hasHttp3: true });
    assert.ok(edge.accelerator.hasHttp3);
    ca = path.join(edge.directory, "root.pem");
    writeFileSync(ca, edge.authority.certificatePem);
    for (const [index, name] of ["one.example", "two.example", "quiet.example"].entries()) {
      edge.hosts.set(name, { originUrl: origin.url, ...own(String(index + 1)) });
    }
    for (const name of ["one.example", "two.example"]) await edge.promote(name);
  });
  after(async () => {
    await edge?.close();
    await origin?.close();
  });

  const byCurl = (hostname: string, ...options: readonly string[]) =>
    visitByCurl({ curl, port: edge.httpsPort, ca }, hostname, "/a?b", ...options);
  const open = async (hostname: string): Promise<QuicVisit> => {
    const opened = await openQuicVisit({ python, port: edge.httpsPort, ca }, hostname);
    assert.ok(opened !== null, hostname);
    return opened;
  };
  const alternative = () => `h3=":${edge.httpsPort}"; ma=300`;

  it("gives the origin the same request as over HTTP/2, and counts it", async () => {
    const fields = ["x-real-ip: 192.0.2.1", "x-svc-assertion: forged", "cookie: a=1; b=2"];
    const sent = fields.flatMap((field) => ["-H", field]);
    const received: unknown[] = [];
    for (const [version, way] of [
      ["2", "--http2"],
      ["3", "--http3-only"],
    ] as const) {
      const before = await edge.served();
      const answer = await byCurl("one.example", way, ...sent);
      assert.deepEqual(answer, { status: "200", version, altSvc: alternative(), body: "origin" });
      assert.equal(await edge.served(), before + 1);
      const { rawHeaders, headers, ...rest } = origin.received.at(-1) ?? assert.fail();
      assert.equal(headers["via"], `${version}.0 edge.example`);
      received.push({ ...rest, headers: { ...headers, via: "" } });
    }
    assert.deepEqual(received[1], received[0]);
    const lines = () => edge.accessLines.filter(({ path }) => path === "/a");
    await until(() => lines().length === 2, "the line of the request");
    assert.equal(lines()[1]?.remoteAddress, "127.0.0.1");
  });

  it("is what curl takes for its second visit, by what the first one announced", async () => {
    const stored = ["--alt-svc", path.join(edge.directory, "alternatives")];
    assert.equal((await byCurl("two.example", "--http2", ...stored)).version, "2");
    assert.equal((await byCurl("two.example", ...stored)).version, "3");
  });

  it("leaves to the Node edge what HAProxy may not serve", async () => {
    const one = await open("one.example");
    const before = await edge.served();
    assert.equal((await one.ask({ path: "/up", method: "POST", body: "abc" }))?.body, "origin");
    assert.equal(origin.received.at(-1)?.body, "abc");
    assert.equal((await one.ask({ path: "/hidden", body: "abc" }))?.body, "origin");
    assert.equal(origin.received.at(-1)?.body, "abc");
    assert.equal(origin.received.at(-1)?.headers["x-real-ip"], "127.0.0.1");
    const challenge = await one.ask({ path: "/.well-known/acme-challenge/abc" });
    assert.equal(challenge?.head[":status"], "404");
    assert.equal(await edge.served(), before);
    await one.close();
  });

  it("serves one name in a connection", async () => {
    const count = origin.received.length;
    const one = await open("one.example");
    const other = await one.ask({ path: "/", authority: "two.example" });
    assert.equal(other?.head[":status"], "421");
    assert.equal(other?.head["alt-svc"], undefined);
    await one.close();
    assert.equal(origin.received.length, count);
  });

  it("resumes no session, and takes no early data", async () => {
    const names = ["one.example", "two.example"];
    const client = { python, port: edge.httpsPort, ca };
    // Without a ticket there is nothing to resume, and no early data.
    const found = await resumeQuicVisits(client, "one.example", names);
    assert.deepEqual(found, { resumed: [], early: [] });
  });

  it("has nothing for a name that is not promoted, whose visitors come by TCP", async () => {
    const refused = await byCurl("quiet.example", "--http3-only");
    assert.equal(refused.status, "000");
    const client = { python, port: edge.httpsPort, ca };
    assert.equal(await openQuicVisit(client, "quiet.example"), null);
    const answer = await byCurl("quiet.example", "--http3");
    assert.deepEqual(answer, { status: "200", version: "2", altSvc: "", body: "origin" });
  });

  it("has nothing for trusted proxies, which the Node edge knows", async () => {
    const from = ["--interface", "127.9.9.9"];
    assert.equal((await byCurl("one.example", "--http3-only", ...from)).status, "000");
    assert.equal((await byCurl("one.example", "--http2", ...from)).status, "200");
  });

  it("is spoken by Chromium, with a post-quantum key exchange here and in the Node edge", async () => {
    const { cert } = (await edge.leaves.get("one.example")) ?? assert.fail();
    const { publicKey } = new X509Certificate(cert);
    const spki = createHash("sha256").update(publicKey.export({ type: "spki", format: "der" }));
    const browser = await launchChromium(
      `--host-resolver-rules=MAP *.example 127.0.0.1:${edge.httpsPort}`,
      // By what a server announces it takes HTTP/3 only from one with a root of its own list.
      "--origin-to-force-quic-on=one.example:443",
      `--ignore-certificate-errors-spki-list=${spki.digest("base64")}`,
    );
    try {
      const page = await browser.newPage({ ignoreHTTPSErrors: true });
      const session = await page.context().newCDPSession(page);
      await session.send("Network.enable");
      const seen: unknown[] = [];
      session.on("Network.responseReceived", ({ response, type }) => {
        if (type !== "Document") return;
        seen.push([response.protocol, response.securityDetails?.keyExchangeGroup]);
      });
      for (const name of ["one.example", "quiet.example"]) await page.goto(`https://${name}/`);
      await until(() => seen.length === 2, "both answers");
      assert.deepEqual(seen, [
        ["h3", "X25519MLKEM768"],
        ["h2", "X25519MLKEM768"],
      ]);
    } finally {
      await browser.close();
    }
  });

  it("comes with a post-quantum key exchange over TCP, too", async () => {
    for (const name of ["one.example", "quiet.example"]) {
      const at = ["-connect", `127.0.0.1:${edge.httpsPort}`, "-servername", name];
      const child = spawn(openssl, ["s_client", ...at, "-groups", "X25519MLKEM768"], {
        stdio: ["ignore", "pipe", "ignore"],
      });
      assert.match(await text(child.stdout), /Negotiated TLS1\.3 group: X25519MLKEM768/, name);
    }
  });

  it("cuts what is open when a name is released", async () => {
    const slow = await startRawOrigin((socket) => {
      socket.once("data", () =>
        socket.write("HTTP/1.1 200 OK\r\ncontent-length: 100000\r\n\r\nbegun"),
      );
    });
    edge.hosts.set("leaving.example", { originUrl: slow.url, ...own("6") });
    await edge.promote("leaving.example");
    const one = await open("leaving.example");
    const begun = await one.begin({ path: "/long" });
    edge.hosts.delete("leaving.example");
    edge.promotion.removed("leaving.example");
    await until(() => begun.isCut(), "the answer cut", limitMs);
    const next = await one.ask({ path: "/" });
    assert.ok(next === null || next.head[":status"] === "421", JSON.stringify(next));
    await one.close();
    const client = { python, port: edge.httpsPort, ca };
    assert.equal(await openQuicVisit(client, "leaving.example"), null);
    await slow.close();
  });

  it("is taken back when a name is demoted, and no request is lost", async () => {
    edge.hosts.set("ruled.example", { originUrl: origin.url, ...own("7") });
    await edge.promote("ruled.example");
    const one = await open("ruled.example");
    assert.equal((await one.ask({ path: "/" }))?.head["alt-svc"], alternative());
    const rules = { allow: ["127.0.0.0/8"] };
    edge.hosts.set("ruled.example", { originUrl: origin.url, ...own("7"), edge: rules });
    await until(() => !edge.promotion.isPromoted("ruled.example"), "the demotion", limitMs);
    const answer = await one.ask({ path: "/" });
    assert.equal(answer?.head[":status"], "200");
    assert.equal(answer?.head["alt-svc"], "clear");
    await one.close();
  });

  it("is back after HAProxy was killed, for names that are promoted again", async () => {
    const pid = edge.accelerator.pid() ?? assert.fail();
    const one = await open("one.example");
    process.kill(pid, "SIGKILL");
    await until(async () => {
      const page = await visit(edge.httpsPort, "one.example", edge.authority.certificatePem).catch(
        () => null,
      );
      return page?.status === 200 && edge.accelerator.pid() !== pid;
    }, "the restart");
    await one.close();
    await until(async () => {
      const { status } = await byCurl("one.example", "--http3-only");
      return status === "200";
    }, "HTTP/3 after the restart");
  });
});

const emptyRoot = { haproxy: "", curl: "", openssl: "", python: "" };
