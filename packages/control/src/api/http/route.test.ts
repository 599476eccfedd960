import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fastify from "fastify";
import { routes } from "../routes.ts";
import { fastifyPath, pathPattern } from "./route.ts";

/** The colon forms of the interface, mounted or not, so that the router is tried with them all. */
const colonPaths = [
  "/v1/connections/{id}/records:check",
  "/v1/connections/{id}/email:apply",
  "/v1/connections/{id}/domain-connect:start",
  "/v1/domains:check",
  "/v1/connections:batch",
];

function filled(path: string): string {
  return path.replaceAll(/\{\w+\}/g, "0192f3a4-0000-7000-8000-00000000abcd");
}

describe("paths", () => {
  it("route custom methods exactly: nothing before, between or after the colon", async () => {
    const app = fastify();
    const paths = [...new Set([...colonPaths, ...routes.map((route) => route.path)])];
    for (const path of paths) app.all(fastifyPath(path), async () => path);
    for (const path of paths.filter((one) => one.includes(":"))) {
      const url = filled(path);
      assert.equal((await app.inject({ method: "POST", url })).body, path);
      const [head, verb] = [
        url.slice(0, url.lastIndexOf(":")),
        url.slice(url.lastIndexOf(":") + 1),
      ];
      const others = [
        `${url}FOO`,
        `${url}foo`,
        `${url}:`,
        `${url}/`,
        `${head}::${verb}`,
        `${head}:${verb.toUpperCase()}`,
        `${head}:${verb.slice(0, -1)}`,
        `${head}:`,
        `${head}${verb}`,
        `${head}:x${verb}`,
      ];
      for (const other of others) {
        const answer = await app.inject({ method: "POST", url: other });
        assert.ok(answer.statusCode === 404 || answer.body !== path, `${other} reached ${path}`);
      }
    }
    await app.close();
  });

  it("match their own requests and no others, whatever the method", () => {
    const paths = [...colonPaths, ...routes.map((route) => route.path)];
    for (const path of paths) {
      const pattern = pathPattern(path);
      assert.match(filled(path), pattern);
      for (const other of [`${filled(path)}FOO/x`, `/x${filled(path)}`, `${filled(path)}/`]) {
        assert.doesNotMatch(other, pattern);
      }
    }
    assert.doesNotMatch("/v1/applications/a/b", pathPattern("/v1/applications/{id}"));
    assert.match("/v1/.well.known", pathPattern("/v1/.well.known"));
    assert.doesNotMatch("/v1/xwellxknown", pathPattern("/v1/.well.known"));
  });
});
