import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { searchedText } from "./pasted-url.ts";

describe("searchedText", () => {
  it("takes the host out of a pasted URL", () => {
    for (const url of [
      "https://shop.acme.test/a/b?q=1#x",
      " HTTP://shop.acme.test:8080 ",
      "//shop.acme.test/",
      "https://user:word@shop.acme.test/",
      "shop.acme.test/products",
      "shop.acme.test:443/",
      "shop.acme.test?x=1",
    ]) {
      assert.equal(searchedText(url), "shop.acme.test", url);
    }
  });

  it("leaves everything else as it is", () => {
    for (const text of ["acme", "customer 42", "cus:42", "team/7", "shop.acme.test", ""]) {
      assert.equal(searchedText(text), text, text);
    }
  });
});
