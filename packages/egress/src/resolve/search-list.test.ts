import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { parseHostsFile } from "./hosts-file.ts";
import { namesToAsk, parseSearchList } from "./search-list.ts";

/** What a pod of Kubernetes is given. */
const kubernetes = parseSearchList(
  "nameserver 10.96.0.10\nsearch default.svc.cluster.local svc.cluster.local cluster.local\noptions ndots:5\n",
);

describe("the search list", () => {
  test("completes a short name before it is asked for alone", () => {
    assert.deepEqual(namesToAsk("web", kubernetes), [
      "web.default.svc.cluster.local",
      "web.svc.cluster.local",
      "web.cluster.local",
      "web",
    ]);
  });

  test("never stands before a name with dots, and still completes one with fewer than ndots", () => {
    const full = "web.default.svc.cluster.local";
    assert.equal(namesToAsk(full, kubernetes)[0], full);
    assert.deepEqual(namesToAsk("Web.Staging", kubernetes), [
      "web.staging",
      "web.staging.default.svc.cluster.local",
      "web.staging.svc.cluster.local",
      "web.staging.cluster.local",
    ]);
  });

  test("is not used for an absolute name, nor for one with ndots dots", () => {
    assert.deepEqual(namesToAsk("web.", kubernetes), ["web"]);
    assert.deepEqual(namesToAsk("a.b.c.d.e.f", kubernetes), ["a.b.c.d.e.f"]);
    assert.deepEqual(namesToAsk("a.example", parseSearchList("search corp.example")), [
      "a.example",
    ]);
  });

  test("is the last one of the file; domain is a list of one", () => {
    const text = "search one.example two.example\n domain three.example four.example\n";
    assert.deepEqual(parseSearchList(text), { domains: ["three.example"], ndots: 1 });
    const { ndots } = parseSearchList("options timeout:1 ndots:2 rotate\noptions ndots:99");
    assert.equal(ndots, 15);
  });
});

describe("the hosts file", () => {
  test("gives all addresses of a name, whatever its letter case, without comments", () => {
    const hosts = parseHostsFile(
      "127.0.0.1 localhost\n# 10.0.0.9 web\n10.0.0.1\tWeb web.internal # first\n\n::1 localhost\n10.0.0.2 web\n",
    );
    assert.deepEqual(hosts.get("web"), ["10.0.0.1", "10.0.0.2"]);
    assert.deepEqual(hosts.get("localhost"), ["127.0.0.1", "::1"]);
    assert.deepEqual(hosts.get("web.internal"), ["10.0.0.1"]);
    assert.equal(hosts.has("first"), false);
  });
});
