import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { launchChromium } from "@mooring/testing/browser/chromium";
import {
  type CustomerPage,
  customerPageSettings,
  makeCustomerPages,
} from "@mooring/testing/browser/customer-pages";
import { startTestApp } from "@mooring/testing/control/app";
import { openPainter, type Painter } from "./painter.ts";
import { colorSchemes, layOut, pictureSizes, type ScreenOptions } from "./picture-sheet.ts";

const screens = path.resolve(import.meta.dirname, "../../docs/screens");

/** The height of a page on the sheet, in pixels. */
const shownHeight = 1_400;

/**
 * Writes one image per page that customers read without a login to docs/screens/pages, the whole
 * page: phone, tablet and desktop, light above dark. Needs TEST_DATABASE_URL and TEST_TEMPLATE, as
 * a test file does.
 */
export async function takePageScreens(pattern: string, options: ScreenOptions): Promise<void> {
  const directory = path.join(screens, `pages${options.suffix}`);
  if (pattern === "") rmSync(directory, { recursive: true, force: true });
  mkdirSync(directory, { recursive: true });
  const app = await startTestApp(customerPageSettings);
  const browser = await launchChromium();
  const painters = await Promise.all(colorSchemes.map((one) => openPainter(options.browser, one)));
  try {
    const pages = await makeCustomerPages(app);
    for (const page of pages.filter(({ name }) => name.includes(pattern))) {
      const pictures: Buffer[] = [];
      for (const painter of painters) {
        pictures.push(...(await takePage(painter, page, options.locale)));
      }
      const sheet = await layOut(browser, pictures, pictureSizes.length, shownHeight);
      writeFileSync(path.join(directory, `${page.name}.webp`), sheet);
      console.log(`${page.name}: ${Math.round(sheet.length / 1_024)} KB`);
    }
  } finally {
    for (const painter of painters) await painter.close();
    await browser.close();
    await app.close();
  }
}

async function takePage({ page, paint }: Painter, { url }: CustomerPage, locale: string) {
  await page.goto(`${url}?lang=${locale}`);
  const pictures: Buffer[] = [];
  for (const size of pictureSizes) {
    await paint(size);
    const height = Number(await page.evaluate("document.documentElement.scrollHeight"));
    pictures.push(await paint({ ...size, height }));
  }
  return pictures;
}
