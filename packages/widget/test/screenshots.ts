import { mkdirSync } from "node:fs";
import path from "node:path";
import { launchBrowser, productPage } from "@mooring/testing/widget/browser";
import { startFakeService } from "@mooring/testing/widget/fake-service";
import { showShot } from "@mooring/testing/widget/shot";
import { shots } from "@mooring/testing/widget/shots";
import { buildWidget } from "../../../scripts/build-widget.ts";

/**
 * Takes screenshots of every screen against a scripted service:
 *
 *     node packages/widget/test/screenshots.ts DIRECTORY [pattern of names] [widths] [schemes] [language]
 */
const [
  directory = "screenshots",
  only = "",
  widths = "375,768,1280",
  schemes = "light,dark",
  locale = "en",
] = process.argv.slice(2);

await buildWidget();
mkdirSync(directory, { recursive: true });
const service = await startFakeService({
  "/": { html: productPage() },
  "/provider": { html: "<!doctype html><title>Provider</title>" },
});
const browser = await launchBrowser();
try {
  for (const width of widths.split(",").map(Number)) {
    for (const colorScheme of (["light", "dark"] as const).filter((one) => schemes.includes(one))) {
      const context = await browser.newContext({
        viewport: { width, height: width === 375 ? 760 : 860 },
        colorScheme,
        reducedMotion: "reduce",
      });
      for (const shot of shots.filter(({ name }) => new RegExp(only).test(name))) {
        const page = await context.newPage();
        page.on("pageerror", (error) => {
          throw new Error(`${shot.name} has an error`, { cause: error });
        });
        await showShot(page, service, { ...shot, options: { ...shot.options, locale } });
        await page.waitForTimeout(250);
        await page.screenshot({
          path: path.join(directory, `${shot.name}-${width}-${colorScheme}.png`),
        });
        await page.close();
      }
      await context.close();
    }
  }
} finally {
  await browser.close();
  await service.close();
}
