import assert from "node:assert/strict";
import path from "node:path";
import { after, before, describe, it } from "node:test";
import { launchChromium } from "@mooring/testing/browser/chromium";
import { type FakeService, startFakeService } from "@mooring/testing/widget/fake-service";
import { applicationId, sampleCheck } from "@mooring/testing/widget/samples";
import { build } from "esbuild";
import type { Browser } from "playwright-core";
import { buildWidget } from "../../../scripts/build/widget.ts";

/** A page that bundles the published module with React. */
async function bundled(outDir: string): Promise<string> {
  const contents = `
    import { createElement as h, StrictMode, useState } from "react";
    import { createRoot } from "react-dom/client";
    import { SvcConnect, useSvc } from ${JSON.stringify(path.join(outDir, "react.mjs"))};
    const options = {
      applicationId: ${JSON.stringify(applicationId)}, token: "t", baseUrl: location.origin,
    };
    function Page() {
      const [isShown, show] = useState(true);
      const [closed, setClosed] = useState(0);
      const svc = useSvc({ ...options, onClose: () => setClosed(closed + 1) });
      return h("main", null,
        h("button", { id: "open", onClick: () => svc.open({ domain: "shop.acme.com" }) }, "Open"),
        h("button", { id: "hide", onClick: () => show(false) }, "Hide"),
        h("output", null, closed),
        isShown && h(SvcConnect, { ...options, className: "place" }));
    }
    createRoot(document.querySelector("#root")).render(h(StrictMode, null, h(Page)));`;
  const result = await build({
    stdin: { contents, resolveDir: import.meta.dirname, loader: "js" },
    bundle: true,
    write: false,
    format: "iife",
    define: { "process.env.NODE_ENV": '"development"' },
    logLevel: "silent",
  });
  const script = (result.outputFiles[0]?.text ?? "").replaceAll("</script", "<\\/script");
  return `<!doctype html><html lang="en"><meta charset="utf-8"><title>React</title><div id="root"></div><script>${script}</script></html>`;
}

describe("the widget in React", () => {
  let browser: Browser;
  let service: FakeService;
  before(async () => {
    const { outDir } = await buildWidget();
    service = await startFakeService({ "/": { html: await bundled(outDir) } });
    service.answers["POST domains:check"] = () => ({ body: sampleCheck() });
    browser = await launchChromium();
  });
  after(async () => {
    await browser.close();
    await service.close();
  });

  it("mounts once in strict mode, closes with its component, and calls the callbacks", async () => {
    const page = await browser.newPage();
    await page.goto(service.url);
    await page.locator(".place [data-svc-widget=inline]").waitFor();
    assert.equal(await page.locator("[data-svc-widget]").count(), 1);
    await page.click("#hide");
    assert.equal(await page.locator("[data-svc-widget]").count(), 0);
    await page.click("#open");
    const modal = page.locator("[data-svc-widget=modal]");
    assert.equal(await modal.getByTestId("svc-domain").inputValue(), "shop.acme.com");
    await modal.getByTestId("svc-close").click();
    await page.locator("output", { hasText: "1" }).waitFor();
  });
});
