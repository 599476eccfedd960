import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { openerOrigins, requireRedirect } from "./redirect.ts";

const config = { baseUrl: "https://connect.mooring.example/api" };
const local = "http://localhost:3000/done";

function isAllowed(
  uri: string,
  allowedOrigins: readonly string[],
  environment: "test" | "live" = "live",
): boolean {
  try {
    return requireRedirect(config, { allowedOrigins, environment }, uri) === new URL(uri).href;
  } catch {
    return false;
  }
}

describe("where a customer may be sent at the end", () => {
  it("is an origin that the application lists, or our own", () => {
    const listed = ["https://app.shop.example"];
    assert.ok(isAllowed("https://app.shop.example/x?y=1#z", listed));
    assert.ok(isAllowed("https://connect.mooring.example/x", listed));
    for (const uri of [
      "https://shop.example/",
      "https://app.shop.example.evil.example/",
      "https://evil.example/https://app.shop.example/",
      "https://app.shop.example:444/",
      "http://app.shop.example/",
      "https://a:b@app.shop.example/",
      "data:text/html,x",
      "javascript:alert(1)",
      "null",
      "",
    ]) {
      assert.ok(!isAllowed(uri, listed), uri);
    }
  });

  it("is localhost in the test environment, while nothing is listed", () => {
    assert.ok(isAllowed(local, [], "test"));
    assert.ok(isAllowed("http://127.0.0.1:8080/", [], "test"));
    assert.ok(!isAllowed("http://localhost.evil.example/", [], "test"));
    assert.ok(!isAllowed("https://evil.example/", [], "test"));
    assert.ok(!isAllowed(local, ["https://app.shop.example"], "test"));
    assert.ok(!isAllowed(local, [], "live"));
  });
});

it("a popup posts to the listed origins and our own, never to all", () => {
  const allowedOrigins = ["https://app.shop.example", "https://connect.mooring.example"];
  assert.deepEqual(openerOrigins(config, { allowedOrigins }), allowedOrigins);
  assert.deepEqual(openerOrigins(config, { allowedOrigins: [] }), [
    "https://connect.mooring.example",
  ]);
});
