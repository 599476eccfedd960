import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { contrast, isDark, parseComputed, sanitiseTheme } from "./theme.ts";

const clean = (theme: object) => sanitiseTheme(theme, () => true);

describe("a theme", () => {
  it("accepts colours, lengths and https URLs", () => {
    for (const colour of [
      "#fff",
      "#0d5c75cc",
      "rebeccapurple",
      "rgb(1, 2, 3)",
      "rgba(1 2 3 / 50%)",
      "hsl(120deg 50% 50%)",
      "oklch(0.7 0.1 200)",
      "lab(50% none -20)",
    ]) {
      assert.equal(clean({ accentColor: ` ${colour} ` }).accentColor, colour);
    }
    assert.equal(clean({ radius: "1.5rem" }).radius, "1.5rem");
    assert.equal(clean({ radius: "0" }).radius, "0");
    assert.equal(
      clean({ logoUrl: "https://cdn.acme.com/l.svg" }).logoUrl,
      "https://cdn.acme.com/l.svg",
    );
    assert.equal(clean({ hideBranding: true }).hideBranding, true);
    assert.deepEqual(clean({ accentColor: null, hideBranding: undefined }).refused, []);
  });

  it("ignores and reports every other value", () => {
    const hostile: readonly unknown[] = [
      "url(https://evil.example/x)",
      "red; background: url(//evil.example)",
      "red}body{display:none",
      "var(--x)",
      "env(safe-area-inset-top)",
      "attr(data-x)",
      "image-set('x' 1x)",
      "rgb(url(x))",
      "rgb(var(--x))",
      "expression(alert(1))",
      "javascript:alert(1)",
      "</style><script>alert(1)</script>",
      "#ggg",
      "#12345",
      "\u0000red",
      "red/**/",
      "\\75rl(x)",
      `rgb(${"1".repeat(200)})`,
      1,
      {},
      ["red"],
      { toString: () => "red" },
    ];
    for (const value of hostile) {
      const { accentColor, refused } = clean({ accentColor: value });
      assert.equal(accentColor, null, String(value));
      assert.deepEqual(refused, ["accentColor"]);
    }
    for (const value of ["calc(1px)", "100vw", "-1px", "1e3px", "12", "9999px", "10px;", 12]) {
      assert.equal(clean({ radius: value }).radius, null, String(value));
    }
    for (const value of [
      "http://cdn.acme.com/l.svg",
      "data:image/svg+xml,<svg onload=alert(1)>",
      "javascript:alert(1)",
      "//cdn.acme.com/l.svg",
      "https://user:pass@acme.com/l.svg",
      "blob:https://acme.com/1",
      "",
    ]) {
      assert.equal(clean({ logoUrl: value }).logoUrl, null, value);
    }
    assert.equal(sanitiseTheme({ accentColor: "nosuchcolour" }, () => false).accentColor, null);
  });
});

describe("contrast", () => {
  it("is computed as in WCAG", () => {
    assert.equal(contrast([1, 1, 1], [0, 0, 0]), 21);
    assert.equal(contrast([0, 0, 0], [0, 0, 0]), 1);
    assert.ok(Math.abs(contrast([0x76 / 255, 0x76 / 255, 0x76 / 255], [1, 1, 1]) - 4.54) < 0.01);
  });

  it("separates dark from light where black and white text are equally readable", () => {
    assert.ok(isDark([0.05, 0.1, 0.3]));
    assert.ok(!isDark([1, 0.82, 0.4]));
  });

  it("parses the colours that browsers compute", () => {
    assert.deepEqual(parseComputed("rgb(255, 0, 51)"), [1, 0, 0.2]);
    assert.deepEqual(parseComputed("rgba(255, 0, 51, 0.5)"), [1, 0, 0.2]);
    assert.deepEqual(parseComputed("color(srgb 1 0.5 1e-05)"), [1, 0.5, 0.00001]);
    assert.equal(parseComputed("none"), null);
  });
});
