import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createGuard } from "./guard.ts";
import { checkOriginUrl, findOriginRefusal, findOriginUrlFault } from "./origin-url.ts";

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

describe("findOriginUrlFault", () => {
  const guard = createGuard();

  it("finds none in what the edge uses as it is", () => {
    for (const text of [
      "http://app.example",
      "https://app.example:8443/base/",
      "h2c://app.example:50051",
      "https://93.184.216.34/",
      "https://[2606:2800:220:1::1]/",
      "https://localhost.example.com",
    ]) {
      assert.equal(findOriginUrlFault(guard, text), null, text);
    }
  });

  it("names what the edge would refuse or leave out", () => {
    const faults: readonly (readonly [string, RegExp])[] = [
      ["ftp://app.example", /must begin with http/],
      ["https://", /must begin with http/],
      ["https://app.example:22", /the port must be 443, 80 or at least 1024/],
      ["https://app.example:0", /the port must be/],
      ["https://user@app.example", /user name or password/],
      ["https://:secret@app.example", /user name or password/],
      ["https://app.example/?a=1", /no query and no fragment/],
      ["https://app.example/?", /no query and no fragment/],
      ["https://app.example/#", /no query and no fragment/],
      ["h2c://app.example#top", /no query and no fragment/],
      ["http://127.0.0.1:3000", /refused: loopback/],
      ["http://0x7f.1:3000", /refused: loopback/],
      ["http://10.0.0.1", /refused: private/],
      ["http://169.254.169.254/latest", /refused/],
      ["http://[::ffff:10.0.0.1]/", /refused/],
      ["http://localhost:3000", /refused: loopback/],
      ["http://app.LOCALHOST./", /refused: loopback/],
    ];
    for (const [text, reason] of faults) {
      assert.match(findOriginUrlFault(guard, text) ?? "none", reason, text);
    }
  });

  it("permits what the operator has opened", () => {
    const open = createGuard({ allowPrivate: "loopback", allow: ["10.1.0.0/16"] });
    for (const text of ["http://localhost:3000", "http://127.0.0.1:3000", "http://10.1.2.3"]) {
      assert.equal(findOriginUrlFault(open, text), null, text);
    }
    assert.match(findOriginUrlFault(open, "http://10.2.0.1") ?? "", /refused/);
  });
});

describe("findOriginRefusal", () => {
  const resolving = (...addresses: readonly string[]) =>
    createGuard({ lookup: async () => addresses, allow: ["10.1.0.0/16"] });

  it("says why an edge would not dial what the name resolves to", async () => {
    const refused = await findOriginRefusal(resolving("10.2.0.1"), "http://app:3000");
    assert.equal(refused?.kind, "refused_address");
    assert.match(refused?.message ?? "", /private use/);
    const beside = await findOriginRefusal(resolving("93.184.216.34", "::1"), "https://a.example");
    assert.equal(beside?.kind, "refused_address");
    const port = await findOriginRefusal(resolving("93.184.216.34"), "http://a.example:25");
    assert.equal(port?.kind, "refused_url");
  });

  it("is content with public addresses, opened networks, and names without an answer", async () => {
    for (const guard of [resolving("93.184.216.34"), resolving("10.1.2.3"), resolving()]) {
      assert.equal(await findOriginRefusal(guard, "https://a.example"), null);
    }
    const failing = createGuard({ lookup: () => Promise.reject(new Error("no answer")) });
    assert.equal(await findOriginRefusal(failing, "https://a.example"), null);
  });
});
