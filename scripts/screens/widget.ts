import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { launchChromium } from "@mooring/testing/browser/chromium";
import { type FakeService, startFakeService } from "@mooring/testing/widget/fake-service";
import { productPage } from "@mooring/testing/widget/product-page";
import { type Shot, showShot } from "@mooring/testing/widget/shot";
import { shots } from "@mooring/testing/widget/shots";
import type { Browser } from "playwright-core";
import { buildWidget } from "../build/widget.ts";
import { colorSchemes, layOut, pictureSizes } from "./picture-sheet.ts";

const screens = path.resolve(import.meta.dirname, "../../docs/screens");

async function takeShot(browser: Browser, service: FakeService, shot: Shot): Promise<Buffer[]> {
  const pictures: Buffer[] = [];
  for (const colorScheme of colorSchemes) {
    for (const viewport of pictureSizes) {
      const context = await browser.newContext({ viewport, colorScheme, reducedMotion: "reduce" });
      const page = await context.newPage();
      await showShot(page, service, shot);
      pictures.push(await page.screenshot({ animations: "disabled" }));
      await context.close();
    }
  }
  return pictures;
}

/**
 * Writes one image per screen of the widget to docs/screens/widget, or widget-<locale>: phone,
 * tablet and desktop, light above dark.
 */
export async function takeWidgetScreens(pattern: string, locale: string): Promise<void> {
  const directory = path.join(screens, locale === "en" ? "widget" : `widget-${locale}`);
  await buildWidget();
  if (pattern === "") rmSync(directory, { recursive: true, force: true });
  mkdirSync(directory, { recursive: true });
  const service = await startFakeService({
    "/": { html: productPage() },
    "/provider": { html: "<!doctype html><title>Provider</title>" },
  });
  const browser = await launchChromium();
  try {
    for (const shot of shots.filter(({ name }) => name.includes(pattern))) {
      const inLocale = { ...shot, options: { ...shot.options, locale } };
      const sheet = await layOut(browser, await takeShot(browser, service, inLocale));
      writeFileSync(path.join(directory, `${shot.name}.webp`), sheet);
      console.log(`${shot.name}: ${Math.round(sheet.length / 1_024)} KB`);
    }
  } finally {
    await browser.close();
    await service.close();
  }
}
