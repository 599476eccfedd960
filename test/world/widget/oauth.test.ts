import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { Customer } from "@mooring/testing/browser/widget-customer";
import { startWidgetWorld, type WidgetWorld } from "@mooring/testing/browser/widget-world";
import { type Caller, freshZone, putZone } from "@mooring/testing/clients/connecting";
import {
  type IdentityProvider,
  startIdentityProvider,
} from "@mooring/testing/clients/identity-provider";
import { call, textOf } from "@mooring/testing/control/http";
import type { Page } from "playwright-core";

/** A sign-in at the customer's provider, in a window that the widget opens. */
describe("the widget with a sign-in", () => {
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

  async function start(
    domain: string,
    customerRef?: string,
  ): Promise<{ customer: Customer; popup: Page }> {
    const customer = await world.visit();
    const token = await world.mint(caller, undefined, customerRef);
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
    const rows = await grants();
    assert.equal(rows.length, 1);
    assert.doesNotMatch(String(rows[0]?.sealed), /sandbox/);
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

  async function allow(popup: Page): Promise<void> {
    const closed = popup.waitForEvent("close");
    await popup.getByRole("link", { name: "Allow" }).click();
    await closed;
  }

  const readZone = async (zone: string) => {
    const path = `/v1/sandbox/zones/${zone}/records`;
    return (await call(caller.base, path, { key: caller.key })).text;
  };

  it("writes both names of a pair with one permission", async () => {
    const zone = freshZone();
    await putZone(caller, zone, []);
    const { customer, popup } = await start(zone);
    await allow(popup);
    await customer.id("plan").waitFor();
    await customer.id("apply").click();
    await customer.step("in_progress");
    const written = await readZone(zone);
    for (const name of [zone, `www.${zone}`]) {
      assert.ok(written.includes(`_service-challenge.${name}`), written);
    }
    assert.deepEqual(await grants(), []);
    await customer.context.close();
  });

  it("keeps the permission when the tenant asks for it, until the domain is disconnected", async () => {
    const { base, key, applicationId } = caller;
    const application = `/v1/applications/${applicationId}`;
    const keep = (keep_oauth: boolean) =>
      call(base, application, { key, method: "PATCH", body: { keep_oauth } });
    assert.equal((await keep(true)).json()["keep_oauth"], true);
    const zone = freshZone();
    await putZone(caller, zone, []);
    const { customer, popup } = await start(`shop.${zone}`, "42");
    const [revokedBefore, refreshedBefore] = [idp.revoked.length, idp.refreshed.length];
    await allow(popup);
    await customer.id("plan").waitFor();
    await customer.id("apply").click();
    await customer.step("in_progress");
    await customer.context.close();
    const stored = async () =>
      (await call(base, `${application}/credentials`, { key })).json()["data"] as {
        connection_ids: string[] | null;
        last_error: string | null;
      }[];
    const [retained] = await stored();
    const [id] = retained?.connection_ids ?? [];
    assert.ok(id !== undefined);
    assert.deepEqual(await grants(), [], "what redeems it is used up");
    assert.equal(idp.revoked.length, revokedBefore);
    const { rows } = await world.session.query<{ sealed: string }>(
      "select sealed from credentials",
    );
    assert.doesNotMatch(rows.map(({ sealed }) => sealed).join(), /sandbox|refresh/);
    // Records that somebody removed are put back, with a token that was refreshed in time.
    await putZone(caller, zone, []);
    world.app.clock.advance(500_000);
    const mine = await world.mint(caller, undefined, "42");
    const apply = (who: string, one: string) =>
      call(base, `/v1/connections/${one}/records:apply`, { key: who, body: {} });
    const repaired = await apply(mine, id);
    assert.equal(repaired.json()["applied"], true, repaired.text);
    assert.match(await readZone(zone), /edge.localhost/);
    assert.equal(idp.refreshed.length, refreshedBefore + 1);
    // It is nobody else's.
    const body = { application_id: applicationId, hostname: `blog.${zone}` };
    const theirs = await world.mint(caller, undefined, "43");
    const other = textOf(await call(base, "/v1/connections", { key: theirs, body }), "id");
    assert.equal((await apply(theirs, other)).status, 400);
    assert.equal((await apply(theirs, id)).status, 404);
    // A permission that the customer took back is reported, and used no more.
    idp.refusesRefresh = true;
    world.app.clock.advance(500_000);
    const refused = await apply(mine, id);
    assert.equal(refused.status, 400, refused.text);
    assert.match((await stored())[0]?.last_error ?? "", /invalid_grant/);
    const end = `/v1/connections/${id}?revert_dns=true`;
    assert.equal((await call(base, end, { key: mine, method: "DELETE" })).status, 200);
    assert.deepEqual(await stored(), []);
    assert.equal(idp.revoked.length, revokedBefore + 2, "the token and its refresh token");
    await keep(false);
  });

  it("undoes what it wrote with the retained permission when the domain is disconnected", async () => {
    const { base, key, applicationId } = caller;
    const path = `/v1/applications/${applicationId}`;
    idp.refusesRefresh = false;
    await call(base, path, { key, method: "PATCH", body: { keep_oauth: true } });
    const zone = freshZone();
    await putZone(caller, zone, []);
    const { customer, popup } = await start(`shop.${zone}`, "44");
    await allow(popup);
    await customer.id("plan").waitFor();
    await customer.id("apply").click();
    await customer.step("in_progress");
    await customer.context.close();
    const list = await call(base, `/v1/connections?hostname=shop.${zone}`, { key });
    const [made] = list.json()["data"] as { id: string }[];
    const end = `/v1/connections/${made?.id}?revert_dns=true`;
    assert.equal((await call(base, end, { key, method: "DELETE" })).status, 200);
    assert.doesNotMatch(await readZone(zone), /service-verify=/);
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
