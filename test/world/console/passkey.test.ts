import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { launchChromium } from "@mooring/testing/browser/chromium";
import { startTestApp, type TestApp } from "@mooring/testing/control/app";
import { linkPath } from "@mooring/testing/control/session";
import { withoutLimits } from "@mooring/testing/control/world";
import { freePort } from "@mooring/testing/processes/free-port";
import type { Browser, Page } from "playwright-core";

/** Chromium with a virtual authenticator, which Chromium's own code implements. */
describe("a passkey in a browser", () => {
  let app: TestApp;
  let browser: Browser;
  let page: Page;
  let base: string;
  let tenantId: string;
  before(async () => {
    const port = await freePort();
    base = `http://localhost:${port}`;
    app = await startTestApp({
      ...withoutLimits,
      PORT: String(port),
      HOST: "127.0.0.1",
      BASE_URL: base,
    });
    tenantId = (await app.tenant("Harbour")).tenant.id;
    browser = await launchChromium();
    page = await browser.newPage();
    const devtools = await page.context().newCDPSession(page);
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
  });
  after(async () => {
    await browser.close();
    await app.close();
  });

  interface PageAnswer {
    readonly status: number;
    // biome-ignore lint/suspicious/noExplicitAny: whatever the API answers, checked where it is used
    readonly body: any;
  }

  /** Runs a function of the page, given as text, with its cookies and origin. */
  function inPage<T>(code: string, ...inputs: readonly unknown[]): Promise<T> {
    return page.evaluate(`(${code})(...${JSON.stringify(inputs)})`);
  }

  function send(path: string, method = "GET", body: unknown = null): Promise<PageAnswer> {
    return inPage(
      `async (url, method, content) => {
        const session = await (await fetch("/v1/session")).json();
        const response = await fetch(url, {
          method,
          headers: {
            "x-mooring-environment": "test",
            "x-mooring-csrf": session.csrf_token ?? "",
            ...(content === null ? {} : { "content-type": "application/json" }),
          },
          ...(content === null ? {} : { body: JSON.stringify(content) }),
        });
        const text = await response.text();
        return { status: response.status, body: text === "" ? null : JSON.parse(text) };
      }`,
      path,
      method,
      body,
    );
  }

  function askAuthenticator(kind: "create" | "get", options: unknown): Promise<unknown> {
    const parse =
      kind === "create" ? "parseCreationOptionsFromJSON" : "parseRequestOptionsFromJSON";
    return inPage(
      `async (options) => {
        const publicKey = PublicKeyCredential.${parse}(options);
        return (await navigator.credentials.${kind}({ publicKey })).toJSON();
      }`,
      options,
    );
  }

  async function signInWithPasskey() {
    const challenge = await send("/console/passkey/challenge", "POST");
    assert.equal(challenge.status, 200);
    const response = await askAuthenticator("get", challenge.body);
    return { response, answer: await send("/console/passkey", "POST", { response }) };
  }

  it("is added by a signed-in member, and then signs in without anything else", async () => {
    await page.goto(base + (await linkPath(app, tenantId, "admin", "ada@harbour.example")));
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.waitForURL(`${base}/console/`);
    const [cookie] = await page.context().cookies();
    assert.partialDeepStrictEqual(cookie, { name: "mooring", httpOnly: true, sameSite: "Lax" });
    await page.goto(`${base}/docs`);
    const { body } = await send("/v1/passkeys:challenge", "POST");
    const made = await askAuthenticator("create", body.options);
    const add = { challenge_id: body.challenge_id, name: "Laptop", response: made };
    assert.equal((await send("/v1/passkeys", "POST", add)).status, 201);
    assert.equal((await send("/v1/passkeys", "POST", add)).status, 400, "a challenge is used once");
    assert.equal((await send("/v1/session", "DELETE")).status, 204);
    assert.equal((await send("/v1/session")).status, 401);
    const { response, answer } = await signInWithPasskey();
    assert.deepEqual(answer, { status: 200, body: { signed_in: true } });
    const session = await send("/v1/session");
    assert.partialDeepStrictEqual(session.body, {
      role: "admin",
      member: { email: "ada@harbour.example" },
    });
    const again = await send("/console/passkey", "POST", { response });
    assert.equal(again.status, 403, "an answer is used once");
  });

  it("signs in no more after it was removed", async () => {
    const list = await send("/v1/passkeys");
    assert.equal(list.body.data[0].name, "Laptop");
    assert.equal(typeof list.body.data[0].last_used_at, "string");
    assert.equal((await send(`/v1/passkeys/${list.body.data[0].id}`, "DELETE")).status, 204);
    await send("/v1/session", "DELETE");
    const { answer } = await signInWithPasskey();
    assert.deepEqual(answer, { status: 403, body: { signed_in: false } });
  });
});
