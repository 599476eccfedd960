import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createOriginCheck, originHelp } from "./origin.ts";

const parts = {
  baseUrl: "https://connect.example/base",
  pageOrigin: "https://shop.example",
  signal: new AbortController().signal,
};

describe("a page whose origin is not allowed", () => {
  it("is distinguished from a service that is away by the service's script", async () => {
    const asked: string[] = [];
    const there = createOriginCheck({
      ...parts,
      fetch: async (input) => {
        asked.push(String(input));
        return new Response(null);
      },
    });
    assert.equal(await there.isRefused(), true);
    assert.deepEqual(asked, ["https://connect.example/base/sdk/v1/widget.js"]);
    const away = createOriginCheck({
      ...parts,
      fetch: () => Promise.reject(new TypeError("away")),
    });
    assert.equal(await away.isRefused(), false);
  });

  it("is not suspected after an answer, nor on the service's own pages", async () => {
    const fetch = async () => new Response(null);
    const answered = createOriginCheck({ ...parts, fetch });
    answered.noteAnswer();
    assert.equal(await answered.isRefused(), false);
    const own = createOriginCheck({ ...parts, pageOrigin: "https://connect.example", fetch });
    assert.equal(await own.isRefused(), false);
  });

  it("is named with the call that adds it to those that are there", () => {
    const help = originHelp("https://connect.example", "019a", "https://shop.example");
    assert.match(help, /does not allow https:\/\/shop\.example/);
    assert.match(help, /PATCH https:\/\/connect\.example\/v1\/applications\/019a/);
    assert.match(help, /\{"add_allowed_origins":\["https:\/\/shop\.example"\]\}/);
  });
});
