import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { maskUrl } from "./masked-url.ts";

describe("a masked URL", () => {
  const cases = [
    ["https://hooks.example.com/", "https://hooks.example.com/"],
    ["https://hooks.example.com/mooring/v2/events", "https://hooks.example.com/mooring/v2/events"],
    [
      "https://hooks.example.com:8443/domain-connection-events",
      "https://hooks.example.com:8443/domain-connection-events",
    ],
    ["https://hooks.example.com/in?token=abc&x=1", "https://hooks.example.com/in?token=***&x=***"],
    ["https://hooks.example.com/in?s3cret", "https://hooks.example.com/in?***"],
    ["https://me:pw@hooks.example.com/in", "https://***@hooks.example.com/in"],
    ["https://hooks.example.com/in#s3cret", "https://hooks.example.com/in#***"],
    [
      "https://hooks.slack.example/services/T0AB12CDE/B0FG34HIJ/abcdEFGH1234ijklMNOP5678",
      "https://hooks.slack.example/services/T0AB12CDE/B0FG34HIJ/***",
    ],
    [
      "https://chat.example/api/webhooks/123456789012345678/aAbBcCdDeEfFgGhHiIjJkKlLmMnNoOpPqQrRsStTxy9Z",
      "https://chat.example/api/webhooks/123456789012345678/***xy9Z",
    ],
    ["https://in.example/0199a3c2-5d70-7c11-8b6e-2f9a41d7e035", "https://in.example/***e035"],
  ] as const;
  for (const [url, masked] of cases) {
    it(`of ${url} is ${masked}`, () => {
      assert.equal(maskUrl(url), masked);
      assert.ok(URL.canParse(masked));
      assert.equal(maskUrl(masked).includes("s3cret"), false);
    });
  }
});
