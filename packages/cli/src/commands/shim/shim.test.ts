import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { describe, it } from "node:test";
import { dropIns } from "@mooring/drop-in";
import { callCli } from "@mooring/testing/cli/run-cli";
import { assertShim, callWithShim, redirectedCalls } from "@mooring/testing/cli/shim-calls";

describe("mooring shim node", () => {
  const print = async (...args: readonly string[]): Promise<string> => {
    const { code, stdout, stderr } = await callCli(["shim", "node", ...args]);
    assert.equal(code, 0, stderr);
    return stdout;
  };

  it("sends the domain calls of a product to us, and every other call where it went", async () => {
    await assertShim(process.execPath, await print());
  });

  it("sends our key and names our application, where they are set", async () => {
    const env = { MOORING_API_KEY: "sk_test_1", MOORING_APP: "My shop" };
    const calls = redirectedCalls.map(([call]) => call);
    const { ours } = await callWithShim(process.execPath, await print(), calls, env);
    const expected = redirectedCalls.map(([, arrives]) =>
      arrives.replace("the-vendors-token", "sk_test_1").replace(/prj_1|z1/, "My%20shop"),
    );
    assert.deepEqual(ours, expected);
  });

  it("has the address of the API in it that it was printed with", async () => {
    const url = 'https://domains.example.com/"x';
    assert.match(await print("--url", url), /^const defaultUrl = "https:.*\\"x";$/m);
    const none = callWithShim(process.execPath, await print(), [], { MOORING_URL: "" });
    await assert.rejects(none, /The Mooring shim needs MOORING_URL/);
  });

  it("redirects only what the drop-in APIs answer, and all that they have for domains", async () => {
    const text = await readFile(new URL("./node-preload.js", import.meta.url), "utf8");
    const lines = [...text.matchAll(/"((?:GET|POST|PUT|PATCH|DELETE) \/[^"]*)"/g)].map(
      ([, line]) => line,
    );
    const served = dropIns
      .flatMap(({ prefix, routes }) => routes.map(({ method, path }) => ({ prefix, method, path })))
      .map(({ prefix, method, path }) => {
        const own = `${prefix.replace(/^\/compat\/\w+/, "")}${path}`;
        return `${method} ${own.replace(/\{(project|zone)\}/, ":app").replace(/\{\w+\}/g, "*")}`;
      });
    const general = "/custom_hostnames/fallback_origin";
    // A pattern with a star stands for the fallback origin, too.
    const expected = served.filter((line) => line.startsWith("PUT") || !line.endsWith(general));
    assert.deepEqual(
      lines.filter((line) => !served.includes(line ?? "")),
      [],
    );
    assert.deepEqual(expected.filter((line) => !lines.includes(line)).toSorted(), [
      "GET /client/v4/user/tokens/verify",
      "GET /client/v4/zones",
      "GET /client/v4/zones/:app",
      "GET /v10/projects/:app",
      "GET /v4/domains/status",
      "GET /v5/domains",
      "GET /v5/domains/*",
      "GET /v9/projects/:app",
    ]);
  });
});
