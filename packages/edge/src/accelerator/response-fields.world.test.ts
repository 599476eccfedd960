import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import {
  type AcceleratedEdge,
  startAcceleratedEdge,
} from "@mooring/testing/edge/accelerator/accelerated-edge";
import { connectTo, parseStatus, readUntil } from "@mooring/testing/edge/client";
import { startRawOrigin } from "@mooring/testing/edge/origin";

const policy = "default-src 'self'; img-src * | ;%";
const settings = {
  hsts: { max_age: 31_536_000, include_subdomains: true, preload: true },
  response_headers: [
    { action: "set", name: "Content-Security-Policy", value: policy },
    { action: "remove", name: "x-powered-by", value: null },
    { action: "add", name: "set-cookie", value: 'seen="1"; Path=/' },
    { action: "set", name: "cache-control", value: "no-store, private" },
    { action: "set", name: "x-empty", value: "" },
  ],
};
const fields = [
  "Content-Length: 4",
  "Strict-Transport-Security: max-age=1",
  "content-security-policy: none",
  "Content-Security-Policy: none",
  "X-Powered-By: origin",
  "Set-Cookie: a=1",
  "Cache-Control: public",
  "Connection: x-hop",
  "X-Hop: 1",
];
const promise = "strict-transport-security: max-age=31536000; includeSubDomains; preload";

describe("hsts and response_headers of a promoted name", () => {
  let edge: AcceleratedEdge;
  before(async () => {
    edge = await startAcceleratedEdge({ names: 2 });
  });
  after(() => edge?.close());

  async function ask(hostname: string, end: string): Promise<string> {
    const socket = await connectTo(edge, hostname);
    const answer = readUntil(socket, (text) => text.trimEnd().endsWith(end));
    socket.write(`GET / HTTP/1.1\r\nHost: ${hostname}\r\n\r\n`);
    const text = await answer;
    socket.destroy();
    return text;
  }

  it("change the response of the origin as in the Node edge", async (t) => {
    const origin = await startRawOrigin((socket) => {
      socket.on("data", () =>
        socket.write(`HTTP/1.1 200 OK\r\n${fields.join("\r\n")}\r\n\r\nbody`),
      );
    });
    t.after(() => origin.close());
    edge.hosts.set("ruled.example", { originUrl: origin.url, edge: settings });
    const lines = async (): Promise<readonly string[]> =>
      (await ask("ruled.example", "body")).split("\r\n").filter((line) => !isOwn.test(line));
    const slow = await lines();
    await edge.promote("ruled.example");
    const served = await edge.served();
    const fast = await lines();
    assert.equal(await edge.served(), served + 1);
    assert.deepEqual([...fast].sort(), [...slow].sort());
    assert.ok(fast.includes(promise) && fast.includes(`content-security-policy: ${policy}`));
  });

  it("leave HAProxy's own page with HSTS alone", async (t) => {
    const origin = await startRawOrigin((socket) => socket.on("data", () => socket.destroy()));
    t.after(() => origin.close());
    edge.hosts.set("failing.example", { originUrl: origin.url, edge: settings });
    await edge.promote("failing.example");
    const served = await edge.served();
    const page = await ask("failing.example", "</html>");
    assert.equal(await edge.served(), served + 1);
    assert.equal(parseStatus(page), 502);
    assert.ok(page.includes(`\r\n${promise}\r\n`));
    assert.ok(!page.includes(policy));
  });
});

/** What differs between any two responses, and our own announcement of HTTP/3. */
const isOwn = /^(date|alt-svc): /;
