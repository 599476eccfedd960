import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import type { Page } from "playwright-core";

/**
 * The accessibility violations that axe finds on the page, shadow roots included; of one rule where
 * it is named.
 */
export async function violations(page: Page, rule?: string): Promise<readonly unknown[]> {
  if (!(await page.evaluate<boolean>("'axe' in window"))) {
    const file = createRequire(import.meta.url).resolve("axe-core/axe.min.js");
    await page.evaluate(await readFile(file, "utf8"));
  }
  await page.evaluate(settled);
  // What passes is not described, and no stylesheet is loaded again: both take longer than the
  // rules.
  const options = { resultTypes: ["violations"], preload: false, selectors: false };
  const all = rule === undefined ? options : { ...options, runOnly: [rule] };
  return page.evaluate(
    `axe.run(${JSON.stringify(all)}).then(({ violations }) => violations.map(({ id, nodes }) =>
       [id, ...nodes.slice(0, 3).map(({ html, failureSummary }) => [html, failureSummary])]))`,
  );
}

/**
 * Waits for finite animations and transitions, whose intermediate colours do not count. A change of
 * the preferred colour scheme takes effect in the next frame and is drawn in the one after it.
 */
const settled = `new Promise((resolve) => {
  requestAnimationFrame(() => requestAnimationFrame(resolve));
}).then(() => Promise.all(
  [document, ...[...document.querySelectorAll("*")].flatMap(({ shadowRoot }) => shadowRoot ?? [])]
    .flatMap((root) => root.getAnimations())
    .filter(({ effect }) => effect.getComputedTiming().endTime !== Infinity)
    .map(({ finished }) => finished.catch(() => undefined)),
)).then(() => undefined)`;
