import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, it } from "node:test";
import { type StoredApplication, toApplication } from "../hosts/application.ts";
import type { Host } from "../hosts/host.ts";
import { findObstacle, obstacles } from "./promotable.ts";

const host: Host = {
  hostname: "shop.example",
  epoch: 1,
  environment: "live",
  connectionId: "0198c0de-0000-7000-8000-000000000001",
  applicationId: "0198c0de-0000-7000-8000-000000000002",
  tenantId: "0198c0de-0000-7000-8000-000000000003",
  registrableDomain: "shop.example",
  own: null,
};
const stored: StoredApplication = {
  id: host.applicationId,
  tenantId: host.tenantId,
  environment: "live",
  originUrl: "https://origin.example",
  originHostHeader: "preserve",
};

const check = (changes: Partial<StoredApplication>, ofHost: Partial<Host> = {}): string | null =>
  findObstacle({
    host: { ...host, ...ofHost },
    application: toApplication({ ...stored, ...changes }),
  });

const longRule = { action: "set", name: "x-long", value: "x".repeat(2_000) };
const own = { redirectTo: null, originUrl: null, originHostHeader: null };

describe("which names are promoted", () => {
  it("is one with one origin and no settings, or such that the Node edge applies anyway", () => {
    assert.equal(check({}), null);
    assert.equal(check({ originUrl: "http://192.0.2.1:8000/" }), null);
    assert.equal(check({ edge: { max_body_bytes: 10, websocket_lifetime_s: 5 } }), null);
    assert.equal(check({ originTls: { ca: "PEM", serverName: "a.example" } }), null);
    const rule = { action: "set", name: "x-frame-options", value: "DENY" };
    assert.equal(check({ edge: { hsts: { max_age: 1 }, response_headers: [rule] } }), null);
  });

  const cases: Readonly<Record<string, readonly [Partial<StoredApplication>, Partial<Host>?]>> = {
    wildcard: [{}, { coveredBy: { ...host, hostname: "*.example" } }],
    redirect: [{}, { own: { ...own, redirectTo: "www.shop.example" } }],
    suspended: [{ isSuspended: true }],
    no_origin: [{ originUrl: null }],
    several_origins: [
      {
        origins: [
          { url: "https://origin.example", weight: 1 },
          { url: "https://b.example", weight: 0 },
        ],
      },
    ],
    h2c: [{ originUrl: "h2c://origin.example" }],
    origin_path: [{ originUrl: "https://origin.example/site" }],
    origin_host_header: [{ originHostHeader: "origin" }],
    client_certificate: [{ originTls: { clientCertificate: "PEM" } }],
    origin_ca: [{ originTls: { ca: "x".repeat(30_000) } }],
    origin_address: [{ originUrl: "https://192.0.2.1" }],
    rules: [{ edge: { deny: ["192.0.2.0/24"] } }],
    error_page: [{ edge: { error_page: "<p>" } }],
    response_fields: [{ edge: { response_headers: [longRule] } }],
    compress: [{ edge: { compress: true } }],
    timeouts: [{ edge: { first_byte_timeout_s: 5 } }],
    unusual_text: [{}, { connectionId: "a.b" }],
  };
  for (const [id, [application, ofHost]] of Object.entries(cases)) {
    it(`is none with the obstacle ${id}`, () => assert.equal(check(application, ofHost), id));
  }

  it("has a case for each obstacle, and each is in the documents", () => {
    assert.deepEqual(
      Object.keys(cases),
      obstacles.map(({ id }) => id),
    );
    const file = path.resolve(import.meta.dirname, "../../../../docs/edge.md");
    const text = readFileSync(file, "utf8");
    for (const { what, why } of obstacles) assert.ok(text.includes(`| ${what} | ${why} |`), what);
  });
});
