import assert from "node:assert/strict";
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { createServer, type IncomingHttpHeaders, type Server } from "node:http";
import { request } from "node:https";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { after, before, describe, it } from "node:test";
import { createPki, type Pki } from "@mooring/testing/acme/openssl-pki";
import { hurry } from "@mooring/testing/clients/connecting";
import { call } from "@mooring/testing/control/http";
import {
  customerZone,
  startValidationWorld,
  type ValidationWorld,
} from "@mooring/testing/dns/validation-world";
import { untilPromoted } from "@mooring/testing/edge/accelerator/whole-edges";
import { type StrangerCdn, startCaddyCdn, startNginxCdn } from "@mooring/testing/edge/stranger-cdn";
import { freePort } from "@mooring/testing/processes/free-port";
import { until } from "@mooring/testing/processes/until";

const network = "127.0.29";
/** The addresses that "Cloudflare" publishes here. */
const published = "127.0.30";
const at = {
  full: `${published}.10`,
  strict: `${published}.11`,
  flexible: `${published}.12`,
  hiding: `${published}.13`,
  caching: `${published}.14`,
  onlyHttps: `${published}.15`,
  elsewhere: `${published}.16`,
  unknown: "127.0.32.17",
} as const;
const visitor = "127.0.31.77";

/** nginx and Caddy as CDNs, Knot with their addresses, Pebble before them, our edges behind. */
describe("a name that its customer keeps behind a CDN", () => {
  let world: ValidationWorld;
  let pki: Pki;
  let cdns: readonly StrangerCdn[] = [];
  let origin: Server;
  let ports: readonly [number, number];
  let seen: IncomingHttpHeaders = {};

  before(async () => {
    ports = [await freePort(), await freePort()];
    pki = await createPki();
    const ranges = path.join(pki.directory, "cdn-ranges.json");
    const cdnRanges = { date: "2026-11-01", cdns: { cloudflare: [`${published}.0/24`] } };
    await writeFile(ranges, JSON.stringify(cdnRanges));
    world = await startValidationWorld(network, {
      ports,
      env: {
        EDGE_CDN_RANGES: ranges,
        EDGE_PROBE_HTTP_PORT: String(ports[0]),
        EDGE_PROBE_PORT: String(ports[1]),
        EGRESS_ALLOW: "127.0.0.0/8",
      },
    });
    origin = createServer((incoming, response) => {
      seen = incoming.headers;
      response.end("hello");
    }).listen(0, "127.0.0.1");
    await once(origin, "listening");
    const { port } = origin.address() as AddressInfo;
    const body = { origin_url: `http://127.0.0.1:${port}` };
    const application = `/v1/applications/${world.caller.applicationId}`;
    await call(world.caller.base, application, { key: world.caller.key, method: "PATCH", body });
    const options = {
      ports,
      origin: "127.0.0.1",
      certificate: await pki.issue(`*.${customerZone}`, "server"),
      trusted: await world.pebble.root(),
    };
    cdns = [
      await startNginxCdn({
        ...options,
        zones: [
          { address: at.full, mode: "full" },
          { address: at.strict, mode: "strict" },
          { address: at.flexible, mode: "flexible" },
          { address: at.hiding, mode: "full", answersChallenges: true },
          { address: at.caching, mode: "full", cachesAll: true },
          { address: at.onlyHttps, mode: "strict", alwaysHttps: true },
          { address: at.elsewhere, mode: "full", elsewhere: true },
        ],
      }),
      await startCaddyCdn({ ...options, zones: [{ address: at.unknown, mode: "full" }] }),
    ];
  });
  after(async () => {
    await Promise.all(cdns.map((cdn) => cdn.stop()));
    await world.close();
    origin.closeAllConnections();
    origin.close();
    await pki.remove();
  });

  async function behind(label: string, address: string): Promise<string> {
    await world.add(`${label} A ${address}`);
    return (await world.prove(`${label}.${customerZone}`)).id;
  }

  /** Checks are made due, and waited for. */
  async function reach(id: string, state: string): Promise<void> {
    await until(async () => {
      await hurry(world.life.session);
      return (await world.detail(id))["state"] === state;
    }, `${state} behind the CDN`);
  }

  async function codes(id: string): Promise<readonly string[]> {
    const diagnosis = `/v1/connections/${id}/diagnosis`;
    const answer = await call(world.caller.base, diagnosis, { key: world.caller.key });
    return (answer.json()["findings"] as { code: string }[]).map(({ code }) => code);
  }

  const found = (id: string, code: string): Promise<void> =>
    until(async () => {
      await hurry(world.life.session);
      return (await codes(id)).includes(code);
    }, code);

  /** A visitor with an address of their own; null when TLS or the connection fails. */
  async function visit(
    label: string,
    address: string,
    fields: Readonly<Record<string, string>> = {},
  ): Promise<{ readonly status: number; readonly location: string | null }> {
    const hostname = `${label}.${customerZone}`;
    await untilPromoted(ports[1], hostname);
    return new Promise((resolve, reject) => {
      request({
        host: address,
        port: ports[1],
        localAddress: visitor,
        servername: hostname,
        headers: { host: `${hostname}:${ports[1]}`, ...fields },
        rejectUnauthorized: false,
      })
        .on("response", (response) => {
          response.resume();
          const { location = null } = response.headers;
          resolve({ status: response.statusCode ?? 0, location });
        })
        .on("error", reject)
        .end();
    });
  }

  it("goes live by HTTP-01 through the CDN, which names the visitor to the origin", async () => {
    for (const [label, address] of [
      ["full", at.full],
      ["strict", at.strict],
    ] as const) {
      const id = await behind(label, address);
      await reach(id, "live");
      const proxied = (await world.detail(id))["proxied"] as { readonly by: string };
      assert.equal(proxied.by, "cloudflare", label);
      const { status } = await visit(label, address, { "x-forwarded-for": "6.6.6.6" });
      assert.equal(status, 200, label);
      assert.equal(seen["x-real-ip"], visitor, label);
      assert.equal(seen["x-forwarded-for"], `${visitor}, ${address}`, label);
      assert.equal(seen["cf-connecting-ip"], undefined, label);
      assert.ok((await codes(id)).includes("behind_cdn"), label);
    }
  });

  it("goes live behind one that nobody knows, which names no visitor", async () => {
    const id = await behind("unknown", at.unknown);
    await reach(id, "live");
    assert.equal(((await world.detail(id))["proxied"] as { by: string }).by, "unknown");
    assert.equal((await visit("unknown", at.unknown)).status, 200);
    assert.equal(seen["x-real-ip"], "127.0.0.1");
  });

  it("believes nobody else who names a visitor", async () => {
    const fields = { "cf-connecting-ip": "6.6.6.6", "x-forwarded-for": "6.6.6.6" };
    assert.equal((await visit("full", "127.0.0.1", fields)).status, 200);
    assert.equal(seen["x-real-ip"], visitor);
    assert.equal(seen["x-forwarded-for"], visitor);
    assert.equal(seen["cf-connecting-ip"], undefined);
  });

  it("is found to be in a circle where the CDN comes without TLS", async () => {
    const id = await behind("flexible", at.flexible);
    await reach(id, "live");
    await found(id, "cdn_tls_flexible");
    const { status, location } = await visit("flexible", at.flexible);
    assert.equal(status, 308);
    assert.match(location ?? "", /^https:\/\/flexible\.acme\.example/);
  });

  it("waits where the CDN hides HTTP-01, and goes live by DNS-01 once that is delegated", async () => {
    const id = await behind("hiding", at.hiding);
    await found(id, "cdn_hides_challenge");
    assert.equal((await world.detail(id))["state"], "issuing_cert");
    await world.add(await world.delegate(id));
    await reach(id, "live");
    assert.ok(!(await codes(id)).includes("cdn_hides_challenge"));
    assert.equal((await visit("hiding", at.hiding)).status, 200);
  });

  it("goes live behind a CDN that speaks TLS only, where DNS-01 gives the first certificate", async () => {
    const id = await behind("only-https", at.onlyHttps);
    await world.add(await world.delegate(id));
    await reach(id, "live");
    assert.equal((await visit("only-https", at.onlyHttps)).status, 200);
  });

  it("is not live behind a cache that answers for us, nor where the CDN leads elsewhere", async () => {
    const cached = await behind("caching", at.caching);
    const other = await behind("elsewhere", at.elsewhere);
    await found(other, "cdn_not_forwarding");
    assert.equal((await world.detail(other))["error_code"], "record_mismatch");
    await found(cached, "cdn_caches_probe");
    assert.notEqual((await world.detail(other))["state"], "live");
  });
});
