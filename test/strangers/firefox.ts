import { type Firefox, launchFirefox } from "@mooring/testing/browser/firefox";
import { pageScripts } from "./browser.ts";
import type { StrangerCase } from "./cases.ts";
import { frontUrl } from "./clients.ts";
import { type Front, hostname } from "./fronts.ts";

let launched: Promise<Firefox> | null = null;

/** One Firefox for all cases, as for Chromium. */
export async function inFirefox(front: Front, script: string): Promise<string> {
  launched ??= launchFirefox({ localDomains: hostname });
  const tab = await (await launched).openTab();
  await tab.goto(frontUrl(front, "/page"));
  const text = await tab.evaluate(script);
  await tab.close();
  return text;
}

export const firefoxCases: readonly StrangerCase[] = pageScripts.map(({ script, ...about }) => ({
  client: "Firefox",
  ...about,
  run: (front) => inFirefox(front, script),
}));

export async function closeFirefox(): Promise<void> {
  const firefox = await launched;
  launched = null;
  await firefox?.close();
}
