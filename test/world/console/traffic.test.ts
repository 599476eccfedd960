import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { plainTexts, type Stock, stockConsole } from "@mooring/testing/browser/console-stock";
import { type ConsoleWorld, startConsoleWorld } from "@mooring/testing/browser/console-world";

/** The plots of visits, in Chromium. */
describe("traffic in the console", () => {
  let world: ConsoleWorld;
  let stock: Stock;

  before(async () => {
    world = await startConsoleWorld();
    stock = await stockConsole(world, plainTexts);
  });
  after(async () => {
    await stock?.close();
    await world?.close();
  });

  it("tells hours of which nothing or not all is known from hours without a visit", async () => {
    const { page, open } = await world.signIn("viewer");
    await open("/test/traffic");
    const plot = page.getByRole("img", { name: /^Requests by hour: / });
    const said = (await plot.getAttribute("aria-label")) ?? "";
    assert.match(said, /Nothing is known of 2 hours\. \d+ hours? (is|are) not complete\.$/);
    const titles = await plot.locator("title").allTextContents();
    assert.equal(titles.filter((title) => title.endsWith(": not known")).length, 2);
    assert.ok(
      titles.some((title) => title.endsWith(" requests, not complete")),
      `${titles}`,
    );
    await page.getByText("As a table").first().click();
    const table = page.getByRole("table", { name: "Traffic as a table" });
    const unknown = table.getByRole("row").filter({ hasText: "nothing" });
    assert.equal(await unknown.count(), 2);
    assert.match((await unknown.first().textContent()) ?? "", /(–){6}/);
  });

  it("says nothing of visits before an edge has reported", async () => {
    const { page, open } = await world.signIn("viewer");
    await world.session.query("delete from traffic_processes");
    await open("/live/traffic");
    await page.getByText("so nothing is known. That is not zero.").waitFor();
    assert.equal(await page.getByText("Which had the most").count(), 0);
  });
});
