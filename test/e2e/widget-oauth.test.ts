import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { Page } from "playwright-core";
import { call } from "../../packages/control/test/support/http.ts";
import { type Caller, freshZone, putZone } from "../support/connecting.ts";
import { type IdentityProvider, startIdentityProvider } from "../support/identity-provider.ts";
import type { Customer } from "../support/widget-customer.ts";
import { startWidgetWorld, type WidgetWorld } from "../support/widget-world.ts";

/** A sign-in at the customer's provider, in a window that the widget opens. */
describe("the widget with a sign-in", { timeout: 240_000 }, () => {
  let idp: IdentityProvider;
  let world: WidgetWorld;
  let caller: Caller;
  before(async () => {
    idp = await startIdentityProvider("sandbox");
    world = await startWidgetWorld({
      OAUTH_SANDBOX_CLIENT_ID: idp.clientId,
      OAUTH_SANDBOX_CLIENT_SECRET: idp.clientSecret,
      OAUTH_SANDBOX_URL: idp.url,
      EGRESS_ALLOW: "127.0.0.0/8",
    });
    caller = await world.caller("Signed");
    idp.serviceUrl = caller.base;
    const path = `/v1/applications/${caller.applicationId}`;
    const body = { allowed_origins: [new URL(world.pageUrl).origin] };
    const changed = await call(caller.base, path, { key: caller.key, method: "PATCH", body });
    assert.equal(changed.status, 200, changed.text);
  });
  after(async () => {
    await world?.close();
    await idp?.close();
  });

  async function start(domain: string): Promise<{ customer: Customer; popup: Page }> {
    const customer = await world.visit();
    const token = await world.mint(caller);
    await customer.open({ applicationId: caller.applicationId, token, domain });
    await customer.id("continue").click();
    await customer.id("provider").waitFor();
    await customer.id("continue").click();
    await customer.step("automatic_setup");
    const [first] = await customer.page.locator(".option").all();
    assert.equal(await first?.getAttribute("data-testid"), "svc-method-oauth");
    assert.match((await first?.textContent()) ?? "", /Recommended/);
    const opening = customer.page.waitForEvent("popup");
    await customer.id("method-oauth").click();
    const popup = await opening;
    await popup.getByRole("link", { name: "Allow" }).waitFor();
    return { customer, popup };
  }

  const grants = async () =>
    (await world.session.query<{ sealed: string | null }>("select sealed from oauth_grants")).rows;

  it("shows the plan after consent, writes it, and throws the token away", async () => {
    const zone = freshZone();
    await putZone(caller, zone, []);
    const { customer, popup } = await start(`shop.${zone}`);
    const writes: string[] = [];
    customer.page.on("request", (request) => {
      if (request.url().includes("records:apply")) writes.push(request.postData() ?? "");
    });
    const returning = popup.waitForRequest(/oauth\/return/);
    const closed = popup.waitForEvent("close");
    await popup.getByRole("link", { name: "Allow" }).click();
    const returned = (await returning).url();
    await closed;
    await customer.id("plan").waitFor();
    const held = await grants();
    assert.equal(held.length, 1);
    assert.doesNotMatch(String(held[0]?.sealed), /sandbox/);
    await customer.id("apply").click();
    await customer.step("in_progress");
    const path = `/v1/sandbox/zones/${zone}/records`;
    const answer = await call(caller.base, path, { key: caller.key });
    assert.match(answer.text, /service-verify=/);
    assert.deepEqual(await grants(), []);
    assert.deepEqual(idp.revoked, ["sandbox"]);
    // Neither the link nor what it gave works a second time.
    assert.equal((await fetch(returned)).status, 400);
    const id = /connections\/([0-9a-f-]{36})\/records:apply/.exec(customer.asked.join(" "))?.[1];
    const again = await call(caller.base, `/v1/connections/${id}/records:apply`, {
      key: caller.key,
      body: JSON.parse(writes[0] ?? "{}"),
    });
    assert.equal(again.status, 400, again.text);
    assert.match(again.text, /oauth_grant/);
    assert.equal(idp.exchanged.length, 1);
    await customer.context.close();
  });

  it("goes back to the other ways when the customer declines", async () => {
    const zone = freshZone();
    await putZone(caller, zone, []);
    const { customer, popup } = await start(`shop.${zone}`);
    const closed = popup.waitForEvent("close");
    await popup.getByRole("link", { name: "Deny" }).click();
    await closed;
    await customer.page.locator("[data-testid=svc-popup][data-status=denied]").waitFor();
    await customer.id("back").click();
    await customer.id("method-manual").click();
    await customer.step("manual_configuration");
    await customer.context.close();
  });

  it("gives a link that somebody was sent nothing, and an unknown state an error", async () => {
    const zone = freshZone();
    await putZone(caller, zone, []);
    const { customer, popup } = await start(`shop.${zone}`);
    const link = (await popup.getByRole("link", { name: "Allow" }).getAttribute("href")) ?? "";
    // Opened elsewhere: the page that started it gets nothing.
    const page = await (await fetch(link)).text();
    assert.match(page, /data-message=/);
    assert.equal(await customer.id("plan").count(), 0);
    const state = new URL(link).searchParams.get("state") ?? "";
    const forged = link.replace(state, `${state.slice(0, -2)}AA`);
    assert.equal((await fetch(forged)).status, 400);
    assert.equal((await fetch(link)).status, 409);
    await customer.context.close();
  });
});
