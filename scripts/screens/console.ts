import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { plainTexts, stockConsole } from "@mooring/testing/browser/console-stock";
import { consoleViews, showView, type View } from "@mooring/testing/browser/console-views";
import { type ConsoleWorld, startConsoleWorld } from "@mooring/testing/browser/console-world";
import { buildConsole } from "../build/console.ts";
import { colorSchemes, layOut, pictureSizes } from "./picture-sheet.ts";

const directory = path.resolve(import.meta.dirname, "../../docs/screens/console");

async function takeShots(world: ConsoleWorld, views: readonly View[]): Promise<Buffer[][]> {
  const shots = views.map((): Buffer[] => []);
  for (const colorScheme of colorSchemes) {
    for (const viewport of pictureSizes) {
      const member = await world.signIn("owner", { viewport, colorScheme });
      await member.open("/test/settings");
      const operator = await world.signInOperator({ viewport, colorScheme });
      for (const [index, view] of views.entries()) {
        const visit = view.isOperators ? operator : member;
        await showView(visit, view);
        shots[index]?.push(await visit.page.screenshot({ animations: "disabled" }));
      }
      await member.context.close();
      await operator.context.close();
    }
  }
  return shots;
}

/**
 * Writes one image per screen of the console to docs/screens/console: phone, tablet and desktop,
 * light above dark. Needs TEST_DATABASE_URL and TEST_TEMPLATE, as a test file does.
 */
export async function takeConsoleScreens(pattern: string): Promise<void> {
  await buildConsole();
  if (pattern === "") rmSync(directory, { recursive: true, force: true });
  mkdirSync(directory, { recursive: true });
  const world = await startConsoleWorld();
  const stock = await stockConsole(world, plainTexts);
  try {
    const views = consoleViews(stock).filter(({ name }) => name.includes(pattern));
    const shots = await takeShots(world, views);
    for (const [index, { name }] of views.entries()) {
      const sheet = await layOut(world.browser, shots[index] ?? []);
      writeFileSync(path.join(directory, `${name}.webp`), sheet);
      console.log(`${name}: ${Math.round(sheet.length / 1_024)} KB`);
    }
  } finally {
    await stock.close();
    await world.close();
  }
}
