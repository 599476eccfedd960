import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { connect, freshZone, proofOf, putZone } from "../../../../test/support/connecting.ts";
import { type LifecycleApp, startLifecycle } from "../../../../test/support/lifecycle-app.ts";
import { call, textOf } from "../../test/support/http.ts";

describe("GET /internal/route", () => {
  let life: LifecycleApp;
  before(async () => {
    life = await startLifecycle({ env: { ORIGIN_ALLOW_PRIVATE: "true" } });
  });
  after(() => life.close());

  /** A held name of an application with these settings. */
  async function held(application: object): Promise<string> {
    const { app } = life;
    const { keys } = await app.tenant("Acme");
    const body = { name: "Shop", ...application };
    const made = await call(app.api.url, "/v1/applications", { key: keys.test, body });
    assert.equal(made.status, 201, made.text);
    const caller = { base: app.api.url, key: keys.test, applicationId: textOf(made, "id") };
    const zone = freshZone();
    const connection = await connect(caller, `shop.${zone}`);
    await putZone(caller, zone, [proofOf(connection)]);
    await life.reach(connection.id, "propagating");
    return connection.hostname;
  }

  async function routeOf(hostname: string): Promise<readonly unknown[]> {
    const path = `/internal/route?domain=${hostname}`;
    const answer = await fetch(`${life.app.api.url}${path}`);
    const names = ["", "-scheme", "-dial", "-host", "-path"];
    const values = names.map((name) => answer.headers.get(`x-svc-upstream${name}`));
    return [answer.status, ...values];
  }

  it("names the origin in one piece and in parts", async () => {
    const plain = await held({ origin_url: "http://127.0.0.1:3000" });
    assert.deepEqual(await routeOf(plain), [
      ...[200, "http://127.0.0.1:3000", "http", "127.0.0.1:3000", plain, ""],
    ]);
    const own = { origin_url: "https://app.acme.example/eu/", origin_host_header: "origin" };
    assert.deepEqual((await routeOf(await held(own))).slice(2), [
      ...["https", "app.acme.example:443", "app.acme.example", "/eu"],
    ]);
  });

  it("has no route for an unknown name, nor before the origin is set", async () => {
    const nowhere = [404, null, null, null, null, null];
    assert.deepEqual(await routeOf("unknown.test"), nowhere);
    assert.deepEqual(await routeOf(await held({})), nowhere);
    assert.deepEqual(await routeOf(""), nowhere);
  });
});
