import { parseArgs } from "node:util";
import { takeConsoleScreens } from "./screens/console.ts";
import { walkJourneys } from "./screens/journeys.ts";
import { takePageScreens } from "./screens/pages.ts";
import type { ScreenOptions } from "./screens/picture-sheet.ts";
import { takeWidgetScreens } from "./screens/widget.ts";
import { startDatabaseServer } from "./test/database-server.ts";
import { neededPrograms } from "./test/needed-programs.ts";
import { ensurePrograms } from "./test/system-packages.ts";

/**
 * Takes the pictures of every screen into docs/screens: of the widget, the pages that customers
 * read, the console, and the journeys of end customers. Exits with 1 when a journey does not reach
 * its end. The console and the journeys are in English.
 *
 *     npm run screens [-- widget|pages|console|journeys [pattern of names]]
 *                     [--locale=de] [--browser=firefox]
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    locale: { type: "string", default: "en" },
    browser: { type: "string", default: "chromium" },
  },
});

function readOptions(): ScreenOptions {
  const { locale, browser } = values;
  if (browser !== "chromium" && browser !== "firefox") {
    throw new Error("the browsers are chromium, firefox");
  }
  const parts = [locale === "en" ? "" : `-${locale}`, browser === "chromium" ? "" : `-${browser}`];
  return { locale, browser, suffix: parts.join("") };
}

const options = readOptions();
const parts: Readonly<Record<string, (pattern: string) => Promise<void>>> = {
  widget: (pattern) => takeWidgetScreens(pattern, options),
  pages: (pattern) => takePageScreens(pattern, options),
  console: (pattern) => takeConsoleScreens(pattern, options),
  journeys: walkJourneys,
};

async function main([name, pattern = ""]: readonly string[]): Promise<void> {
  const chosen = Object.entries(parts).filter(([part]) => name === undefined || part === name);
  if (chosen.length === 0) throw new Error(`the parts are ${Object.keys(parts).join(", ")}`);
  ensurePrograms(chosen.flatMap(([part]) => neededPrograms(`scripts/screens/${part}.ts`)));
  const database = await startDatabaseServer("embedded");
  // The worlds of the console and the journeys read it, as in a test.
  Object.assign(process.env, database.env);
  try {
    for (const [, take] of chosen) await take(pattern);
  } finally {
    await database.stop();
  }
}

await main(positionals);
