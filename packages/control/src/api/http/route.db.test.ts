import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { connect, freshZone, proofRecord, putZone } from "@mooring/testing/clients/connecting";
import { call, textOf } from "@mooring/testing/control/http";
import { type LifecycleApp, startLifecycle } from "@mooring/testing/processes/lifecycle-app";

describe("GET /internal/route", () => {
  let life: LifecycleApp;
  before(async () => {
    life = await startLifecycle({
      env: {
        ORIGIN_ALLOW_PRIVATE: "true",
        EGRESS_ALLOW: "203.0.113.0/24,2001:db8::/32,::ffff:0:0/96",
        EDGE_CNAME: "edge.mooring.example",
        EDGE_IPV4: "203.0.113.7",
        EDGE_IPV6: "2001:db8::7",
        EDGE_HTTP_PORT: "8081",
        EDGE_HTTPS_PORT: "8443",
      },
    });
  });
  after(() => life.close());

  /** A claimName name of an application with these settings. */
  async function claimName(application: object): Promise<string> {
    const { app } = life;
    const { keys } = await app.tenant("Acme");
    const body = { name: "Shop", ...application };
    const made = await call(app.api.url, "/v1/applications", { key: keys.test, body });
    assert.equal(made.status, 201, made.text);
    const caller = { base: app.api.url, key: keys.test, applicationId: textOf(made, "id") };
    const zone = freshZone();
    const connection = await connect(caller, `shop.${zone}`);
    await putZone(caller, zone, [proofRecord(connection)]);
    await life.reach(connection.id, "propagating");
    return connection.hostname;
  }

  async function findRoute(hostname: string): Promise<readonly unknown[]> {
    const path = `/internal/route?domain=${hostname}`;
    const answer = await fetch(`${life.app.api.url}${path}`);
    const names = ["", "-scheme", "-dial", "-host", "-path"];
    const values = names.map((name) => answer.headers.get(`x-svc-upstream${name}`));
    return [answer.status, ...values];
  }

  it("names the origin in one piece and in parts", async () => {
    const plain = await claimName({ origin_url: "http://127.0.0.1:3000" });
    assert.deepEqual(await findRoute(plain), [
      200,
      "http://127.0.0.1:3000",
      "http",
      "127.0.0.1:3000",
      plain,
      "",
    ]);
    const own = { origin_url: "https://localhost/eu/", origin_host_header: "origin" };
    assert.deepEqual((await findRoute(await claimName(own))).slice(2), [
      "https",
      "localhost:443",
      "localhost",
      "/eu",
    ]);
    const h2c = await claimName({ origin_url: "h2c://localhost:50051" });
    const [, url, scheme, dial] = await findRoute(h2c);
    assert.deepEqual([url, scheme], ["h2c://localhost:50051", "h2c"]);
    assert.match(String(dial), /^(127\.0\.0\.1|\[::1\]):50051$/);
    const ipv6 = await claimName({ origin_url: "http://[::1]:3000" });
    assert.equal((await findRoute(ipv6))[3], "[::1]:3000");
  });

  it("names the connection's own origin, where it has one", async () => {
    const own = await claimName({ origin_url: "http://127.0.0.1:3000" });
    await life.session.query(
      `update connections set origin_url = 'http://127.0.0.1:3100', origin_host_header = 'origin'
       where hostname = $1`,
      [own],
    );
    assert.deepEqual(await findRoute(own), [
      200,
      "http://127.0.0.1:3100",
      "http",
      "127.0.0.1:3100",
      "127.0.0.1:3100",
      "",
    ]);
  });

  it("gives the checked address of an http origin, so that its name cannot change in between", async () => {
    const named = await claimName({ origin_url: "http://localhost:3000" });
    assert.match(String((await findRoute(named))[3]), /^(127\.0\.0\.1|\[::1\]):3000$/);
  });

  it("has no route for an unknown name, nor before the origin is set", async () => {
    const nowhere = [404, null, null, null, null, null];
    assert.deepEqual(await findRoute("unknown.test"), nowhere);
    assert.deepEqual(await findRoute(await claimName({})), nowhere);
    assert.deepEqual(await findRoute(""), nowhere);
  });

  /** As stored, also by an earlier release that did not check it. */
  async function setOrigin(hostname: string, origin: string): Promise<void> {
    await life.session.query("update connections set origin_url = $2 where hostname = $1", [
      hostname,
      origin,
    ]);
  }

  it("refuses the edge itself as an origin, by address, by name and by a name that it serves", async () => {
    const hostname = await claimName({ origin_url: "http://127.0.0.1:3000" });
    const another = await claimName({ origin_url: "http://127.0.0.1:3000" });
    for (const origin of [
      "http://203.0.113.7",
      "https://203.0.113.7",
      "h2c://203.0.113.7",
      "http://203.0.113.7:8081",
      "https://203.0.113.7:8443",
      "http://[2001:db8::7]",
      "http://[::ffff:203.0.113.7]",
      "http://127.0.0.1:8081",
      "https://edge.mooring.example",
      "https://abc.edge.mooring.example:8000",
      `https://${hostname}`,
      `https://${another.toUpperCase()}.`,
      `http://${another}:8000`,
    ]) {
      await setOrigin(hostname, origin);
      const [status, , , dial] = await findRoute(hostname);
      assert.deepEqual([status, dial], [502, null], origin);
    }
    for (const origin of ["http://203.0.113.7:3000", "http://203.0.113.8", "http://127.0.0.1:80"]) {
      await setOrigin(hostname, origin);
      assert.equal((await findRoute(hostname))[0], 200, origin);
    }
  });

  it("names the token of CDN-Loop, and refuses a request that carries it", async () => {
    const hostname = await claimName({ origin_url: "http://127.0.0.1:3000" });
    const ask = (loop: string) =>
      fetch(`${life.app.api.url}/internal/route?domain=${hostname}`, {
        headers: { "cdn-loop": loop },
      });
    const first = await ask("cloudflare; v=1, not-edge.mooring.example");
    assert.equal(first.status, 200);
    assert.equal(first.headers.get("x-svc-loop"), "edge.mooring.example");
    for (const loop of ["edge.mooring.example", "other, Edge.Mooring.Example; v=1"]) {
      const again = await ask(loop);
      assert.equal(again.status, 508, loop);
      assert.equal(again.headers.get("x-svc-upstream-dial"), null);
      assert.equal(again.headers.get("cache-control"), "no-store");
    }
  });

  it("refuses what the egress policy refuses, so that no proxy is sent into the operator's network", async () => {
    const guarded = await startLifecycle({ env: { ORIGIN_ALLOW_PRIVATE: "false" } });
    try {
      const { keys } = await guarded.app.tenant("Hostile");
      const base = guarded.app.api.url;
      const body = { name: "Shop" };
      const application = await call(base, "/v1/applications", { key: keys.test, body });
      const caller = { base, key: keys.test, applicationId: textOf(application, "id") };
      const zone = freshZone();
      const connection = await connect(caller, `shop.${zone}`);
      await putZone(caller, zone, [proofRecord(connection)]);
      await guarded.reach(connection.id, "propagating");
      for (const origin of [
        "http://127.0.0.1:5432",
        "http://169.254.169.254",
        "http://10.0.0.1",
        "http://[::1]",
        "http://localhost:3000",
        "h2c://127.0.0.1:50051",
        "h2c://0x7f.1",
        "https://localhost",
        "http://[::ffff:7f00:1]",
        "http://0x7f.1",
        "http://no-such-name.invalid",
      ]) {
        // The API refuses most of them; this one was set under another configuration.
        await guarded.session.query(
          "update applications set origin_url = $1, origins = default where id = $2",
          [origin, caller.applicationId],
        );
        const answer = await fetch(`${base}/internal/route?domain=${connection.hostname}`);
        assert.equal(answer.status, 502, origin);
        assert.equal(answer.headers.get("x-svc-upstream-dial"), null);
      }
    } finally {
      await guarded.close();
    }
  });
});
