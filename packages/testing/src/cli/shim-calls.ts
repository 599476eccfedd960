import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";

/** A call of a product, by what it is made with. */
export interface ShimCall {
  readonly by: "fetch" | "Request" | "https" | "options" | "get" | "unwrapped";
  readonly method: string;
  readonly url: string;
  readonly body?: string;
}

/** A call where it arrived, as `METHOD path token body`. */
export interface Arrivals {
  readonly ours: readonly string[];
  readonly vendor: readonly string[];
}

const token = "the-vendors-token";

const vercel = "https://api.vercel.com";
const cloudflare = "https://api.cloudflare.com/client/v4";
const team = "?teamId=team_1";

/** Calls of products, each with what arrives here. */
export const redirectedCalls: readonly (readonly [call: ShimCall, arrives: string])[] = [
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
const leftAloneCalls: readonly ShimCall[] = [
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

/** Every call arrives where it should, as it was sent. */
export async function assertShim(node: string, shim: string): Promise<void> {
  const calls = [...redirectedCalls.map(([call]) => call), ...leftAloneCalls];
  const { ours, vendor } = await callWithShim(node, shim, calls);
  assert.deepEqual(
    ours,
    redirectedCalls.map(([, arrives]) => arrives),
  );
  const expected = leftAloneCalls.map(({ method, url, body = "" }) => {
    const { pathname, search } = new URL(url);
    return `${method} ${pathname}${search} ${token} ${body}`.trimEnd();
  });
  assert.deepEqual(vendor, expected);
}

/**
 * Makes the calls in a process of its own with the shim, one after the other. What would leave the
 * machine for a vendor arrives at a server here instead; what the shim sends to us is not touched.
 */
export async function callWithShim(
  node: string,
  shim: string,
  calls: readonly ShimCall[],
  env: Readonly<Record<string, string>> = {},
): Promise<Arrivals> {
  const [ours, vendor] = [await startRecorder(), await startRecorder()];
  const directory = await mkdtemp(path.join(tmpdir(), "mooring-shim-"));
  const file = async (name: string, text: string): Promise<string> => {
    const target = path.join(directory, name);
    await writeFile(target, text);
    return target;
  };
  try {
    const args = [
      ...["--import", await file("outside.mjs", outside)],
      ...["--import", await file("shim.mjs", shim)],
      await file("product.mjs", product),
    ];
    await promisify(execFile)(node, args, {
      env: {
        VENDOR_URL: vendor.url,
        MOORING_URL: `${ours.url}/`,
        CALLS: JSON.stringify(calls),
        TOKEN: token,
        ...env,
      },
    });
    return { ours: ours.seen, vendor: vendor.seen };
  } finally {
    for (const { server } of [ours, vendor]) server.close().closeAllConnections();
    await rm(directory, { recursive: true, force: true });
  }
}

interface Recorder {
  readonly server: Server;
  readonly url: string;
  readonly seen: readonly string[];
}

async function startRecorder(): Promise<Recorder> {
  const seen: string[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { method, url, headers } = request;
    const parts = [method, url, headers.authorization?.replace("Bearer ", "") ?? ""];
    seen.push([...parts, Buffer.concat(chunks).toString()].join(" ").trimEnd());
    response.setHeader("content-type", "application/json");
    response.end("{}");
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, seen };
}

/** What a call meets below the shim: calls of a vendor's host go to the vendor's server here. */
const outside = `
import http from "node:http";
import https from "node:https";
const vendor = new URL(process.env.VENDOR_URL);
const isVendor = (name) => /^api\\.(vercel|cloudflare)\\.com$/.test(name);
const { fetch } = globalThis;
// Next.js puts this one back when it has compiled a page again.
globalThis.unwrapped = fetch;
globalThis.fetch = (input, init) => {
  const url = new URL(input.url ?? input);
  if (!isVendor(url.hostname)) return fetch(input, init);
  const moved = new URL(url.pathname + url.search, vendor);
  return fetch(input.url ? new Request(moved, input) : moved, init);
};
const { request } = https;
https.request = (first, ...more) => {
  const isUrl = typeof first === "string" || first instanceof URL;
  const given = isUrl ? new URL(first) : first;
  if (!isVendor(given.hostname ?? given.host)) return request(first, ...more);
  const [options, callback] = isUrl ? more : [first, ...more];
  const path = isUrl ? given.pathname + given.search : given.path;
  const { method, headers } = options;
  return http.request({ method, headers, path, hostname: vendor.hostname, port: vendor.port }, callback);
};
`;

const product = `
import https, { get, request } from "node:https";
const headers = { Authorization: "Bearer " + process.env.TOKEN, "Content-Type": "application/json" };
const sent = (made, body) => new Promise((resolve, reject) => {
  const call = made((response) => response.resume().on("end", resolve));
  call.on("error", reject);
  call.end(body);
});
const clients = {
  fetch: ({ method, url, body }) => fetch(url, { method, headers, body }),
  Request: ({ method, url, body }) => fetch(new Request(url, { method, headers, body })),
  https: ({ method, url, body }) =>
    sent((callback) => https.request(new URL(url), { method, headers, agent: new https.Agent() }, callback), body),
  options: ({ method, url, body }) => {
    const { hostname, pathname, search } = new URL(url);
    const options = { method, headers, host: hostname, port: 443, path: pathname + search };
    return sent((callback) => request(options, callback), body);
  },
  get: ({ url }) => sent((callback) => get(url, { headers }, callback)),
  unwrapped: ({ method, url, body }) => globalThis.unwrapped(url, { method, headers, body }),
};
for (const call of JSON.parse(process.env.CALLS)) await clients[call.by](call);
`;
