import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { html } from "./html.ts";

describe("html", () => {
  it("escapes every text that is put into it, in elements and attributes", () => {
    const hostile = `"><script>alert('x')</script>&`;
    assert.equal(
      html`<p title="${hostile}">${hostile}</p>`.markup,
      '<p title="&quot;&gt;&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt;&amp;">' +
        "&quot;&gt;&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt;&amp;</p>",
    );
  });

  it("leaves its own markup as it is, single or in a list, and nothing for null", () => {
    const items = ["a", "<b>"].map((text) => html`<li>${text}</li>`);
    assert.equal(
      html`<ul>${items}${null}${7}</ul>`.markup,
      "<ul><li>a</li><li>&lt;b&gt;</li>7</ul>",
    );
  });
});
