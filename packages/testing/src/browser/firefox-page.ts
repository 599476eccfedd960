import { longestWaitMs } from "../processes/until.ts";
import type { ShotLocator, ShotPage } from "../widget/shot.ts";
import type { FirefoxTab } from "./firefox.ts";

/** Finds in the page and in the widget's shadow root, as Playwright does. */
const find = `((selectors, from) => {
  const roots = from ?? [document,
    ...[...document.querySelectorAll("*")].flatMap(({ shadowRoot }) => shadowRoot ?? [])];
  return selectors.reduce((found, selector) =>
    found.flatMap((one) => [...one.querySelectorAll(selector)]), roots)[0] ?? null;
})`;

/** A tab of Firefox as far as the widget's screens need Playwright's page. */
export function asPage(tab: FirefoxTab): ShotPage {
  let at = "";
  return {
    url: () => at,
    async goto(url) {
      await tab.goto(url);
      at = url;
    },
    evaluate: (expression) => tab.evaluate(expression),
    getByTestId: (id) => locate(tab, [`[data-testid="${id}"]`]),
    locator: (selector) => locate(tab, [selector]),
  };
}

function locate(tab: FirefoxTab, selectors: readonly string[]): ShotLocator {
  const element = `${find}(${JSON.stringify(selectors)})`;
  /** Does it once the element is there. */
  const act = async (what: string) => {
    await settle(tab, `${element} !== null`);
    await tab.evaluate(`{ const element = ${element}; ${what} }`);
  };
  const input = `element.dispatchEvent(new Event("input", { bubbles: true, composed: true }));`;
  return {
    first: () => locate(tab, selectors),
    locator: (selector) => locate(tab, [...selectors, selector]),
    click: () => act("element.click();"),
    fill: (text) => act(`element.focus(); element.value = ${JSON.stringify(text)}; ${input}`),
    check: () => act("if (!element.checked) element.click();"),
    waitFor: ({ state = "visible" } = {}) =>
      settle(tab, `(${element} !== null) === ${state === "visible"}`),
  };
}

/** Resolves once the expression is true in the page. */
export async function settle(tab: FirefoxTab, expression: string): Promise<void> {
  const result = await tab.evaluate(`new Promise((resolve) => {
    const startedAt = performance.now();
    const check = () => {
      const holds = Boolean(${expression});
      if (holds || performance.now() - startedAt > ${longestWaitMs}) resolve(String(holds));
      else setTimeout(check, 20);
    };
    check();
  })`);
  if (result !== "true") throw new Error(`${result}: ${expression}`);
}
