import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import {
  movingName,
  plainTexts,
  type Stock,
  stockConsole,
} from "@mooring/testing/browser/console-stock";
import {
  type ConsoleWorld,
  type Role,
  startConsoleWorld,
} from "@mooring/testing/browser/console-world";
import { call } from "@mooring/testing/control/http";
import { type OidcIssuer, startOidcIssuer } from "@mooring/testing/control/oidc-issuer";
import { until } from "@mooring/testing/processes/until";
import type { Page } from "playwright-core";

/** Journeys of people through the console, in Chromium, over the real API and worker. */
describe("the console", () => {
  let world: ConsoleWorld;
  let stock: Stock;

  let issuer: OidcIssuer;

  before(async () => {
    issuer = await startOidcIssuer();
    world = await startConsoleWorld({
      OIDC_ISSUER: issuer.url,
      OIDC_CLIENT_ID: issuer.clientId,
      OIDC_CLIENT_SECRET: issuer.clientSecret,
    });
    stock = await stockConsole(world, plainTexts);
  });
  after(async () => {
    await stock?.close();
    await world?.close();
    await issuer?.close();
  });

  const stuckName = "shop.acme-console.test";
  const heading = (page: Page, name: string) =>
    page.getByRole("heading", { level: 1, name, exact: true }).waitFor();

  it("takes support from a customer's complaint to the fix, by the keyboard, within a minute", async (test) => {
    const { page, open, problems } = await world.signInByLink("support");
    await open("/test/");
    await heading(page, "Overview");
    const startedAt = performance.now();
    await page.keyboard.press("Control+k");
    await page.keyboard.type("acme-cons");
    await page.getByRole("option", { name: stuckName }).waitFor();
    await page.keyboard.press("Enter");
    await heading(page, stuckName);

    const diagnosis = page.getByRole("region", { name: "Diagnosis" });
    await diagnosis.getByText("Customer's move").first().waitFor();
    const records = page.getByRole("region", { name: "Records" });
    await records.getByText("old-host.example").first().waitFor();
    await page.getByRole("button", { name: "Share" }).click();
    const link = await page.getByRole("dialog").locator("code").first().textContent();
    await page.keyboard.press("Escape");
    const shared = await world.visit();
    await shared.page.goto(link ?? "");
    await shared.page.getByText("_service-challenge.shop.acme-console.test").first().waitFor();

    // The customer does what the page says.
    const id = stock.domains.get(stuckName) ?? "";
    const { ownership_challenge: challenge, desired_records: desired } = (
      await call(world.url, `/v1/connections/${id}`, { key: world.tenant.keys.test })
    ).json() as {
      ownership_challenge: { name: string; value: string };
      desired_records: readonly object[];
    };
    const zone = `${world.url}/v1/sandbox/zones/acme-console.test/records`;
    const proof = { host: challenge.name, type: "TXT", value: challenge.value };
    const put = await call(zone, "", {
      key: world.tenant.keys.test,
      method: "PUT",
      body: { records: [proof, ...desired] },
    });
    assert.equal(put.status, 200, put.text);

    await page.getByRole("button", { name: "Check now" }).click();
    await records.getByText("Right everywhere").first().waitFor();
    await page.getByText("Waiting for proof", { exact: true }).waitFor({ state: "detached" });
    const tookMs = performance.now() - startedAt;
    test.diagnostic(`from the search to the fix: ${(tookMs / 1_000).toFixed(1)} s`);
    assert.ok(tookMs < 60_000, `the journey took ${tookMs} ms`);
    assert.deepEqual(problems, []);
  });

  it("searches again after Back, which empties the field", async () => {
    const { page, open } = await world.signIn("viewer");
    for (const list of ["domains", "customers"]) {
      await open(`/test/${list}`);
      const field = page.getByRole("searchbox");
      await field.fill("4711");
      await page.waitForURL(/\?q=4711$/);
      await page.goBack();
      await page.waitForURL(new RegExp(`/${list}$`));
      await field.pressSequentially("custom");
      // What was typed stays, also while the address follows a part of it.
      await page.waitForURL(/\?q=custom$/);
      assert.equal(await field.inputValue(), "custom");
    }
  });

  it("tells which registrations end, who made a key, and how an endpoint answers", async () => {
    const { page, open } = await world.signIn("owner");
    await open("/test/domains");
    const ending = page.getByRole("row").filter({ hasText: stuckName });
    await ending.getByText(/^in \d+ d$/).waitFor();
    await page.getByRole("combobox", { name: "Registration" }).selectOption("30");
    await page.waitForURL(/\?ends=30$/);
    await page.getByRole("link", { name: "www.lighthouse.test" }).waitFor({ state: "detached" });
    await ending.waitFor();

    await open(`/test/applications/${stock.applicationId}?tab=keys`);
    const key = page.getByRole("row").filter({ hasText: "Backend" });
    for (const shown of ["connections:read", "Never", /^by \w/]) {
      await key.getByText(shown).first().waitFor();
    }
    await key.getByRole("button", { name: "Revoke" }).click();
    await page.getByRole("dialog").getByText("Revoke Backend?").waitFor();
    await page.keyboard.press("Escape");

    await open(`/test/webhooks/${stock.endpointId}`);
    const health = page.getByRole("region", { name: "Health" });
    assert.match((await health.textContent()) ?? "", /Answered with success\d+ %/);
    await health.getByRole("img", { name: /^Success over the latest/ }).waitFor();
    await open("/test/webhooks/deliveries");
    await page.getByRole("textbox", { name: "Domain" }).fill(`https://${stuckName}/a?b=c`);
    await page.keyboard.press("Enter");
    await page.waitForURL(`**/deliveries?domain=${stuckName}`);
    assert.equal(await page.getByRole("textbox", { name: "Domain" }).inputValue(), stuckName);
  });

  it("has the filters of a list in its address, and gives the table to the keyboard", async () => {
    const { page, open } = await world.signIn("viewer");
    await open("/test/domains");
    await page.getByRole("link", { name: "www.lighthouse.test" }).waitFor();
    await page.keyboard.press("/");
    await page.keyboard.type("lighth");
    await page.waitForURL(/\/console\/test\/domains\?q=lighth/);
    await page.getByRole("link", { name: "blog.tide.test" }).waitFor({ state: "detached" });

    // The address alone shows the same.
    await page.reload();
    await page.getByRole("link", { name: "www.lighthouse.test" }).waitFor();
    assert.equal(await page.getByRole("searchbox").inputValue(), "lighth");
    assert.equal(await page.getByRole("link", { name: "blog.tide.test" }).count(), 0);

    await page.keyboard.press("j");
    await page.keyboard.press("Enter");
    await heading(page, "www.lighthouse.test");
    await page.keyboard.press("g");
    await page.keyboard.press("w");
    await heading(page, "Webhooks");
  });

  const roles: readonly (readonly [Role, readonly string[], readonly string[]])[] = [
    ["viewer", [], ["Check now", "Share", "Archive", "Change"]],
    ["support", ["Check now", "Share"], ["Archive", "Change"]],
    ["developer", ["Check now", "Share", "Archive", "Change"], []],
    ["admin", ["Check now", "Share", "Archive", "Change"], []],
    ["owner", ["Check now", "Share", "Archive", "Change"], []],
  ];
  for (const [role, offered, hidden] of roles) {
    it(`offers a ${role} what the role may do, and nothing else`, async () => {
      const { page, open, problems } = await world.signIn(role);
      await open(`/test/domains/${stock.domains.get("blog.tide.test")}`);
      await heading(page, "blog.tide.test");
      const button = (name: string) => page.getByRole("button", { name, exact: true });
      for (const name of offered) await button(name).first().waitFor();
      for (const name of hidden) assert.equal(await button(name).count(), 0, name);
      const audit = page.getByRole("link", { name: "Audit" });
      assert.equal(await audit.count(), role === "admin" || role === "owner" ? 1 : 0);
      await page.getByRole("link", { name: "Team" }).click();
      await heading(page, "Team");
      assert.equal(await button("Invite").count(), role === "admin" || role === "owner" ? 1 : 0);
      assert.deepEqual(problems, []);
    });
  }

  it("moves a prepared domain here and back, by the plan, for who may", async () => {
    const path = `/test/domains/${stock.domains.get(movingName)}`;
    const support = await world.signIn("support");
    await support.open(path);
    const findPanel = (page: Page) => page.getByRole("region", { name: "Cut-over" });
    await findPanel(support.page).getByText("Ready to switch").waitFor();
    assert.equal(await findPanel(support.page).getByRole("button").count(), 0);

    const { page, open, problems } = await world.signIn("developer");
    await open(path);
    await findPanel(page).getByRole("button", { name: "Switch" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("button", { name: "Show the plan" }).click();
    await dialog.getByRole("cell", { name: "edge.mooring.example" }).waitFor();
    const carryOut = dialog.getByRole("button", { name: "Switch" });
    assert.equal(await carryOut.isDisabled(), true, "the difference of the origin is not accepted");
    await dialog.getByLabel("The new place may answer differently.").check();
    await carryOut.click();
    await page.getByText("The new records are written").waitFor();
    const records = await call(world.url, "/v1/sandbox/zones/elsewhere.test/records", {
      key: world.tenant.keys.test,
    });
    assert.match(records.text, /"busy\.elsewhere\.test","type":"CNAME"/);

    const timeline = page.getByRole("region", { name: "Timeline" });
    await timeline.getByText("Cutover by", { exact: false }).waitFor();
    const write = timeline.getByRole("listitem").filter({ hasText: "DNS write: applied" }).first();
    await write.getByText("The plan").click();
    await write.getByRole("table", { name: "What was written" }).waitFor();

    await findPanel(page).getByRole("button", { name: "Move back" }).click();
    await dialog.getByRole("button", { name: "Show the plan" }).click();
    await dialog.getByRole("table").waitFor();
    await dialog.getByRole("button", { name: "Move back" }).click();
    await page.getByText("The old records are back.").waitFor();
    assert.deepEqual([...problems, ...support.problems], []);
  });

  it("shows an operator the whole installation, and a member none of it", async () => {
    const operator = await world.signInOperator();
    const { page } = operator;
    await heading(page, "Installation");
    const region = (name: string) => page.getByRole("region", { name, exact: true });
    await region("Edges")
      .getByRole("row")
      .filter({ hasText: "edge-2:443" })
      .getByText("Silent")
      .waitFor();
    await region("Queues").getByText("Checks of domains").waitFor();
    await region("Certificate authorities")
      .getByText(/2\d\d of 300 left in 3 h/)
      .waitFor();
    await region("DNS providers").getByText("sandbox").waitFor();
    await page.getByRole("link", { name: "Tenants" }).click();
    await page.getByLabel("A part of the name").fill("lighth");
    await page.keyboard.press("Enter");
    await page.waitForURL(/\/console\/operator\/tenants\?q=lighth/);
    await page.getByRole("cell", { name: "Harbour" }).waitFor({ state: "detached" });
    await page.getByRole("row").filter({ hasText: plainTexts.tenantName }).waitFor();
    // A tenant's page leads the operator back; a member's session shows nothing of this.
    await operator.open("/test/domains");
    await heading(page, "Installation");
    const member = await world.signIn("owner");
    await member.open("/operator/tenants");
    await heading(member.page, "Overview");
    assert.equal(await member.page.getByText("Operator").count(), 0);
    await page.getByRole("button", { name: "Sign out" }).click();
    await heading(page, "Sign in to Mooring");
    assert.deepEqual([...operator.problems, ...member.problems], []);
  });

  it("signs a member in at the organisation's identity provider, and leads back", async () => {
    const { page, open } = await world.visit();
    await open("/test/domains?q=lighth");
    await heading(page, "Sign in to Mooring");
    issuer.identity = { email: "eve@evil.example", email_verified: true };
    const signIn = page.getByRole("link", { name: "Sign in with your organisation" });
    await signIn.click();
    await page.waitForURL(/\/console\/oidc\/callback/);
    await page.getByText("Not signed in").first().waitFor();

    issuer.identity = { email: "ada@harbour.example", email_verified: true, name: "Ada" };
    await open("/test/domains?q=lighth");
    await signIn.click();
    await page.waitForURL(/\/console\/test\/domains\?q=lighth/);
    await heading(page, "Domains");
    await page.getByRole("button", { name: "Your account" }).click();
    await page.getByText("ada@harbour.example · support").waitFor();
  });

  it("follows a change that somebody else makes, without a reload", async () => {
    const { page, open } = await world.signIn("viewer");
    const id = stock.domains.get("www.lighthouse.test") ?? "";
    await open(`/test/domains/${id}`);
    await heading(page, "www.lighthouse.test");
    const answer = await call(world.url, `/v1/connections/${id}`, {
      key: world.tenant.keys.test,
      method: "DELETE",
    });
    assert.equal(answer.status, 200, answer.text);
    await page.getByText("Archived", { exact: true }).first().waitFor();
  });

  it("ends a session in all its tabs as soon as it is revoked", async () => {
    const { page, context, open } = await world.signIn("owner");
    await open("/test/settings");
    const second = await context.newPage();
    await second.goto(`${world.url}/console/test/domains`);
    await heading(second, "Domains");
    const row = page.getByRole("row").filter({ hasText: "This one" });
    await row.getByRole("button", { name: "End" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "End it" }).click();
    for (const tab of [page, second]) {
      await tab.waitForURL(/\/console\/sign-in/);
      await heading(tab, "Sign in to Mooring");
    }
    assert.equal(await second.getByText("blog.tide.test").count(), 0);
  });

  it("signs a member in with a passkey that they have added", async () => {
    const { page, context, open, problems } = await world.visit();
    const devtools = await context.newCDPSession(page);
    await devtools.send("WebAuthn.enable");
    await devtools.send("WebAuthn.addVirtualAuthenticator", {
      options: {
        protocol: "ctap2",
        transport: "internal",
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
        automaticPresenceSimulation: true,
      },
    });
    await page.goto(await world.link(null, "ada@harbour.example"));
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.waitForURL(/\/console\/(live|test)/);
    await open("/test/settings");
    await page.getByRole("button", { name: "Add a passkey" }).click();
    await page.getByText("The passkey is added.").waitFor();
    await page.getByRole("button", { name: "Your account" }).click();
    await page.getByRole("menuitem", { name: "Sign out" }).click();
    await page.getByRole("button", { name: "Sign in with a passkey" }).click();
    await page.waitForURL(/\/console\/(live|test)/);
    await open("/test/settings");
    await page.getByText(plainTexts.memberName).first().waitFor();
    assert.deepEqual(problems, []);
  });

  it("keeps the cookie from scripts, and the pages from frames and other origins", async () => {
    const { page, context, open } = await world.signIn("owner");
    await open("/test/usage");
    const [cookie] = (await context.cookies()).filter(({ name }) => name.endsWith("mooring"));
    assert.equal(cookie?.httpOnly, true);
    assert.equal(cookie.sameSite, "Lax");
    assert.equal(await page.evaluate<string>("document.cookie"), "");

    const answer = await fetch(`${world.url}/console/live/domains`);
    const policy = answer.headers.get("content-security-policy") ?? "";
    assert.match(policy, /frame-ancestors 'none'/);
    assert.match(policy, /script-src 'self';/);
    assert.match(policy, /style-src 'self';/);
    assert.doesNotMatch(policy, /unsafe|\*/);
    assert.equal(answer.headers.get("x-frame-options"), "DENY");
    const html = await answer.text();
    assert.doesNotMatch(html, /<script(?![^>]*\ssrc=)|<style|\sstyle=|\son\w+=/);

    // Another site, in the same browser: the cookie does not help it.
    const stranger = await context.newPage();
    await stranger.goto(`${world.app.api.url}/healthz`);
    const status = await stranger.evaluate<string>(
      `fetch(${JSON.stringify(`${world.url}/v1/session`)}, { credentials: "include" })
         .then((answer) => answer.text(), () => "refused")`,
    );
    assert.equal(status, "refused");
  });

  it("signs out when the session has expired, and leads back after the next sign-in", async () => {
    const { page, open } = await world.signIn("support");
    await open("/test/domains?state=live");
    await heading(page, "Domains");
    await world.session.query("update sessions set expires_at = now() - interval '1 day'");
    await page.reload();
    await page.waitForURL(/\/console\/sign-in\?next=/);
    await until(async () => (await page.title()) !== "", "a title");
    assert.match(page.url(), /domains/);
  });
});
