import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { startTestApp, type TestApp } from "@mooring/testing/control/app";
import { type Answer, call } from "@mooring/testing/control/http";
import {
  keyWith,
  makeWorld,
  mintToken,
  type World,
  withoutLimits,
} from "@mooring/testing/control/world";
import { scopes } from "../../domain/tenancy.ts";

describe("a revoked key", () => {
  let app: TestApp;
  let own: World;
  let urls: readonly string[];
  before(async () => {
    app = await startTestApp(withoutLimits);
    own = await makeWorld(app, (await app.tenant("own")).keys.test, "own");
    urls = [app.api.url, (await app.another()).url, (await app.another()).url];
  });
  after(() => app.close());

  function revoke(id: string): Promise<Answer> {
    const path = `/v1/applications/${own.applicationId}/keys/${id}`;
    return call(app.api.url, path, { key: own.key, method: "DELETE" });
  }

  /**
   * Calls on all processes, round robin, at most 9 at once: each needs a connection to the
   * database.
   */
  async function callAll(key: string, total: number): Promise<number[]> {
    const statuses: number[] = [];
    let sent = 0;
    const worker = async (): Promise<void> => {
      while (sent < total) {
        const url = urls[sent++ % urls.length] ?? "";
        statuses.push((await call(url, "/v1/plans", { key })).status);
      }
    };
    await Promise.all(Array.from({ length: 9 }, worker));
    return statuses;
  }

  it("is refused by each of three processes in every one of 1,000 calls after the answer", async () => {
    const { id, secret } = await keyWith(app, own, scopes);
    assert.deepEqual(new Set(await callAll(secret, 90)), new Set([200]));
    const inFlight = callAll(secret, 300);
    assert.equal((await revoke(id)).status, 200);
    const later = await callAll(secret, 1_000);
    assert.equal(later.length, 1_000);
    assert.deepEqual(new Set(later), new Set([401]));
    for (const status of await inFlight) assert.ok(status === 200 || status === 401);
  });

  it("takes the tokens that it minted with it, and no others", async () => {
    const { id, secret } = await keyWith(app, own, scopes);
    const dying = await mintToken(app, secret, own.applicationId);
    const staying = await mintToken(app, own.key, own.applicationId);
    assert.deepEqual(new Set(await callAll(dying, 30)), new Set([403]));
    assert.equal((await revoke(id)).status, 200);
    assert.deepEqual(new Set(await callAll(dying, 300)), new Set([401]));
    assert.deepEqual(new Set(await callAll(staying, 30)), new Set([403]));
  });

  it("retains its first time when revoked again, and stays in the list without its secret", async () => {
    const { id, secret } = await keyWith(app, own, ["usage:read"]);
    const first = await revoke(id);
    app.clock.advance(5_000);
    const second = await revoke(id);
    assert.equal(second.text, first.text);
    assert.match(first.text, /"revoked_at":"\d{4}-/);
    const path = `/v1/applications/${own.applicationId}/keys?limit=100`;
    const list = await call(app.api.url, path, { key: own.key });
    assert.ok(list.text.includes(id));
    assert.ok(!list.text.includes(secret));
    assert.doesNotMatch(list.text, /"secret"|hash/);
  });

  it("may revoke itself, and is out with the answer", async () => {
    const { id, secret } = await keyWith(app, own, scopes);
    const path = `/v1/applications/${own.applicationId}/keys/${id}`;
    assert.equal((await call(app.api.url, path, { key: secret, method: "DELETE" })).status, 200);
    assert.equal((await call(app.api.url, path, { key: secret, method: "DELETE" })).status, 401);
  });
});
