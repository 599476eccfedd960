import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { callCli } from "@mooring/testing/cli/run-cli";
import { answer, scriptedServer } from "@mooring/testing/sdk/scripted-server";
import document from "../../../../sdk/openapi.json" with { type: "json" };

const { items } =
  document.paths["/v1/webhook-endpoints"].post.requestBody.content["application/json"].schema
    .properties.events;

describe("mooring webhooks create", () => {
  it("takes every event type of the OpenAPI document, and sends them as they are", async () => {
    const applications = { data: [{ id: "app_1", name: "Shop" }], next_cursor: null };
    const made = { id: "we_1", url: "https://shop.example/", events: [], signing_secret: "s" };
    const server = await scriptedServer(answer(200, applications), answer(201, made));
    const env = { MOORING_URL: server.url, MOORING_API_KEY: "mrg_test_key" };
    try {
      const url = "https://shop.example/";
      const options = ["--app", "Shop", "--format", "cloudflare", "--events", ...items.enum];
      const { code, stderr } = await callCli(["webhooks", "create", url, ...options], env);
      assert.equal(code, 0, stderr);
      const sent = JSON.parse(server.requests[1]?.body ?? "{}") as Record<string, unknown>;
      assert.deepEqual([sent["events"], sent["format"]], [items.enum, "cloudflare"]);
    } finally {
      await server.close();
    }
  });

  it("refuses an event type that the API does not have", async () => {
    const args = ["webhooks", "create", "https://shop.example/", "--events", "domain.sold"];
    const { code, stderr } = await callCli(args, { MOORING_API_KEY: "mrg_test_key" });
    assert.equal(code, 2);
    assert.match(stderr, /Allowed choices are domain\.added, /);
  });
});
