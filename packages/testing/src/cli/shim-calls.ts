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

/**
 * Makes the calls in a process of its own with the shim, one after the other. What would leave the
 * machine for a vendor arrives at a server here instead; what the shim sends to us is sent as it is.
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
