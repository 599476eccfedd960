import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { launchChromium } from "@mooring/testing/browser/chromium";
import { type FakeService, startFakeService } from "@mooring/testing/widget/fake-service";
import { productPage } from "@mooring/testing/widget/product-page";
import { type Shot, showShot } from "@mooring/testing/widget/shot";
import { shots } from "@mooring/testing/widget/shots";
import { buildWidget } from "../build/widget.ts";
import { openPainter, type Painter } from "./painter.ts";
import { colorSchemes, layOut, pictureSizes, type ScreenOptions } from "./picture-sheet.ts";

const screens = path.resolve(import.meta.dirname, "../../docs/screens");

async function takeShot(painter: Painter, service: FakeService, shot: Shot): Promise<Buffer[]> {
  await showShot(painter.page, service, shot);
  const pictures: Buffer[] = [];
  for (const size of pictureSizes) pictures.push(await painter.paint(size));
  return pictures;
}

/**
 * Writes one image per screen of the widget to docs/screens/widget, or widget-<locale>-<browser>:
 * phone, tablet and desktop, light above dark.
 */
export async function takeWidgetScreens(pattern: string, options: ScreenOptions): Promise<void> {
  const { locale } = options;
  const directory = path.join(screens, `widget${options.suffix}`);
  await buildWidget();
  if (pattern === "") rmSync(directory, { recursive: true, force: true });
  mkdirSync(directory, { recursive: true });
  const service = await startFakeService({
    "/": { html: productPage() },
    "/provider": { html: "<!doctype html><title>Provider</title>" },
  });
  const browser = await launchChromium();
  const painters = await Promise.all(colorSchemes.map((one) => openPainter(options.browser, one)));
  try {
    for (const shot of shots.filter(({ name }) => name.includes(pattern))) {
      const inLocale = { ...shot, options: { ...shot.options, locale } };
      const pictures: Buffer[] = [];
      for (const painter of painters)
        pictures.push(...(await takeShot(painter, service, inLocale)));
      const sheet = await layOut(browser, pictures);
      writeFileSync(path.join(directory, `${shot.name}.webp`), sheet);
      console.log(`${shot.name}: ${Math.round(sheet.length / 1_024)} KB`);
    }
  } finally {
    for (const painter of painters) await painter.close();
    await browser.close();
    await service.close();
  }
}
