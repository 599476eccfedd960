import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { launchChromium } from "@mooring/testing/browser/chromium";
import { connect, hurry, type Made, readState } from "@mooring/testing/clients/connecting";
import { call, textOf } from "@mooring/testing/control/http";
import {
  asyncZone,
  type ProductWorld,
  startProductWorld,
} from "@mooring/testing/domain-connect-provider/product-world";
import { until } from "@mooring/testing/processes/until";
import type { Browser, BrowserContext, Page } from "playwright-core";

describe("Domain Connect with a grant, in a browser", () => {
  let world: ProductWorld;
  let browser: Browser;
  let context: BrowserContext;

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

  /** Opens the consent page of the connection and presses a button. */
  async function decided(made: Made, button: "Confirm" | "Cancel"): Promise<Page> {
    const { base, key } = world.caller;
    const path = `/v1/connections/${made.id}/domain-connect:start`;
    const answer = await call(base, path, { key, method: "POST", body: {} });
    assert.equal(answer.status, 200, answer.text);
    assert.equal(textOf(answer, "mode"), "async");
    const page = await context.newPage();
    await page.goto(textOf(answer, "apply_url"));
    await page.getByRole("button", { name: button }).click();
    await page.waitForURL(`${world.baseUrl}/v1/connect/domain-connect/return?**`);
    return page;
  }

  const heading = (page: Page) => page.locator("h1").textContent();
  const reach = (id: string, state: string) =>
    until(async () => {
      if ((await readState(world.session, id)) === state) return true;
      await hurry(world.session);
      return false;
    }, state);

  async function grants(id: string): Promise<number> {
    const { rowCount } = await world.session.query(
      "select 1 from domain_connect_grants where connection_id = $1",
      [id],
    );
    return rowCount ?? 0;
  }

  it("applies the records after consent, and removes them when the connection is archived", async () => {
    const untouched = world.zones.lines(asyncZone);
    const made = await connect(world.caller, `shop.${asyncZone}`);
    const page = await decided(made, "Confirm");
    assert.equal(await heading(page), "Back from your DNS provider");
    await reach(made.id, "issuing_cert");
    assert.deepEqual(world.zones.lines(asyncZone), [
      ...untouched,
      `shop.${asyncZone} 300 CNAME edge.mooring-dc.example`,
      `_service-challenge.shop.${asyncZone} 300 TXT ${made.challenge}`,
    ]);
    const { base, key } = world.caller;
    const path = `/v1/connections/${made.id}?revert_dns=true`;
    const ended = await call(base, path, { key, method: "DELETE" });
    assert.equal(ended.status, 200, ended.text);
    assert.deepEqual(world.zones.lines(asyncZone), untouched);
    assert.equal(await grants(made.id), 0);
    await page.close();
  });

  it("uses a code once: the same return again is refused", async () => {
    const made = await connect(world.caller, `replay.${asyncZone}`);
    const page = await decided(made, "Confirm");
    assert.equal((await page.reload())?.status(), 409);
    assert.equal(await heading(page), "This link was used already");
    await reach(made.id, "issuing_cert");
    await page.close();
  });

  it("gets no grant for a code that the provider did not issue", async () => {
    const made = await connect(world.caller, `forged.${asyncZone}`);
    const { base, key } = world.caller;
    const path = `/v1/connections/${made.id}/domain-connect:start`;
    const started = await call(base, path, { key, method: "POST", body: {} });
    const state = new URL(textOf(started, "apply_url")).searchParams.get("state");
    const page = await context.newPage();
    await page.goto(`${world.baseUrl}/v1/connect/domain-connect/return?state=${state}&code=guess`);
    assert.equal(await heading(page), "Provider async did not set the records");
    assert.equal(await grants(made.id), 0);
    await page.close();
  });

  it("stores nothing when the customer refuses", async () => {
    const made = await connect(world.caller, `no.${asyncZone}`);
    const before = world.zones.lines(asyncZone);
    const page = await decided(made, "Cancel");
    assert.equal(await heading(page), "Cancelled");
    assert.equal(await grants(made.id), 0);
    assert.deepEqual(world.zones.lines(asyncZone), before);
    await page.close();
  });

  it("overwrites no conflicting record, and reports it", async () => {
    const hostname = `taken.${asyncZone}`;
    const theirs = {
      name: hostname,
      type: "A",
      value: "192.0.2.1",
      ttl: 60,
      priority: null,
    } as const;
    await world.zones.change(asyncZone, { add: [theirs] });
    const made = await connect(world.caller, hostname);
    const page = await decided(made, "Confirm");
    await until(async () => {
      await hurry(world.session);
      return (await readWrites(made.id)).some((error) => error?.includes(`${hostname} A`) === true);
    }, "the conflict");
    const lines = world.zones.lines(asyncZone).filter((line) => line.includes(hostname));
    assert.deepEqual(lines, [`${hostname} 60 A 192.0.2.1`]);
    // The customer can consent again or add the records manually.
    await until(async () => (await grants(made.id)) === 0, "the grant's end");
    assert.match(await readState(world.session, made.id), /^(pending_ownership|verifying)$/);
    await page.close();
  });

  it("leaves no secret in the log, and stores no token unencrypted", async () => {
    assert.doesNotMatch(world.log.join(""), /the-client-secret|access_token|[?&]code=/);
  });

  async function readWrites(id: string): Promise<readonly (string | null)[]> {
    const { rows } = await world.session.query<{ error: string | null }>(
      "select error from dns_writes where connection_id = $1",
      [id],
    );
    return rows.map(({ error }) => error);
  }
});
