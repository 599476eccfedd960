import { launchChromium } from "@mooring/testing/browser/chromium";
import { launchFirefox } from "@mooring/testing/browser/firefox";
import { asPage } from "@mooring/testing/browser/firefox-page";
import type { ShotPage } from "@mooring/testing/widget/shot";
import type { colorSchemes, ScreenOptions } from "./picture-sheet.ts";

interface Size {
  readonly width: number;
  readonly height: number;
}

/** A page of a browser, and pictures of it. */
export interface Painter {
  readonly page: ShotPage;
  /** A picture in PNG, of a window of that size. */
  paint(size: Size): Promise<Buffer>;
  close(): Promise<void>;
}

export function openPainter(
  browser: ScreenOptions["browser"],
  colorScheme: (typeof colorSchemes)[number],
): Promise<Painter> {
  return browser === "firefox" ? openInFirefox(colorScheme) : openInChromium(colorScheme);
}

async function openInChromium(colorScheme: "light" | "dark"): Promise<Painter> {
  const browser = await launchChromium();
  const page = await browser.newPage({ colorScheme, reducedMotion: "reduce" });
  return {
    page,
    async paint(size) {
      await page.setViewportSize(size);
      return page.screenshot({ animations: "disabled" });
    },
    close: () => browser.close(),
  };
}

async function openInFirefox(colorScheme: "light" | "dark"): Promise<Painter> {
  const firefox = await launchFirefox({ colorScheme });
  const tab = await firefox.openTab();
  return {
    page: asPage(tab),
    async paint({ width, height }) {
      await tab.resize(width, height);
      return tab.screenshot();
    },
    close: () => firefox.close(),
  };
}
