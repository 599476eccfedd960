import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { launchChromium } from "@mooring/testing/browser/chromium";
import {
  connect,
  get,
  hurry,
  issueCertificates,
  type Made,
  readState,
} from "@mooring/testing/clients/connecting";
import { call, textOf } from "@mooring/testing/control/http";
import {
  type ProductWorld,
  startProductWorld,
  syncZone,
} from "@mooring/testing/domain-connect-provider/product-world";
import { until } from "@mooring/testing/processes/until";
import type { Browser, BrowserContext, Page } from "playwright-core";

describe("Domain Connect in a browser", () => {
  let world: ProductWorld;
  let browser: Browser;
  let context: BrowserContext;
  /** Every link that the API returned. */
  const links: string[] = [];

  before(async () => {
    world = await startProductWorld();
    browser = await launchChromium(
      // Every name resolves to this machine.
      "--host-resolver-rules=MAP * 127.0.0.1",
    );
    context = await browser.newContext({ ignoreHTTPSErrors: true });
  });
  after(async () => {
    await browser?.close();
    await world?.stop();
  });

  async function start(id: string, body: object = {}): Promise<string> {
    const { base, key } = world.caller;
    const path = `/v1/connections/${id}/domain-connect:start`;
    const answer = await call(base, path, { key, method: "POST", body });
    assert.equal(answer.status, 200, answer.text);
    assert.equal(textOf(answer, "provider_name"), "Provider sync");
    links.push(textOf(answer, "apply_url"));
    return textOf(answer, "apply_url");
  }

  const reach = (id: string, state: string) =>
    until(async () => {
      if ((await readState(world.session, id)) === state) return true;
      await hurry(world.session);
      return false;
    }, state);

  const heading = (page: Page) => page.locator("h1").textContent();
  const below = (hostname: string) =>
    world.zones.lines(syncZone).filter((line) => line.split(" ")[0]?.endsWith(hostname));

  async function opened(url: string): Promise<Page> {
    const page = await context.newPage();
    await page.goto(url);
    return page;
  }

  async function confirmed(made: Made): Promise<Page> {
    const page = await opened(await start(made.id));
    assert.equal(await heading(page), `Connect ${made.hostname}`);
    await page.getByRole("button", { name: "Confirm" }).click();
    await page.waitForURL(`${world.baseUrl}/v1/connect/domain-connect/return/**`);
    return page;
  }

  it("redirects a customer to their provider and back, and continues when DNS has the records", async () => {
    const made = await connect(world.caller, `shop.${syncZone}`);
    assert.equal((await get(world.caller, made.id)).json()["setup_type"], "automatic");
    const page = await opened(await start(made.id));
    const shown = await page.locator("tbody tr").allInnerTexts();
    assert.deepEqual(
      shown.map((row) => row.split(/\s+/).slice(0, 3).join(" ")),
      [`Add shop.${syncZone} CNAME`, `Add _service-challenge.shop.${syncZone} TXT`],
    );
    assert.deepEqual(below(`shop.${syncZone}`), []);
    await page.getByRole("button", { name: "Confirm" }).click();
    await page.waitForURL(`${world.baseUrl}/v1/connect/domain-connect/return/**`);
    assert.equal(await heading(page), "Back from your DNS provider");
    assert.deepEqual(below(`shop.${syncZone}`), [
      `shop.${syncZone} 300 CNAME edge.mooring-dc.example`,
      `_service-challenge.shop.${syncZone} 300 TXT ${made.challenge}`,
    ]);
    await reach(made.id, "issuing_cert");
    await issueCertificates(world.session);
    await reach(made.id, "live");
    await page.close();
  });

  it("accepts a return without the state from a provider that omits it", async () => {
    world.behaviour.echoesState = false;
    const made = await connect(world.caller, `silent.${syncZone}`);
    const page = await confirmed(made);
    world.behaviour.echoesState = true;
    assert.equal(new URL(page.url()).search, "");
    assert.equal(await heading(page), "Back from your DNS provider");
    await reach(made.id, "issuing_cert");
    await page.close();
  });

  it("connects an apex by addresses", async () => {
    const made = await connect(world.caller, syncZone);
    const page = await confirmed(made);
    assert.ok(world.zones.lines(syncZone).includes(`${syncZone} 300 A 127.0.0.1`));
    await reach(made.id, "issuing_cert");
    await page.close();
  });

  it("refuses a return that was already used, and changes nothing", async () => {
    const made = await connect(world.caller, `replay.${syncZone}`);
    const page = await confirmed(made);
    assert.equal(await heading(page), "Back from your DNS provider");
    const before = await timeline(made.id);
    const answer = await page.reload();
    assert.equal(answer?.status(), 409);
    assert.equal(await heading(page), "This link was used already");
    const elsewhere = new URL(page.url());
    elsewhere.searchParams.set("error", "access_denied");
    assert.equal((await page.goto(elsewhere.href))?.status(), 409);
    assert.deepEqual(await timeline(made.id), before);
    await page.close();
  });

  it("refuses a return with a forged state, or one of another attempt", async () => {
    const [one, two] = [
      await connect(world.caller, `one.${syncZone}`),
      await connect(world.caller, `two.${syncZone}`),
    ];
    const states = await Promise.all(
      [one, two].map(async ({ id }) => new URL(await start(id)).searchParams.get("state") ?? ""),
    );
    const base = `${world.baseUrl}/v1/connect/domain-connect/return`;
    const page = await opened(`${base}/${states[0]}?state=${states[1]}`);
    assert.equal(await heading(page), "This link does not fit together");
    const forged = `${states[0]?.slice(0, -4)}AAAA`;
    assert.equal((await page.goto(`${base}/${forged}`))?.status(), 400);
    assert.equal(await heading(page), "This link does not belong to this service");
    await page.goto(`${base}/${states[0]}`);
    assert.equal(await heading(page), "Back from your DNS provider");
    await page.close();
  });

  it("does not continue after a return without confirmation: only DNS counts", async () => {
    const made = await connect(world.caller, `liar.${syncZone}`);
    const state = new URL(await start(made.id)).searchParams.get("state");
    const page = await opened(`${world.baseUrl}/v1/connect/domain-connect/return/${state}`);
    await hurry(world.session);
    await until(async () => {
      const { last_checked_at: at } = (await get(world.caller, made.id)).json();
      return at !== null;
    }, "a check");
    assert.match(await readState(world.session, made.id), /^(pending_ownership|verifying)$/);
    await page.close();
  });

  const tampered: readonly (readonly [string, (url: string) => string])[] = [
    ["another token", (url) => url.replace(/token=[^&]+/, "token=attacker")],
    ["another host", (url) => url.replace(/host=[^&]+/, "host=www")],
    ["no signature", (url) => url.replace(/&key=.*$/, "")],
  ];
  for (const [index, [what, change]] of tampered.entries()) {
    it(`refuses an altered link: ${what}`, async () => {
      const made = await connect(world.caller, `tampered${index}.${syncZone}`);
      const before = world.zones.lines(syncZone);
      const page = await context.newPage();
      const answer = await page.goto(change(await start(made.id)));
      assert.equal(answer?.status(), 403);
      assert.equal(await heading(page), "Not connected");
      assert.equal(await page.getByRole("button").count(), 0);
      assert.deepEqual(world.zones.lines(syncZone), before);
      await page.close();
    });
  }

  it("returns when the customer cancels, and can be started again", async () => {
    const made = await connect(world.caller, `cancel.${syncZone}`);
    const before = world.zones.lines(syncZone);
    const page = await opened(await start(made.id));
    await page.getByRole("button", { name: "Cancel" }).click();
    await page.waitForURL(`${world.baseUrl}/v1/connect/domain-connect/return/**`);
    assert.equal(await heading(page), "Cancelled");
    assert.deepEqual(world.zones.lines(syncZone), before);
    assert.match(await readState(world.session, made.id), /^(pending_ownership|verifying)$/);
    await page.close();
    await (await confirmed(made)).close();
    await reach(made.id, "issuing_cert");
  });

  it("redirects the customer to the tenant's site in the same tab", async () => {
    const made = await connect(world.caller, `same-tab.${syncZone}`);
    const redirect_uri = `${world.siteUrl}/done?step=2`;
    const page = await opened(await start(made.id, { redirect_uri }));
    await page.getByRole("button", { name: "Confirm" }).click();
    await page.waitForURL(`${world.siteUrl}/**`);
    const { searchParams } = new URL(page.url());
    assert.deepEqual(Object.fromEntries(searchParams), {
      step: "2",
      connection_id: made.id,
      domain_connect: "returned",
    });
    await page.close();
  });

  it("notifies the page that opened the popup, and closes the popup", async () => {
    const made = await connect(world.caller, `popup.${syncZone}`);
    const page = await opened(world.siteUrl);
    const url = await start(made.id);
    const [popup] = await Promise.all([
      page.waitForEvent("popup"),
      page.evaluate(`void open(${JSON.stringify(url)}, "dc", "popup,width=750,height=750")`),
    ]);
    const closed = popup.waitForEvent("close");
    await popup.getByRole("button", { name: "Confirm" }).click();
    await closed;
    await page.waitForFunction("received.length > 0");
    assert.deepEqual(await page.evaluate("received"), [
      { type: "svc:domain-connect", connection_id: made.id, status: "returned" },
    ]);
    await page.close();
  });

  it("leaves no signature, token or state in the log", () => {
    assert.ok(links.length >= 12);
    const log = world.log.join("");
    assert.ok(log.includes("domain-connect/return/:state"));
    for (const link of links) {
      const { searchParams } = new URL(link);
      for (const name of ["sig", "state", "token"]) {
        const value = searchParams.get(name) ?? "";
        assert.ok(value.length > 20, name);
        assert.ok(!log.includes(value), name);
      }
    }
  });

  async function timeline(id: string): Promise<unknown> {
    const { rows } = await world.session.query(
      "select kind, details from timeline where connection_id = $1 and kind = 'write' order by id",
      [id],
    );
    return rows;
  }
});
