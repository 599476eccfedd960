import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { showViewInFirefox, signInByLink } from "@mooring/testing/browser/console-firefox";
import { plainTexts, stockConsole } from "@mooring/testing/browser/console-stock";
import { consoleViews, showView, type View } from "@mooring/testing/browser/console-views";
import { type ConsoleWorld, startConsoleWorld } from "@mooring/testing/browser/console-world";
import { launchFirefox } from "@mooring/testing/browser/firefox";
import { buildConsole } from "../build/console.ts";
import { colorSchemes, layOut, pictureSizes, type ScreenOptions } from "./picture-sheet.ts";

const screens = path.resolve(import.meta.dirname, "../../docs/screens");

interface Appearance {
  readonly viewport: { readonly width: number; readonly height: number };
  readonly colorScheme: (typeof colorSchemes)[number];
}

/** A browser in which a member and an operator have signed in. */
interface Window {
  /** A picture in PNG. */
  paint(view: View): Promise<Buffer>;
  close(): Promise<void>;
}

async function openInChromium(world: ConsoleWorld, appearance: Appearance): Promise<Window> {
  const member = await world.signIn("owner", appearance);
  await member.open("/test/settings");
  const operator = await world.signInOperator(appearance);
  return {
    async paint(view) {
      const visit = view.isOperators ? operator : member;
      await showView(visit, view);
      return visit.page.screenshot({ animations: "disabled" });
    },
    async close() {
      await member.context.close();
      await operator.context.close();
    },
  };
}

async function openInFirefox(world: ConsoleWorld, appearance: Appearance): Promise<Window> {
  const { colorScheme, viewport } = appearance;
  const open = async (link: string) => {
    const firefox = await launchFirefox({ colorScheme });
    const tab = await firefox.openTab();
    await tab.resize(viewport.width, viewport.height);
    await signInByLink(tab, link);
    return { tab, close: firefox.close };
  };
  const member = await open(await world.link("owner"));
  const operator = await open(await world.operatorLink());
  return {
    async paint(view) {
      const { tab } = view.isOperators ? operator : member;
      await showViewInFirefox(tab, world.url, view);
      return tab.screenshot();
    },
    async close() {
      await member.close();
      await operator.close();
    },
  };
}

async function takeShots(
  open: (appearance: Appearance) => Promise<Window>,
  views: readonly View[],
): Promise<Buffer[][]> {
  const shots = views.map((): Buffer[] => []);
  for (const colorScheme of colorSchemes) {
    for (const viewport of pictureSizes) {
      const window = await open({ colorScheme, viewport });
      for (const [index, view] of views.entries()) shots[index]?.push(await window.paint(view));
      await window.close();
    }
  }
  return shots;
}

/**
 * Writes one image per screen of the console to docs/screens/console, or console-<browser>: phone,
 * tablet and desktop, light above dark. Needs TEST_DATABASE_URL and TEST_TEMPLATE, as a test file
 * does.
 */
export async function takeConsoleScreens(pattern: string, options: ScreenOptions): Promise<void> {
  const directory = path.join(screens, `console${options.suffix}`);
  await buildConsole();
  if (pattern === "") rmSync(directory, { recursive: true, force: true });
  mkdirSync(directory, { recursive: true });
  const world = await startConsoleWorld();
  const stock = await stockConsole(world, plainTexts);
  const open = options.browser === "firefox" ? openInFirefox : openInChromium;
  try {
    const views = consoleViews(stock).filter(({ name }) => name.includes(pattern));
    const shots = await takeShots((appearance) => open(world, appearance), views);
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
