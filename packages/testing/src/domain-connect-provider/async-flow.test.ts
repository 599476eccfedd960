import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, it } from "node:test";
import {
  type AsyncClient,
  applyAsync,
  consentUrl,
  exchangeCode,
  refreshGrant,
  revertAsync,
} from "../../../dns/src/index.ts";
import {
  back,
  client,
  get,
  identity,
  type MemoryWorld,
  press,
  startMemoryWorld,
  untouched,
  zone,
} from "./memory-world.ts";

describe("the test DNS provider in the asynchronous flow", () => {
  const { signal } = new AbortController();
  let world: MemoryWorld;

  beforeEach(async () => {
    world = await startMemoryWorld();
  });
  afterEach(() => world.provider.stop());

  const api = (): AsyncClient => ({
    urlAPI: `${world.provider.url}/api`,
    clientId: client.clientId,
    clientSecret: client.clientSecret,
    fetch,
  });
  const consent = () =>
    consentUrl({
      urlAsyncUX: `${world.provider.url}/async`,
      providerId: identity.providerId,
      serviceIds: [identity.serviceId],
      clientId: client.clientId,
      domain: zone,
      host: "shop",
      redirectUri: back,
      state: "st",
      variables: { token: "abc" },
    });
  const target = (accessToken: string) => ({
    template: identity,
    domain: zone,
    host: "shop",
    accessToken,
  });

  async function code(): Promise<string> {
    const answer = await press(world, await (await get(consent())).text(), "confirm");
    const location = new URL(answer.headers.get("location") ?? "");
    assert.equal(location.searchParams.get("state"), "st");
    return location.searchParams.get("code") ?? "";
  }

  it("exchanges the code for a grant, applies, reports conflicts, and reverts", async () => {
    const grant = await exchangeCode(api(), { code: await code(), redirectUri: back }, signal);
    const apply = { ...target(grant.accessToken), variables: { token: "abc" }, force: false };
    assert.deepEqual(await applyAsync(api(), apply, signal), {
      outcome: "conflict",
      records: [{ type: "A", host: "shop.acme.example", data: "192.0.2.1" }],
    });
    assert.deepEqual(world.lines(), untouched);
    const forced = { ...apply, force: true };
    assert.deepEqual(await applyAsync(api(), forced, signal), { outcome: "applied" });
    assert.ok(world.lines().includes("shop.acme.example 300 CNAME edge.mooring.example"));
    const revert = () => revertAsync(api(), target(grant.accessToken), signal);
    assert.deepEqual(await revert(), { outcome: "reverted" });
    assert.deepEqual(world.lines(), ["acme.example 60 TXT note"]);
    assert.deepEqual(await revert(), { outcome: "not_applied" });
  });

  it("refuses a wrong secret, a used code and an expired one, and revokes the tokens of a reused code", async () => {
    const input = { code: await code(), redirectUri: back };
    const wrong = { ...api(), clientSecret: "guess" };
    await assert.rejects(exchangeCode(wrong, input, signal), { kind: "auth" });
    const elsewhere = { ...input, redirectUri: "https://evil.example/" };
    await assert.rejects(exchangeCode(api(), elsewhere, signal), { kind: "auth" });
    const grant = await exchangeCode(api(), input, signal);
    await assert.rejects(exchangeCode(api(), input, signal), { kind: "auth" });
    const apply = { ...target(grant.accessToken), variables: { token: "abc" }, force: true };
    await assert.rejects(applyAsync(api(), apply, signal), { kind: "auth" });
    const late = { code: await code(), redirectUri: back };
    world.timeMs += 600_000;
    await assert.rejects(exchangeCode(api(), late, signal), { kind: "auth" });
  });

  it("expires a token, and refreshes it once", async () => {
    const grant = await exchangeCode(api(), { code: await code(), redirectUri: back }, signal);
    world.timeMs += grant.expiresInSeconds * 1_000;
    const apply = (accessToken: string) =>
      applyAsync(
        api(),
        { ...target(accessToken), variables: { token: "abc" }, force: true },
        signal,
      );
    await assert.rejects(apply(grant.accessToken), { kind: "auth" });
    const again = { refreshToken: grant.refreshToken ?? "", redirectUri: back };
    const fresh = await refreshGrant(api(), again, signal);
    assert.deepEqual(await apply(fresh.accessToken), { outcome: "applied" });
    await assert.rejects(refreshGrant(api(), again, signal), { kind: "auth" });
  });

  it("limits a grant to its name, and lets the customer refuse", async () => {
    const grant = await exchangeCode(api(), { code: await code(), redirectUri: back }, signal);
    const other = {
      ...target(grant.accessToken),
      host: "www",
      variables: { token: "a" },
      force: true,
    };
    await assert.rejects(applyAsync(api(), other, signal), { kind: "auth" });
    const refused = await press(world, await (await get(consent())).text(), "cancel");
    const { searchParams } = new URL(refused.headers.get("location") ?? "");
    assert.equal(searchParams.get("error"), "access_denied");
    assert.equal(searchParams.get("code"), null);
    const elsewhere = consent().replace("app.mooring.example", "evil.example");
    assert.equal((await get(elsewhere)).status, 400);
  });
});
