import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { startWidgetWorld } from "@mooring/testing/browser/widget-world";
import { walkJourney } from "../../test/journeys/journey.ts";
import { journeys } from "../../test/journeys/journeys.ts";
import { journeySettings } from "../../test/journeys/world.ts";
import { layOut } from "./picture-sheet.ts";

const directory = path.resolve(import.meta.dirname, "../../docs/screens/journeys");

/**
 * Walks the 25 journeys of end customers with the whole product, and writes one image per journey
 * to docs/screens/journeys: its screens from left to right, the last one on a dark desktop, too.
 * Exits with 1 when a journey does not reach its end. Needs TEST_DATABASE_URL and TEST_TEMPLATE, as
 * a test file does.
 */
export async function walkJourneys(pattern: string): Promise<void> {
  if (pattern === "") rmSync(directory, { recursive: true, force: true });
  mkdirSync(directory, { recursive: true });
  const world = await startWidgetWorld(journeySettings);
  await world.work();
  try {
    for (const journey of journeys.filter(({ name }) => new RegExp(pattern).test(name))) {
      const startedAt = performance.now();
      try {
        const pictures = await walkJourney(world, journey, true);
        const sheet = await layOut(world.browser, pictures, pictures.length);
        writeFileSync(path.join(directory, `${journey.name}.webp`), sheet);
        const seconds = ((performance.now() - startedAt) / 1_000).toFixed(1);
        console.log(`${journey.name}: ${seconds} s, ${Math.round(sheet.length / 1_024)} KB`);
      } catch (error) {
        console.error(error);
        process.exitCode = 1;
      }
    }
  } finally {
    await world.close();
  }
}
