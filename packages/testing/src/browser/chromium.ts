import { type Browser, chromium } from "playwright-core";
import { longestWaitMs } from "../processes/until.ts";

/** A Chromium whose pages wait as long for a condition as every other test does. */
export async function launchChromium(...args: readonly string[]): Promise<Browser> {
  const browser = await chromium.launch({
    executablePath: "/usr/bin/chromium",
    args: ["--no-sandbox", ...args],
  });
  browser.on("context", (context) => context.setDefaultTimeout(longestWaitMs));
  return browser;
}
