import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { Browser } from "playwright-core";
import { launchBrowser, productPage } from "../packages/widget/test/support/browser.ts";
import {
  type FakeService,
  startFakeService,
} from "../packages/widget/test/support/fake-service.ts";
import { type Shot, showShot } from "../packages/widget/test/support/shot.ts";
import { shots } from "../packages/widget/test/support/shots.ts";
import { buildWidget } from "./build-widget.ts";

/**
 * Writes one image per screen of the widget to docs/screens/widget: phone, tablet and desktop, light
 * above dark.
 *
 *     node scripts/screens.ts [pattern of names]
 */
const directory = path.resolve(import.meta.dirname, "../docs/screens/widget");
const sizes = [
  { width: 375, height: 760 },
  { width: 768, height: 860 },
  { width: 1_280, height: 860 },
] as const;
const schemes = ["light", "dark"] as const;
/** The height of a screenshot on the image, in pixels: small files, still readable text. */
const shownHeight = 560;

async function takeShot(browser: Browser, service: FakeService, shot: Shot): Promise<Buffer[]> {
  const pictures: Buffer[] = [];
  for (const colorScheme of schemes) {
    for (const viewport of sizes) {
      const context = await browser.newContext({ viewport, colorScheme, reducedMotion: "reduce" });
      const page = await context.newPage();
      await showShot(page, service, shot);
      pictures.push(await page.screenshot({ animations: "disabled" }));
      await context.close();
    }
  }
  return pictures;
}

/** The browser arranges the screenshots and encodes the image. */
async function layOut(browser: Browser, pictures: readonly Buffer[]): Promise<Buffer> {
  const page = await browser.newPage();
  const urls = pictures.map((picture) => `data:image/png;base64,${picture.toString("base64")}`);
  const url = await page.evaluate<string>(`(async () => {
    const images = await Promise.all(${JSON.stringify(urls)}.map(async (src) => {
      const image = Object.assign(new Image(), { src });
      await image.decode();
      return image;
    }));
    const [height, gap, columns] = [${shownHeight}, 12, ${sizes.length}];
    const widths = images.map((image) => Math.round((image.width * height) / image.height));
    const canvas = document.createElement("canvas");
    canvas.width = widths.slice(0, columns).reduce((sum, width) => sum + width + gap, gap);
    canvas.height = (height + gap) * (images.length / columns) + gap;
    const pen = canvas.getContext("2d");
    pen.fillStyle = "#8a8f98";
    pen.fillRect(0, 0, canvas.width, canvas.height);
    pen.imageSmoothingQuality = "high";
    images.forEach((image, index) => {
      const row = Math.floor(index / columns);
      const before = widths.slice(row * columns, index);
      const x = before.reduce((sum, width) => sum + width + gap, gap);
      pen.drawImage(image, x, gap + row * (height + gap), widths[index], height);
    });
    return canvas.toDataURL("image/webp", 0.7);
  })()`);
  await page.close();
  return Buffer.from(url.slice(url.indexOf(",") + 1), "base64");
}

async function main(pattern: string): Promise<void> {
  await buildWidget();
  if (pattern === "") rmSync(directory, { recursive: true, force: true });
  mkdirSync(directory, { recursive: true });
  const service = await startFakeService({
    "/": { html: productPage() },
    "/provider": { html: "<!doctype html><title>Provider</title>" },
  });
  const browser = await launchBrowser();
  try {
    for (const shot of shots.filter(({ name }) => name.includes(pattern))) {
      const sheet = await layOut(browser, await takeShot(browser, service, shot));
      writeFileSync(path.join(directory, `${shot.name}.webp`), sheet);
      console.log(`${shot.name}: ${Math.round(sheet.length / 1_024)} KB`);
    }
  } finally {
    await browser.close();
    await service.close();
  }
}

await main(process.argv[2] ?? "");
