import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createGuard } from "./guard.ts";
import { checkOriginUrl } from "./origin-url.ts";

describe("checkOriginUrl", () => {
  const guard = createGuard();

  it("takes http, https and h2c, which is http on the wire", () => {
    const plain = checkOriginUrl(guard, "http://app.example:3000/a");
    assert.deepEqual([plain.url.href, plain.isH2c], ["http://app.example:3000/a", false]);
    const secure = checkOriginUrl(guard, "https://app.example");
    assert.deepEqual([secure.url.href, secure.isH2c], ["https://app.example/", false]);
    const h2c = checkOriginUrl(guard, "H2C://App.Example:50051/a");
    assert.deepEqual([h2c.url.href, h2c.isH2c], ["http://app.example:50051/a", true]);
  });

  it("refuses an address in every spelling under h2c too", () => {
    for (const host of [
      "127.0.0.1",
      "0x7f.1",
      "2130706433",
      "0177.0.0.1",
      "[::1]",
      "１２７.0.0.1",
    ]) {
      assert.throws(
        () => checkOriginUrl(guard, `h2c://${host}`),
        { kind: "refused_address" },
        host,
      );
    }
    assert.throws(() => checkOriginUrl(guard, "h2c://a:b@app.example"), { kind: "refused_url" });
    assert.throws(() => checkOriginUrl(guard, "h2c://app.example:22"), { kind: "refused_url" });
  });

  it("says which schemes there are", () => {
    for (const text of [
      "h2://app.example",
      "h2c:app.example",
      "grpc://app.example",
      "app.example",
    ]) {
      assert.throws(
        () => checkOriginUrl(guard, text),
        { message: /must begin with http:\/\/, https:\/\/ or h2c:\/\// },
        text,
      );
    }
  });
});
