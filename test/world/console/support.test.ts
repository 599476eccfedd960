import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { violations } from "@mooring/testing/browser/axe";
import { plainTexts, type Stock, stockConsole } from "@mooring/testing/browser/console-stock";
import { type ConsoleWorld, startConsoleWorld } from "@mooring/testing/browser/console-world";
import { call, textOf } from "@mooring/testing/control/http";

/** What support does every day, in Chromium, over the real API and worker. */
describe("support in the console", () => {
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

  it("says the same in a list and on the page of a domain, from one moment to the next", async () => {
    const { page, open } = await world.signIn("viewer");
    await open("/test/domains?q=kelp");
    const row = page.getByRole("row").filter({ hasText: "app.kelp.test" });
    const before = (await row.textContent()) ?? "";
    await row.getByRole("link", { name: "app.kelp.test" }).click();
    const first = page.getByRole("region", { name: "Diagnosis" }).locator("ol h3").first();
    const title = (await first.textContent()) ?? "";
    assert.ok(!before.includes(title), `the list says it already: ${title}`);
    // No request is answered any more: what is shown is what was read before.
    await page.route("**/v1/connections**", () => undefined);
    await page.goBack();
    await row.waitFor();
    const after = (await row.textContent()) ?? "";
    assert.ok(after.includes(title), after);
  });

  it("asks for a token where no credential is stored, and writes the records with it", async () => {
    const api = (path: string, body: object, method = "POST") =>
      call(world.url, path, { key: world.tenant.keys.test, method, body });
    const application_id = textOf(await api("/v1/applications", { name: "Bare" }), "id");
    const hostname = "shop.token-console.test";
    await api("/v1/sandbox/zones/token-console.test/records", { records: [] }, "PUT");
    const id = textOf(await api("/v1/connections", { application_id, hostname }), "id");
    const { page, open } = await world.signIn("developer");
    await open(`/test/domains/${id}`);
    await page.getByRole("button", { name: "Write the records" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByText("No credential is stored for this application.").waitFor();
    await dialog.getByRole("combobox", { name: "Provider" }).selectOption("sandbox");
    const token = dialog.getByLabel(/token/i);
    await token.fill("wrong");
    await dialog.getByRole("button", { name: "Show the plan" }).click();
    await dialog.getByRole("alert").waitFor();
    await token.fill("sandbox");
    await dialog.getByRole("button", { name: "Show the plan" }).click();
    await dialog.getByText("edge.mooring.example").first().waitFor();
    assert.deepEqual(await violations(page), []);
    await dialog.getByRole("button", { name: "Write", exact: true }).click();
    await page.getByText("The records are written; the domain is checked now.").waitFor();
    const zone = await call(world.url, "/v1/sandbox/zones/token-console.test/records", {
      key: world.tenant.keys.test,
    });
    assert.match(zone.text, /edge\.mooring\.example/);
    const stored = await call(world.url, `/v1/applications/${application_id}/credentials`, {
      key: world.tenant.keys.test,
    });
    assert.deepEqual(stored.json()["data"], [], "it is used for this time only");
  });
});
