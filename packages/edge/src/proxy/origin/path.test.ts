import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { parseStatus, request, roundTrip } from "@mooring/testing/edge/client";
import { startOrigin } from "@mooring/testing/edge/origin";
import { startTestEdge } from "@mooring/testing/edge/test-edge";
import { propertyRuns } from "@mooring/testing/processes/property-runs";
import fc from "fast-check";
import { pathBelow } from "./path.ts";

describe("the path of an origin's URL", () => {
  it("comes before the path of the request, whose dot segments are resolved first", () => {
    const cases: readonly (readonly [target: string, expected: string | null])[] = [
      ["/", "/base/"],
      ["/a/b?c=/../d", "/base/a/b?c=/../d"],
      ["/a//b/", "/base/a//b/"],
      ["/..", "/base/"],
      ["/../", "/base/"],
      ["/../../etc", "/base/etc"],
      ["/a/../b", "/base/b"],
      ["/a/./b/.", "/base/a/b/"],
      ["/a/b/..", "/base/a/"],
      ["/%2e%2e/admin", "/base/admin"],
      ["/.%2E/admin?x", "/base/admin?x"],
      ["/a..b/..c/...", "/base/a..b/..c/..."],
      ["/100%/a%2fb%20c", "/base/100%/a%2fb%20c"],
      ["/..%2fadmin", null],
      ["/..%2Fadmin", null],
      ["/%2e%2e%2fadmin", null],
      ["/..%5cadmin", null],
      ["/..\\admin", null],
      ["/a\\..\\..\\admin", null],
      ["/..;/admin", null],
      ["/..;x=y/admin", null],
      ["/%2e%2e;/admin", null],
      ["/a%2f..%2f..%2fadmin", null],
      ["/%252e%252e/admin", null],
      ["/%25252e%25252e%25252fadmin", null],
      ["/..%00/admin", null],
      ["*", "*"],
    ];
    for (const [target, expected] of cases) {
      assert.equal(pathBelow("/base", target), expected, target);
    }
  });

  it("changes nothing where there is none", () => {
    assert.equal(pathBelow("", "/a/../../%2e%2e/b"), "/a/../../%2e%2e/b");
  });

  it("cannot be left, whatever the client sends", () => {
    const piece = fc.constantFrom(
      "/",
      "..",
      ".",
      "%2e",
      "%2E",
      "%2f",
      "%5c",
      "\\",
      ";",
      "a",
      "%25",
      "2e",
      "%",
      "%00",
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        const path = pathBelow("/base", `/${pieces.join("")}`);
        if (path === null) return;
        assert.ok(path.startsWith("/base/"));
        // As WHATWG URL parsers of servers resolve it, decoded up to twice.
        for (const text of [path, decoded(path), decoded(decoded(path))]) {
          const { pathname } = new URL(text.replaceAll(/[?#\0]/g, "_"), "http://origin.example");
          assert.ok(pathname.startsWith("/base/"), `${path} became ${pathname}`);
        }
      }),
      { numRuns: propertyRuns(20_000) },
    );
  });

  it("holds at the edge: a climb is refused with a reference", async () => {
    const edge = await startTestEdge();
    const origin = await startOrigin();
    edge.hosts.set("a.example", { originUrl: `${origin.url}/tenants/7/` });
    for (const target of ["/../8/secret", "/%2e%2e/8/secret", "/x/../../../8/secret"]) {
      const answer = await roundTrip(
        edge,
        "a.example",
        request("a.example", `GET ${target} HTTP/1.1`),
      );
      assert.equal(parseStatus(answer), 200);
    }
    assert.deepEqual(
      new Set(origin.received.map(({ url }) => url)),
      new Set(["/tenants/7/8/secret"]),
    );
    origin.received.length = 0;
    for (const target of ["/..%2f8/secret", "/..;/8/secret", "/..\\8/secret"]) {
      const answer = await roundTrip(
        edge,
        "a.example",
        request("a.example", `GET ${target} HTTP/1.1`),
      );
      assert.equal(parseStatus(answer), 400);
      assert.match(answer, /\r\nx-svc-reference: [0-9a-f]{12}\r\n/);
    }
    assert.deepEqual([origin.received.length, edge.refusals.length], [0, 3]);
    await edge.close();
    await origin.close();
  });
});

function decoded(path: string): string {
  return path.replace(/%([0-9a-f]{2})/gi, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
}
