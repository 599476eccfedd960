import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { violations } from "@mooring/testing/browser/axe";
import { plainTexts, type Stock, stockConsole } from "@mooring/testing/browser/console-stock";
import { type ConsoleWorld, startConsoleWorld } from "@mooring/testing/browser/console-world";
import { call, textOf } from "@mooring/testing/control/http";
import type { Route } from "playwright-core";

const edgeAddress = "192.0.2.10";

/** What support does every day, in Chromium, over the real API and worker. */
describe("support in the console", () => {
  let world: ConsoleWorld;
  let stock: Stock;

  before(async () => {
    world = await startConsoleWorld({ EDGE_IPV4: edgeAddress });
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

  it("says that it is offline, and continues after an outage without a reload", async () => {
    const { page, context, open, go, problems } = await world.signIn("viewer");
    await open("/test/domains");
    await page.getByText("blog.tide.test").first().waitFor();
    await page.evaluate("globalThis.isSamePage = true");
    const retry = page.getByRole("button", { name: "Try again" });
    const unreachable = page.getByText("The service could not be reached.");
    await context.setOffline(true);
    const banner = page.getByRole("status", { name: "Offline" });
    await banner.getByText("You are offline").waitFor();
    await go("/test/domains?q=tide");
    await retry.waitFor();
    assert.deepEqual(await violations(page), []);
    // The code of this view was never read.
    await go("/test/team");
    await unreachable.waitFor();
    await banner.waitFor();
    await retry.click();
    await unreachable.waitFor();
    assert.deepEqual(await violations(page), []);
    await context.setOffline(false);
    await banner.waitFor({ state: "detached" });
    await page.getByRole("heading", { name: "Team" }).waitFor();
    await page.getByRole("table", { name: "Members" }).waitFor();
    assert.equal(await page.evaluate("globalThis.isSamePage"), true);
    // React also reports what an error page shows.
    const unexpected = problems.filter((text) => !text.startsWith("console: ConnectionError"));
    assert.deepEqual(unexpected, []);
  });

  it("continues without a reload when the service was away, its code included", async () => {
    const { page, open, go } = await world.signIn("owner");
    await open("/test/domains");
    await page.getByText("blog.tide.test").first().waitFor();
    await page.evaluate("globalThis.isSamePage = true");
    const retry = page.getByRole("button", { name: "Try again" });
    const away = (route: Route) => route.abort("connectionrefused");
    await page.route("**", away);
    await go("/test/domains?q=kelp");
    await retry.waitFor();
    await page.unroute("**", away);
    await retry.click();
    await page.getByText("app.kelp.test").first().waitFor();
    await page.route("**", away);
    for (const view of ["/test/usage", "/test/audit"]) {
      await go(view);
      await page.getByText("The service could not be reached.").waitFor();
      await retry.click();
      await page.getByText("The service could not be reached.").waitFor();
    }
    await page.unroute("**", away);
    await retry.click();
    await page.getByRole("heading", { name: "Audit" }).waitFor();
    await go("/test/usage");
    await page.getByRole("heading", { name: "Usage", level: 1 }).waitFor();
    assert.equal(await page.evaluate("globalThis.isSamePage"), true);
  });

  it("shows the brand's preview after a failure, by another try", async () => {
    const { page, open, problems } = await world.signIn("developer");
    const code = "**/sdk/v1/widget.mjs*";
    const away = (route: Route) => route.abort("connectionrefused");
    await page.route(code, away);
    await open(`/test/applications/${stock.applicationId}?tab=widget`);
    const unreachable = page.getByRole("alert").getByText("The service could not be reached.");
    const retry = page.getByRole("button", { name: "Try again" });
    await unreachable.waitFor();
    await retry.click();
    await unreachable.waitFor({ state: "detached" });
    await unreachable.waitFor();
    await page.getByLabel("Accent colour").first().waitFor();
    await page.unroute(code, away);
    await retry.click();
    await page.locator(".widget-place").getByRole("textbox").waitFor();
    assert.equal(await page.getByRole("alert").count(), 0);
    assert.deepEqual(problems, []);
  });

  it("has the failure of a chart inside of its panel", async () => {
    const { page, open, go } = await world.signIn("viewer");
    const code = /\/chart-[^/]+\.js/;
    const panel = page.getByRole("region", { name: "Per day" });
    const retry = panel.getByRole("button", { name: "Try again" });
    const isWhole = async () => {
      await page.getByRole("heading", { level: 1, name: "Overview" }).waitFor();
      await page.getByText("Yours", { exact: true }).first().waitFor();
      assert.equal(await page.getByRole("alert").count(), 1);
    };
    const away = (route: Route) => route.abort("connectionrefused");
    await page.route(code, away);
    await open("/test");
    await panel.getByText("The service could not be reached.").waitFor();
    await isWhole();
    await page.unroute(code, away);
    const wrong = "export function Chart() { throw new Error('drawn badly') }";
    const broken = (route: Route) => route.fulfill({ body: wrong, contentType: "text/javascript" });
    await page.route(code, broken);
    await retry.click();
    await panel.getByText("The chart could not be drawn.").waitFor();
    await isWhole();
    await retry.click();
    await panel.getByText("The chart could not be drawn.").waitFor();
    await isWhole();
    await page.unroute(code, broken);
    await open("/test");
    await panel.getByRole("img").waitFor();
    await go("/test/domains");
    await page.getByText("blog.tide.test").first().waitFor();
  });

  it("shows how long an invitation lasts, sends another link and withdraws it", async () => {
    const { page, open, problems } = await world.signIn("admin");
    await open("/test/team");
    const dialog = page.getByRole("dialog");
    const takeLink = async () => {
      const text = await dialog.locator("code").first().textContent();
      assert.deepEqual(await violations(page), []);
      await dialog.getByRole("button", { name: "I have stored it" }).click();
      return text ?? "";
    };
    const guest = await world.visit();
    const answers = async (link: string, title: string) => {
      await guest.page.goto(link);
      await guest.page.getByRole("heading", { name: title }).waitFor();
    };
    await page.getByRole("button", { name: "Invite", exact: true }).click();
    await dialog.getByLabel("E-mail").fill("colleague@harbour.example");
    await dialog.getByRole("button", { name: "Invite", exact: true }).click();
    await dialog.getByText("once, within three days").waitFor();
    const first = await takeLink();
    const row = page.getByRole("row").filter({ hasText: "colleague@harbour.example" });
    await row.getByText(/The link ends in [23] d/).waitFor();
    await answers(first, "Sign in");
    await row.getByRole("button", { name: "New link" }).click();
    await dialog.getByText("the one before has ended").waitFor();
    const second = await takeLink();
    await answers(first, "This link is no longer valid");
    await answers(second, "Sign in");
    await row.getByRole("button", { name: "Withdraw" }).click();
    await dialog.getByRole("button", { name: "Withdraw" }).click();
    // While it is open nothing behind it has a role.
    await dialog.waitFor({ state: "detached" });
    await row.waitFor({ state: "detached" });
    await answers(second, "This link is no longer valid");
    assert.deepEqual([...problems, ...guest.problems], []);
  });

  /** On a phone in two languages and both schemes: axe, the width, and no script needed. */
  const readAsCustomer = async (link: string, text: string) => {
    for (const [locale, colorScheme] of [
      ["en", "light"],
      ["ar", "dark"],
    ] as const) {
      const options = { locale, colorScheme, viewport: { width: 375, height: 800 } };
      const plain = await world.visit({ ...options, javaScriptEnabled: false });
      await plain.page.goto(link);
      await plain.page.getByText(text).first().waitFor();
      const { page, context, problems } = await world.visit(options);
      await page.goto(link);
      assert.deepEqual(await violations(page), [], locale);
      const width = await page.evaluate<number>("document.documentElement.scrollWidth");
      assert.ok(width <= options.viewport.width, `${locale}: ${width}`);
      assert.deepEqual([...plain.problems, ...problems], []);
      await plain.context.close();
      await context.close();
    }
  };

  it("gives the customer a page that needs no account, until support revokes it", async () => {
    const { page, open, problems } = await world.signIn("support");
    await open(`/test/customers?ref=${encodeURIComponent(stock.customer)}`);
    await page.getByRole("button", { name: "Status page" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("button", { name: "Create a link" }).click();
    const link = (await dialog.locator("code").first().textContent()) ?? "";
    await dialog.getByRole("button", { name: "Revoke" }).waitFor();
    assert.deepEqual(await violations(page), []);
    await readAsCustomer(link, "shop.acme-console.test");
    await dialog.getByRole("button", { name: "Revoke" }).click();
    await page.getByText("The link no longer works.").waitFor();
    const late = await world.visit();
    assert.equal((await late.page.goto(link))?.status(), 404);
    assert.deepEqual(problems, []);
  });

  it("asks a customer who has left to remove the record, on a page of its own", async () => {
    await readAsCustomer(await leaveBehind(world, stock), edgeAddress);
  });
});

/** A link to the page that asks to remove the record of a domain that was archived. */
async function leaveBehind(world: ConsoleWorld, stock: Stock): Promise<string> {
  const api = (path: string, body?: object, method = "POST") =>
    call(world.url, path, { key: world.tenant.keys.test, method, body });
  await api(
    "/v1/sandbox/zones/wreck.test/records",
    { records: [{ host: "gone", type: "A", value: edgeAddress }] },
    "PUT",
  );
  const made = await api("/v1/connections", {
    application_id: stock.applicationId,
    hostname: "gone.wreck.test",
  });
  const id = textOf(made, "id");
  assert.ok((await api(`/v1/connections/${id}`, undefined, "DELETE")).status < 300);
  // A worker would say so after two answers, hours apart.
  await world.session.query(
    "update left_behind set seen = 'here', agreeing = 2, dangling_since = now() where connection_id = $1",
    [id],
  );
  return textOf(await api(`/v1/connections/${id}/share`, {}), "url");
}
