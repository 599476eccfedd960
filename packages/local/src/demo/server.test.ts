import assert from "node:assert/strict";
import { type IncomingHttpHeaders, request } from "node:http";
import { after, before, describe, it } from "node:test";
import { Mooring, signWebhook } from "@mooring/sdk";
import type { BackendParts } from "./backend.ts";
import { createFeed } from "./feed.ts";
import { createSandboxDns } from "./sandbox-dns.ts";
import { type DemoServer, startServer } from "./server.ts";
import type { DemoSettings } from "./state.ts";

const settings: DemoSettings = {
  host: "127.0.0.1",
  port: 0,
  publicUrl: "https://mooring.example/base",
  // Nothing listens there.
  apiUrl: "http://127.0.0.1:9",
  edgeAddress: "127.0.0.1",
  edgePort: 9,
  rootFile: "/nonexistent/root.pem",
  stateFile: "/nonexistent/demo.json",
};
const signingSecret = `whsec_${Buffer.alloc(32, 7).toString("base64")}`;

interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

describe("the demo's server", () => {
  let server: DemoServer;
  before(async () => {
    server = await startServer(settings);
  });
  after(() => server.close());

  function ask(
    path: string,
    input: { host?: string; method?: string; body?: string; headers?: object } = {},
  ) {
    return new Promise<Answer>((resolve, reject) => {
      const headers = { host: input.host ?? `localhost:${server.port}`, ...input.headers };
      const method = input.method ?? (input.body === undefined ? "GET" : "POST");
      const sent = request(
        { port: server.port, host: "127.0.0.1", path, method, headers },
        (from) => {
          let text = "";
          from.setEncoding("utf8").on("data", (part: string) => {
            text += part;
          });
          from.on("end", () =>
            resolve({ status: from.statusCode ?? 0, headers: from.headers, text }),
          );
        },
      );
      sent.on("error", reject);
      sent.end(input.body);
    });
  }

  it("says that it is not ready, and why it will not be", async () => {
    const starting = await ask("/");
    assert.deepEqual([starting.status, starting.headers["retry-after"]], [503, "1"]);
    server.explain("The demo is not available: no key.");
    assert.match((await ask("/")).text, /no key/);
    const client = new Mooring({ baseUrl: settings.apiUrl, apiKey: "sk_test_x", retries: 0 });
    const state: BackendParts["state"] = {
      tenantId: "t",
      key: "sk_test_x",
      applicationId: "a",
      endpointId: "e",
      signingSecret,
      port: 0,
    };
    const dns = createSandboxDns(client, "a");
    server.open({ settings, state, client, dns, feed: createFeed() });
  });

  it("allows its page only what the widget needs, from one other origin", async () => {
    const { status, headers, text } = await ask("/");
    assert.equal(status, 200);
    assert.ok(text.includes('src="https://mooring.example/base/sdk/v1/widget.js"'));
    const policy = String(headers["content-security-policy"]);
    assert.match(policy, /script-src 'self' https:\/\/mooring\.example;/);
    assert.doesNotMatch(policy, /unsafe/);
  });

  it("shows every other name as a customer's site, and answers as backend under its own name only", async () => {
    for (const path of ["/", "/settings", "/token", "/events"]) {
      const { text, headers } = await ask(path, { host: "shop.acme.test:8443" });
      assert.match(text, /<h1>Welcome to shop\.acme\.test<\/h1>/);
      assert.equal(headers["content-type"], "text/html; charset=utf-8");
    }
    const { text } = await ask("/", { host: "<script>alert(1)</script>" });
    assert.ok(!text.includes("<script>"));
  });

  it("does not trust an assertion that it cannot verify", async () => {
    const headers = { "x-svc-assertion": "not-a-token" };
    const { text } = await ask("/", { host: "shop.acme.test", headers });
    assert.match(text, /not to be trusted/);
  });

  it("accepts a delivery with a valid signature, and refuses every other", async () => {
    const event = { id: "1", type: "domain.added", data: { connection: { hostname: "a.test" } } };
    const body = JSON.stringify(event);
    const good = await signWebhook(body, { secret: signingSecret, id: "1", type: event.type });
    assert.equal((await ask("/webhooks", { body, headers: good })).status, 204);
    assert.equal((await ask("/webhooks", { body: `${body} `, headers: good })).status, 400);
    assert.equal((await ask("/webhooks", { body })).status, 400);
  });

  it("accepts requests of its own page only", async () => {
    const body = JSON.stringify({ zone: "acme.test" });
    const json = { "content-type": "application/json" };
    const otherOrigin = { ...json, origin: "https://evil.example" };
    assert.equal((await ask("/publish", { body, headers: otherOrigin })).status, 403);
    assert.equal(
      (await ask("/publish", { body, headers: { "content-type": "text/plain" } })).status,
      415,
    );
    const odd = JSON.stringify({ zone: "../acme.example" });
    assert.equal((await ask("/publish", { body: odd, headers: json })).status, 400);
    assert.equal((await ask("/visit?hostname=example.com")).status, 400);
    // The API is unreachable: reported without the cause.
    assert.equal((await ask("/publish", { body, headers: json })).status, 502);
    assert.equal((await ask("/nothing")).status, 404);
  });
});
