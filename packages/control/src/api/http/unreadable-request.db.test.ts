import assert from "node:assert/strict";
import { connect } from "node:net";
import { after, before, describe, it } from "node:test";
import { startTestApp, type TestApp } from "@mooring/testing/control/app";

/** Sent to the API as they are; each ends where the parser gives up. */
const unreadable = [
  {
    what: "a head over the limit",
    text: buildHead(`/v1/connections/${"%C3%A4".repeat(3_000)}`),
    status: 431,
  },
  {
    what: "a field over the limit",
    text: buildHead("/v1/connections", `x: ${"a".repeat(20_000)}`),
    status: 431,
  },
  { what: "no HTTP at all", text: "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03", status: 400 },
  {
    what: "an unknown method",
    text: "FETCH /v1/connections HTTP/1.1\r\nHost: a\r\n\r\n",
    status: 400,
  },
  {
    what: "two lengths",
    text: buildHead("/v1/connections", "Content-Length: 1\r\nContent-Length: 2"),
    status: 400,
  },
] as const;

function buildHead(path: string, fields = "Accept: */*"): string {
  return `POST ${path} HTTP/1.1\r\nHost: localhost\r\n${fields}\r\n\r\n`;
}

describe("a request that the HTTP parser refuses", () => {
  let app: TestApp;
  before(async () => {
    app = await startTestApp();
  });
  after(() => app.close());

  for (const { what, text, status } of unreadable) {
    it(`answers ${what} with the envelope of every error, and a reference that is logged`, async () => {
      app.takeLog();
      const answer = await exchange(app.api.url, text);
      const [head = "", body = ""] = answer.split("\r\n\r\n");
      assert.match(head, new RegExp(`^HTTP/1\\.1 ${status} `));
      assert.match(head, /^cache-control: no-store\r$/im);
      assert.match(head, /^x-content-type-options: nosniff\r$/im);
      assert.match(head, /^content-type: application\/json/im);
      const { error } = JSON.parse(body);
      assert.equal(error.code, "invalid");
      assert.equal(error.details, null);
      assert.ok(error.message.length > 10);
      const reference = /^x-request-id: (\S+)\r$/im.exec(head)?.[1];
      assert.ok(reference);
      assert.match(app.takeLog().join(""), new RegExp(reference));
    });
  }

  it("answers the requests before it, and none after it", async () => {
    const good = "GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n";
    const answer = await exchange(app.api.url, `${good}\x01\r\n\r\n${good}`);
    assert.equal(answer.match(/HTTP\/1\.1 \d{3} /g)?.at(-1), "HTTP/1.1 400 ");
    assert.ok((answer.match(/HTTP\/1\.1 200 /g)?.length ?? 0) <= 1);
  });
});

/** Everything that the server sends until it closes the connection. */
function exchange(url: string, text: string): Promise<string> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    let answer = "";
    const socket = connect(Number(port), hostname, () => socket.write(text, "latin1"));
    socket.setEncoding("latin1");
    socket.on("data", (chunk: string) => {
      answer += chunk;
    });
    socket.on("error", reject);
    socket.on("close", () => resolve(answer));
  });
}
