import assert from "node:assert/strict";
import path from "node:path";
import { after, before, beforeEach, describe, it } from "node:test";
import { launchChromium } from "@mooring/testing/browser/chromium";
import { build } from "esbuild";
import type { Browser, Page } from "playwright-core";
import type { Child } from "../src/jsx-runtime.ts";

declare global {
  interface Window {
    /** The bundle of `src/jsx-runtime.ts`, in the page. */
    readonly runtime: typeof import("../src/jsx-runtime.ts");
    readonly root: Element;
  }
}

async function bundleRuntime(): Promise<string> {
  const result = await build({
    entryPoints: [path.resolve(import.meta.dirname, "../src/jsx-runtime.ts")],
    bundle: true,
    format: "iife",
    globalName: "runtime",
    write: false,
  });
  return result.outputFiles[0]?.text ?? "";
}

describe("the renderer", () => {
  let browser: Browser;
  let page: Page;
  let runtime = "";

  before(async () => {
    browser = await launchChromium();
    page = await browser.newPage();
    runtime = await bundleRuntime();
  });
  beforeEach(async () => {
    await page.goto("about:blank");
    await page.setContent('<div id="root"></div>');
    await page.addScriptTag({ content: runtime });
  });
  after(() => browser.close());

  /** The markup of the rendered tree. */
  const html = () => page.locator("#root").innerHTML();

  it("renders texts and numbers, and nothing for null, undefined and booleans", async () => {
    await page.evaluate(() => {
      const { jsx, render } = window.runtime;
      const children = ["a", 0, null, undefined, true, false, jsx("b", { children: 1 })];
      render(children, window.root);
    });
    assert.equal(await html(), "a0<b>1</b>");
  });

  it("expands fragments, nested lists and components", async () => {
    await page.evaluate(() => {
      const { Fragment, jsx, jsxs, render } = window.runtime;
      const italic = ({ children }: { readonly children?: Child }) => jsx("i", { children });
      const fragment = jsxs(Fragment, {
        children: ["x", jsx(italic, { children: "n" }), [["y"], []]],
      });
      render(jsx("p", { children: [fragment, "z"] }), window.root);
    });
    assert.equal(await html(), "<p>x<i>n</i>yz</p>");
  });

  it("renders markup in texts and attributes as text", async () => {
    const isSafe = await page.evaluate(() => {
      const { jsx, render } = window.runtime;
      const { root } = window;
      const evil = `"><img src=x onerror="window.hasRun = true">`;
      render(jsx("p", { title: evil, children: evil }), root);
      const p = root.firstElementChild;
      return (
        root.querySelector("img") === null &&
        p?.textContent === evil &&
        p.getAttribute("title") === evil
      );
    });
    assert.ok(isSafe);
  });

  it("preserves keyed elements when they are reordered, added and removed", async () => {
    const result = await page.evaluate(() => {
      const { jsx, render } = window.runtime;
      const { root } = window;
      const draw = (...keys: readonly string[]) => {
        render(
          keys.map((key) => jsx("li", { children: key }, key)),
          root,
        );
        return [...root.children];
      };
      const [a, b, c] = draw("a", "b", "c");
      const reordered = draw("c", "a", "b");
      const isSame = reordered[0] === c && reordered[1] === a && reordered[2] === b;
      const fewer = draw("d", "b");
      return {
        isSame,
        isReused: fewer[1] === b && fewer[0] !== a && fewer[0] !== c,
        texts: fewer.map((element) => element.textContent),
      };
    });
    assert.deepEqual(result, { isSame: true, isReused: true, texts: ["d", "b"] });
  });

  it("updates unkeyed elements in place, and replaces one of another type", async () => {
    const result = await page.evaluate(() => {
      const { jsx, render } = window.runtime;
      const { root } = window;
      render([jsx("p", { children: "one" }), jsx("p", { children: "two" })], root);
      const [first, second] = [...root.children];
      const text = first?.firstChild;
      render([jsx("p", { children: "uno" }), jsx("b", { children: "two" })], root);
      return {
        isUpdated: root.children[0] === first && first?.firstChild === text,
        isReplaced: root.children[1] !== second,
      };
    });
    assert.deepEqual(result, { isUpdated: true, isReplaced: true });
    assert.equal(await html(), "<p>uno</p><b>two</b>");
  });

  it("preserves an element when siblings before it come and go", async () => {
    const isSame = await page.evaluate(() => {
      const { jsx, render } = window.runtime;
      const { root } = window;
      const draw = (hasNotice: boolean) => {
        render([hasNotice && jsx("p", { children: "notice" }), jsx("form", {})], root);
        return root.querySelector("form");
      };
      const form = draw(false);
      return draw(true) === form && draw(false) === form && root.children.length === 1;
    });
    assert.ok(isSame);
  });

  it("removes nodes that it did not create", async () => {
    await page.evaluate(() => {
      const { jsx, render } = window.runtime;
      const { root } = window;
      render(jsx("p", {}), root);
      root.prepend(document.createElement("hr"));
      root.append("text");
      render(jsx("p", {}), root);
    });
    assert.equal(await html(), "<p></p>");
  });

  it("sets, changes and removes attributes", async () => {
    const draw = (props: Readonly<Record<string, unknown>>) =>
      page.evaluate((attributes) => {
        const { jsx, render } = window.runtime;
        render(jsx("button", attributes), window.root);
      }, props);
    await draw({ class: "a", tabIndex: -1, disabled: true, hidden: false, title: null });
    assert.equal(await html(), '<button class="a" tabindex="-1" disabled=""></button>');
    await draw({ class: "b", disabled: false });
    assert.equal(await html(), '<button class="b"></button>');
  });

  it("writes false for attributes in which it is a value", async () => {
    await page.evaluate(() => {
      const { jsx, render } = window.runtime;
      const props = { "aria-busy": false, "aria-hidden": true, spellcheck: false };
      render(jsx("p", props), window.root);
    });
    assert.equal(await html(), '<p aria-busy="false" aria-hidden="true" spellcheck="false"></p>');
  });

  it("sets value and checked of an input as properties, over what the person entered", async () => {
    const result = await page.evaluate(() => {
      const { jsx, render } = window.runtime;
      const { root } = window;
      const draw = (value: string, checked: boolean) =>
        render([jsx("input", { value }), jsx("input", { type: "checkbox", checked })], root);
      draw("one", true);
      const [text, box] = [...root.querySelectorAll("input")];
      if (text === undefined || box === undefined) throw new Error("no inputs");
      const first = [text.value, box.checked, text.hasAttribute("value")];
      text.value = "typed";
      box.checked = false;
      draw("one", true);
      return { first, second: [text.value, box.checked] };
    });
    assert.deepEqual(result, { first: ["one", true, false], second: ["one", true] });
  });

  it("calls the latest event handler once, and none after its removal", async () => {
    const calls = await page.evaluate(() => {
      const { jsx, render } = window.runtime;
      const { root } = window;
      const calls: string[] = [];
      const click = (name: string | null) => {
        const handler = name === null ? {} : { onClick: () => calls.push(name) };
        render(jsx("button", handler), root);
        root.querySelector("button")?.click();
      };
      for (const name of ["first", "second", null, "third"]) click(name);
      return calls;
    });
    assert.deepEqual(calls, ["first", "second", "third"]);
  });

  it("passes the event with its element to the handler", async () => {
    const result = await page.evaluate(() => {
      const { jsx, render } = window.runtime;
      const { root } = window;
      const received: unknown[] = [];
      const onSubmit = (event: Event) => {
        event.preventDefault();
        received.push(event.type, event.currentTarget === root.querySelector("form"));
      };
      render(jsx("form", { onSubmit, children: jsx("button", { type: "submit" }) }), root);
      root.querySelector("button")?.click();
      return received;
    });
    assert.deepEqual(result, ["submit", true]);
  });

  it("preserves focus and selection across updates", async () => {
    const result = await page.evaluate(() => {
      const { jsx, render } = window.runtime;
      const { root } = window;
      const draw = (hint: string | null) =>
        render(
          jsx("form", {
            class: hint ?? "",
            children: [
              hint !== null && jsx("p", { children: hint }),
              jsx("input", { value: "shop.acme.com" }),
              jsx("p", { children: hint }),
            ],
          }),
          root,
        );
      draw(null);
      const input = root.querySelector("input");
      input?.focus();
      input?.setSelectionRange(2, 5);
      for (const hint of ["one", "two", null]) draw(hint);
      return [document.activeElement === input, input?.selectionStart, input?.selectionEnd];
    });
    assert.deepEqual(result, [true, 2, 5]);
  });

  it("creates SVG elements in their namespace", async () => {
    const names = await page.evaluate(() => {
      const { jsx, render } = window.runtime;
      const { root } = window;
      render([jsx("svg", { children: jsx("path", { d: "M0 0" }) }), jsx("p", {})], root);
      return [...root.querySelectorAll("*")].map(({ namespaceURI }) => namespaceURI?.slice(-4));
    });
    assert.deepEqual(names, ["/svg", "/svg", "html"]);
  });
});
