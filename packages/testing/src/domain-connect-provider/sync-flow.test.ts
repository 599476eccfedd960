import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, it } from "node:test";
import { templateSupport } from "../../../dns/src/index.ts";
import {
  back,
  get,
  identity,
  type MemoryWorld,
  press,
  record,
  startMemoryWorld,
  untouched,
  zone,
} from "./memory-world.ts";

describe("the test DNS provider", () => {
  const { signal } = new AbortController();
  let world: MemoryWorld;

  beforeEach(async () => {
    world = await startMemoryWorld();
  });
  afterEach(() => world.provider.stop());

  it("answers for its zones only, and lists its flows", async () => {
    const known = await (await get(`${world.provider.url}/v2/${zone}/settings`)).json();
    assert.deepEqual(known, {
      providerId: "dns.example",
      providerName: "Example DNS",
      urlSyncUX: `${world.provider.url}/sync`,
      urlAsyncUX: `${world.provider.url}/async`,
      urlAPI: `${world.provider.url}/api`,
      width: 750,
      height: 750,
    });
    assert.equal((await get(`${world.provider.url}/v2/other.example/settings`)).status, 404);
    assert.equal((await get(`${world.provider.url}/v2/nothing`)).status, 404);
  });

  it("reports which templates it supports", async () => {
    const options = { fetch: (url: string) => get(url), signal };
    const api = `${world.provider.url}/api`;
    assert.equal(await templateSupport(api, identity, options), "supported");
    const other = { ...identity, serviceId: "SUB" };
    assert.equal(await templateSupport(api, other, options), "unsupported");
  });

  it("shows the changes, writes them when confirmed, and sends back with the state", async () => {
    const page = await get(world.link());
    const text = await page.text();
    assert.equal(page.status, 200, text);
    assert.match(text, /Custom &lt;domains&gt;/);
    assert.match(
      text,
      /<td>Remove<\/td><td>shop\.acme\.example<\/td><td>A<\/td><td>192\.0\.2\.1<\/td>/,
    );
    assert.match(
      text,
      /<td>Add<\/td><td>shop\.acme\.example<\/td><td>CNAME<\/td><td>edge\.mooring\.example<\/td>/,
    );
    assert.deepEqual(world.lines(), untouched);
    const answer = await press(world, text, "confirm");
    assert.equal(answer.status, 302);
    assert.equal(answer.headers.get("location"), `${back}?state=the-state`);
    assert.deepEqual(world.lines(), [
      "acme.example 60 TXT note",
      "shop.acme.example 300 CNAME edge.mooring.example",
      "_service-challenge.shop.acme.example 300 TXT service-verify=abc",
    ]);
    assert.equal((await press(world, text, "confirm")).status, 410);
  });

  it("changes nothing when cancelled, and reports it", async () => {
    const answer = await press(world, await (await get(world.link())).text(), "cancel");
    const location = new URL(answer.headers.get("location") ?? "");
    assert.equal(location.searchParams.get("error"), "access_denied");
    assert.equal(location.searchParams.get("error_description"), "user_cancel");
    assert.equal(location.searchParams.get("state"), "the-state");
    assert.deepEqual(world.lines(), untouched);
  });

  it("omits the state when it is configured to", async () => {
    world.echoesState = false;
    const redirectUri = `${back}?flow=1`;
    const answer = await press(
      world,
      await (await get(world.link({ redirectUri }))).text(),
      "confirm",
    );
    assert.equal(answer.headers.get("location"), redirectUri);
  });

  it("asks again when the zone has changed since the page was shown", async () => {
    const first = await (await get(world.link())).text();
    world.records = [...world.records, record("shop.acme.example TXT new")];
    const again = await press(world, first, "confirm");
    const text = await again.text();
    assert.equal(again.status, 200);
    assert.match(text, /The zone has changed/);
    assert.match(text, /<td>Remove<\/td><td>shop\.acme\.example<\/td><td>TXT<\/td>/);
    assert.equal((await press(world, text, "confirm")).status, 302);
  });

  const tampered: readonly (readonly [string, (url: string) => string])[] = [
    ["another token", (url) => url.replace("token=abc", "token=evil")],
    ["another domain", (url) => url.replace("host=shop", "host=www")],
    ["another redirect", (url) => url.replace("app.mooring", "evil.mooring")],
    ["an additional parameter", (url) => url.replace("&key=", "&utm_source=mail&key=")],
    [
      "another order",
      (url) => url.replace("domain=acme.example&host=shop", "host=shop&domain=acme.example"),
    ],
    ["no signature", (url) => url.replace(/&sig=.*$/, "")],
    ["no key", (url) => url.replace("&key=_dck1", "")],
    ["another key", (url) => url.replace("key=_dck1", "key=_dck2")],
  ];
  for (const [what, change] of tampered) {
    it(`refuses a link with ${what}, without a redirect`, async () => {
      const page = await get(change(world.link()));
      const text = await page.text();
      assert.equal(page.status, 403, text);
      assert.match(text, /role="alert"/);
      assert.doesNotMatch(text, /<button/);
      assert.equal(page.headers.get("location"), null);
      assert.deepEqual(world.lines(), untouched);
    });
  }

  it("refuses a key that DNS no longer has, or has with other records", async () => {
    const url = world.link();
    const good = world.published;
    for (const texts of [[], [...good, "v=spf1 -all"], good.slice(1)]) {
      world.published = texts;
      assert.equal((await get(url)).status, 403);
    }
  });

  it("refuses an unknown zone, an unknown service, a foreign redirect and a template with missing variables", async () => {
    assert.equal((await get(world.link({ domain: "other.example" }))).status, 404);
    assert.equal(
      (await get(world.link({ template: { ...identity, serviceId: "x" } }))).status,
      404,
    );
    assert.equal((await get(world.link({ redirectUri: "https://evil.example/" }))).status, 400);
    assert.equal((await get(world.link({ variables: {} }))).status, 400);
    assert.equal((await get(world.link({ host: "" }))).status, 400);
    assert.deepEqual(world.lines(), untouched);
  });
});
