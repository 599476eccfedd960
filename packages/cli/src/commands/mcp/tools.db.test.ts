import assert from "node:assert/strict";
import { after, before, describe, it, type TestContext } from "node:test";
import {
  discoverOAuthProtectedResourceMetadata,
  extractWWWAuthenticateParams,
} from "@modelcontextprotocol/sdk/client/auth.js";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { Mooring } from "@mooring/sdk";
import { type Caller, connect, freshZone, openCaller } from "@mooring/testing/clients/connecting";
import { startTestApp, type TestApp } from "@mooring/testing/control/app";
import { keyWith } from "@mooring/testing/control/world";
import { startMcpHttp } from "./http-server.ts";
import type { Listener } from "./listener.ts";
import { createPlans } from "./plans.ts";

/** A busy machine is slow; a call that hangs still ends. */
const options = { timeout: 120_000 };

interface Application {
  readonly id: string;
  readonly name: string;
}

/** With the protocol's own client, which compares answers with the schemas of the tools. */
describe("the tools of mooring mcp", () => {
  let app: TestApp;
  let listener: Listener;
  let shop: Caller;
  let second: Caller;
  let other: Caller;

  before(async () => {
    app = await startTestApp();
    const { keys } = await app.tenant("Two products");
    shop = await openCaller(app.api.url, keys.test, "Shop");
    second = await openCaller(app.api.url, keys.test, "Second");
    other = await openCaller(app.api.url, (await app.tenant("Other")).keys.test, "Theirs");
    listener = await startMcpHttp({
      host: "127.0.0.1",
      port: 0,
      publicUrl: null,
      allowedOrigins: [],
      openClient: (apiKey) => new Mooring({ baseUrl: app.api.url, apiKey }),
      plans: createPlans(Date.now),
      now: Date.now,
      report: (error) => assert.fail(String(error)),
    });
  });
  after(async () => {
    await listener.close();
    await app.close();
  });

  async function open(test: TestContext, key: string): Promise<Client> {
    const requestInit = { headers: { authorization: `Bearer ${key}` } };
    const transport = new StreamableHTTPClientTransport(new URL(`${listener.url}/mcp`), {
      requestInit,
    });
    const client = new Client({ name: "test", version: "1" });
    await client.connect(transport as Transport, options);
    test.after(() => client.close());
    return client;
  }

  async function call(client: Client, name: string, args: Record<string, unknown>) {
    const result = await client.callTool({ name, arguments: args }, undefined, options);
    const content = result.content as readonly { readonly text?: string }[];
    return {
      isError: result.isError === true,
      text: content.map(({ text }) => text ?? "").join("\n"),
      value: (result.structuredContent ?? {}) as Record<string, unknown>,
    };
  }

  it("state what they take and answer, and refuse arguments that they do not take", async (test) => {
    const client = await open(test, shop.key);
    const { hostname } = await connect(shop, `www.${freshZone()}`);
    const { tools } = await client.listTools();
    const inputs: Record<string, Record<string, unknown>> = {
      check_domain: { domain: hostname },
      explain_connection: { connection: hostname },
      plan_change: { change: "archive", connection: hostname },
      apply_plan: { plan_id: "absent" },
    };
    assert.deepEqual(tools.map(({ name }) => name).sort(), [
      "apply_plan",
      "check_domain",
      "explain_connection",
      "find_connections",
      "list_applications",
      "list_stuck",
      "plan_change",
    ]);
    for (const { name, inputSchema, outputSchema } of tools) {
      assert.equal(inputSchema["additionalProperties"], false, name);
      assert.equal(outputSchema?.type, "object", name);
      assert.notEqual(outputSchema.required?.length ?? 0, 0, name);
      const answer = await call(client, name, inputs[name] ?? {});
      // A refusal has no structured content.
      assert.equal(answer.isError, name === "apply_plan", `${name}: ${answer.text}`);
      assert.equal(Object.keys(answer.value).length === 0, answer.isError, name);
      const misspelt = await call(client, name, { ...inputs[name], custommer_ref: "c-42" });
      assert.ok(misspelt.isError, name);
      assert.match(misspelt.text, /custommer_ref/, name);
    }
  });

  it("list the tenant's applications by pages, for a key that may see them", async (test) => {
    const client = await open(test, shop.key);
    await client.listTools();
    const seen: Application[] = [];
    let cursor: unknown = null;
    do {
      const query = cursor === null ? { limit: 1 } : { limit: 1, cursor };
      const { value, isError, text } = await call(client, "list_applications", query);
      assert.equal(isError, false, text);
      seen.push(...(value["data"] as readonly Application[]));
      cursor = value["next_cursor"];
    } while (cursor !== null);
    const named = seen.filter(({ name }) => name === "Shop" || name === "Second");
    assert.deepEqual(
      named.map(({ id }) => id).sort(),
      [shop.applicationId, second.applicationId].sort(),
    );
    assert.ok(seen.every(({ id }) => id !== other.applicationId));
    const { secret } = await keyWith(app, shop, ["connections:read"]);
    const refused = await call(await open(test, secret), "list_applications", {});
    assert.match(refused.text, /"code":"forbidden"/);
  });

  it("are behind a challenge that names the metadata of the resource (RFC 9728)", async () => {
    const url = new URL(`${listener.url}/mcp`);
    const ask = (headers: Record<string, string>) =>
      fetch(url, {
        method: "POST",
        headers: {
          "content-type": "application/json",
          accept: "application/json, text/event-stream",
          ...headers,
        },
        body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" }),
      });
    for (const [headers, error] of [
      [{}, undefined],
      [{ authorization: `Bearer ${shop.key}x` }, "invalid_token"],
    ] as const) {
      const refused = await ask(headers);
      assert.equal(refused.status, 401);
      const challenge = extractWWWAuthenticateParams(refused);
      assert.equal(challenge.error, error);
      assert.equal(
        challenge.resourceMetadataUrl?.href,
        `${listener.url}/.well-known/oauth-protected-resource/mcp`,
      );
    }
    const metadata = await discoverOAuthProtectedResourceMetadata(url);
    assert.equal(metadata.resource, url.href);
    assert.deepEqual(metadata.bearer_methods_supported, ["header"]);
    assert.equal(metadata.authorization_servers, undefined, "people make the keys");
    const root = `${listener.url}/.well-known/oauth-protected-resource`;
    assert.deepEqual(await (await fetch(root)).json(), metadata);
    assert.equal((await fetch(root, { method: "POST" })).status, 405);
  });
});
