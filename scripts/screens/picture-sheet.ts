import type { Browser } from "playwright-core";

/** The widths of the pictures: phone, tablet and desktop. */
export const pictureSizes = [
  { width: 375, height: 760 },
  { width: 768, height: 860 },
  { width: 1_280, height: 860 },
] as const;

export const colorSchemes = ["light", "dark"] as const;

export interface ScreenOptions {
  readonly locale: string;
  readonly browser: "chromium" | "firefox";
  /** Of the folder: empty for English in Chromium. */
  readonly suffix: string;
}

/** The height of a screenshot on the sheet, in pixels: small files, still readable text. */
const shownHeight = 560;

/**
 * One image of all screenshots, in rows of `columns`: by default light above dark. The browser
 * arranges and encodes it. Whole pages need more `height`.
 */
export async function layOut(
  browser: Browser,
  pictures: readonly Buffer[],
  columns: number = pictureSizes.length,
  height: number = shownHeight,
): Promise<Buffer> {
  const page = await browser.newPage();
  const urls = pictures.map((picture) => `data:image/png;base64,${picture.toString("base64")}`);
  const url = await page.evaluate<string>(`(async () => {
    const images = await Promise.all(${JSON.stringify(urls)}.map(async (src) => {
      const image = Object.assign(new Image(), { src });
      await image.decode();
      return image;
    }));
    const [height, gap, columns] = [${height}, 12, ${columns}];
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
