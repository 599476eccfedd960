import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { describe, it } from "node:test";
import { dropIns } from "@mooring/drop-in";
import { callCli } from "@mooring/testing/cli/run-cli";
import { callWithShim, type ShimCall } from "@mooring/testing/cli/shim-calls";

const vercel = "https://api.vercel.com";
const cloudflare = "https://api.cloudflare.com/client/v4";
const team = "?teamId=team_1";

/** With what is left of the address at our side. */
const redirected: readonly (readonly [call: ShimCall, arrives: string])[] = [
  // Papermark, Dub, OpenStatus, Cap, Typebot and Cal.com use fetch.
  [
    {
      by: "fetch",
      method: "POST",
      url: `${vercel}/v10/projects/prj_1/domains${team}`,
      body: '{"name":"a.test"}',
    },
    `POST /compat/vercel/v10/projects/prj_1/domains${team} the-vendors-token {"name":"a.test"}`,
  ],
  [
    {
      by: "Request",
      method: "POST",
      url: `${vercel}/v9/projects/prj_1/domains${team}`,
      body: '{"name":"b.test"}',
    },
    `POST /compat/vercel/v9/projects/prj_1/domains${team} the-vendors-token {"name":"b.test"}`,
  ],
  [
    { by: "fetch", method: "GET", url: `${vercel}/v9/projects/prj_1/domains/*.a.test${team}` },
    `GET /compat/vercel/v9/projects/prj_1/domains/*.a.test${team} the-vendors-token`,
  ],
  [
    {
      by: "fetch",
      method: "POST",
      url: `${vercel}/v9/projects/prj_1/domains/a.test/verify${team}`,
    },
    `POST /compat/vercel/v9/projects/prj_1/domains/a.test/verify${team} the-vendors-token`,
  ],
  [
    {
      by: "unwrapped",
      method: "GET",
      url: `${vercel}/v6/domains/a.test/config${team}&strict=true`,
    },
    `GET /compat/vercel/v6/domains/a.test/config${team}&strict=true the-vendors-token`,
  ],
  [
    { by: "fetch", method: "DELETE", url: `${vercel}/v6/domains/a.test${team}` },
    `DELETE /compat/vercel/v6/domains/a.test${team} the-vendors-token`,
  ],
  // Logto's client uses node:https, and so did earlier releases of the vendor's, as in Twenty.
  [
    {
      by: "https",
      method: "POST",
      url: `${cloudflare}/zones/z1/custom_hostnames`,
      body: '{"hostname":"c.test"}',
    },
    'POST /compat/cloudflare/client/v4/zones/z1/custom_hostnames the-vendors-token {"hostname":"c.test"}',
  ],
  [
    { by: "get", method: "GET", url: `${cloudflare}/zones/z1/custom_hostnames/fallback_origin` },
    "GET /compat/cloudflare/client/v4/zones/z1/custom_hostnames/fallback_origin the-vendors-token",
  ],
  [
    {
      by: "options",
      method: "PATCH",
      url: `${cloudflare}/zones/z1/custom_hostnames/h1`,
      body: "{}",
    },
    "PATCH /compat/cloudflare/client/v4/zones/z1/custom_hostnames/h1 the-vendors-token {}",
  ],
  [
    { by: "fetch", method: "GET", url: `${cloudflare}/zones/z1/custom_hostnames?hostname=c.test` },
    "GET /compat/cloudflare/client/v4/zones/z1/custom_hostnames?hostname=c.test the-vendors-token",
  ],
];

/** Other calls of the same products to the same hosts. */
const leftAlone: readonly ShimCall[] = [
  { by: "fetch", method: "PATCH", url: `${vercel}/v1/edge-config/e1/items${team}`, body: "{}" },
  { by: "fetch", method: "PATCH", url: `${vercel}/v3/domains/a.test${team}`, body: "{}" },
  { by: "Request", method: "GET", url: `${vercel}/v4/domains/a.test/records?limit=10` },
  { by: "fetch", method: "GET", url: `${vercel}/v9/projects/prj_1` },
  { by: "options", method: "POST", url: `${vercel}/v1/projects/prj_1/env`, body: "{}" },
  {
    by: "https",
    method: "PUT",
    url: `${cloudflare}/accounts/a1/storage/kv/namespaces/n1/values/k`,
    body: "v",
  },
  { by: "get", method: "GET", url: `${cloudflare}/zones/z1/dns_records?name=a.test` },
  { by: "fetch", method: "POST", url: `${cloudflare}/zones/z1/dns_records`, body: "{}" },
];

describe("mooring shim node", () => {
  const print = async (...args: readonly string[]): Promise<string> => {
    const { code, stdout, stderr } = await callCli(["shim", "node", ...args]);
    assert.equal(code, 0, stderr);
    return stdout;
  };

  it("sends the domain calls of a product to us, and every other call where it went", async () => {
    const calls = [...redirected.map(([call]) => call), ...leftAlone];
    const { ours, vendor } = await callWithShim(process.execPath, await print(), calls);
    assert.deepEqual(
      ours,
      redirected.map(([, arrives]) => arrives),
    );
    const expected = leftAlone.map(({ method, url, body = "" }) => {
      const { pathname, search } = new URL(url);
      return `${method} ${pathname}${search} the-vendors-token ${body}`.trimEnd();
    });
    assert.deepEqual(vendor, expected);
  });

  it("sends our key and names our application, where they are set", async () => {
    const env = { MOORING_API_KEY: "sk_test_1", MOORING_APP: "My shop" };
    const calls = redirected.map(([call]) => call);
    const { ours } = await callWithShim(process.execPath, await print(), calls, env);
    const expected = redirected.map(([, arrives]) =>
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
