import type { View } from "./console-views.ts";
import type { FirefoxTab } from "./firefox.ts";
import { settle } from "./firefox-page.ts";

/** Signs in by a one-time link, whose page is below /console, too. */
export async function signInByLink(tab: FirefoxTab, link: string): Promise<void> {
  await tab.goto(link);
  await tab.evaluate(`document.querySelector("form button").click()`);
  await settle(tab, "/^.console.(test|live|operator)/.test(location.pathname)");
}

/** Loads a view of the console at that URL completely. */
export async function showViewInFirefox(tab: FirefoxTab, url: string, view: View): Promise<void> {
  await tab.goto(`${url}/console${view.path}`);
  if (view.opens !== undefined) {
    const { button, within } = view.opens;
    const part = within === undefined ? "" : `[aria-label=${JSON.stringify(within)}] `;
    const found = `[...document.querySelectorAll('${part}button')]
      .find(({ textContent }) => textContent.trim() === ${JSON.stringify(button)})`;
    await settle(tab, found);
    await tab.evaluate(`${found}.click()`);
  }
  await settle(tab, `${hasText(view.shows)} && !document.querySelector(".loading")`);
}

/** Whether the page shows the text, as an expression. */
export const hasText = (text: string): string =>
  `document.body.innerText.includes(${JSON.stringify(text)})`;
