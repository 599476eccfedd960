import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { readConfig } from "../../config/config.ts";
import { AppError } from "../../domain/errors.ts";
import type { WidgetActor } from "../../domain/tenancy.ts";
import { requireBoundDomain, requireHostname, requireWildcards } from "./hostname.ts";

const config = readConfig({
  BASE_URL: "https://api.mooring.example:8443",
  EDGE_CNAME: "edge.mooring.example",
});

function hostname(text: string, environment: "test" | "live" = "live"): string {
  try {
    return requireHostname(config, environment, text, "domain");
  } catch (error) {
    assert.ok(error instanceof AppError);
    assert.deepEqual(
      [error.code, JSON.stringify(error.details).includes('"domain"')],
      ["invalid", true],
    );
    return "refused";
  }
}

describe("a hostname to connect", () => {
  it("is canonical in every spelling", () => {
    assert.equal(hostname("Shop.ACME.example."), "shop.acme.example");
    assert.equal(hostname("bücher.example"), "xn--bcher-kva.example");
  });

  it("is not one of the service's own names, nor below its edge", () => {
    const own = ["api.mooring.example", "edge.mooring.example", "x.y.edge.mooring.example"];
    for (const name of own) assert.equal(hostname(name), "refused", name);
    for (const name of ["mooring.example", "www.mooring.example", "xedge.mooring.example"]) {
      assert.equal(hostname(name), name);
    }
  });

  it("is a public name", () => {
    const names = [
      "co.uk",
      "github.io",
      "1.2.3.4",
      "[::1]",
      "_x.y.example",
      "*.acme.example",
      "localhost",
      "db.localhost",
      "printer.local",
      "metadata.google.internal",
      "intranet.corp",
      "router.lan",
      "nas.home.arpa",
      "1.2.0.192.in-addr.arpa",
      "facebookcorewwwi.onion",
    ];
    for (const name of names) assert.equal(hostname(name), "refused", name);
    assert.equal(hostname("shop.localhost.example"), "shop.localhost.example");
  });

  it("that is refused has a code of its own, by which a client says why", () => {
    const codeFor = (act: () => unknown) => {
      try {
        act();
      } catch (error) {
        assert.ok(error instanceof AppError);
        const { issues } = error.details as { issues: readonly { code?: string }[] };
        return issues[0]?.code;
      }
      return null;
    };
    const wildcards = { wildcards: false };
    assert.equal(
      codeFor(() => requireWildcards(config, wildcards, "*.acme.example")),
      "wildcard",
    );
    assert.equal(
      codeFor(() => requireHostname(config, "live", "-bad.example", "domain")),
      "bad_hyphen",
    );
  });

  it("is under .test in the test environment only", () => {
    assert.equal(hostname("shop.acme.test"), "refused");
    assert.equal(hostname("shop.acme.test", "test"), "shop.acme.test");
  });
});

it("a bound token reaches its own hostname and no other, not even below it", () => {
  const token: WidgetActor = {
    kind: "widget",
    tenantId: "t",
    environment: "test",
    keyId: "k",
    applicationId: "a",
    tokenId: "j",
    domain: "shop.acme.example",
    customerRef: null,
    scopes: [],
    allowedOrigins: [],
    isSuspended: false,
  };
  requireBoundDomain(token, "shop.acme.example");
  requireBoundDomain({ ...token, domain: null }, "other.example");
  for (const other of ["acme.example", "www.shop.acme.example"]) {
    assert.throws(() => requireBoundDomain(token, other), /bound to another domain/);
  }
});
