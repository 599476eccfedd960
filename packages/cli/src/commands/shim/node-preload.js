// Sends the domain calls that a product makes to api.vercel.com and api.cloudflare.com to Mooring.
// Every other call goes where it went before. Load it before the product:
//
//   node --import ./mooring-shim.mjs server.js
//
// or save it as instrumentation.js beside the app folder of a Next.js project.
//
//   MOORING_URL      where Mooring's API is: https://domains.example.com
//   MOORING_API_KEY  sent instead of the vendor's token, if it is set
//   MOORING_APP      the application, instead of the project or zone that the product names, if it
//                    is set
//
// Needs Node 20.16, 22.3 or later.

const defaultUrl = "";

/** The calls, as method and path; `:app` is the project or zone, `*` any part of a path. */
const calls = {
  "api.vercel.com": {
    prefix: "/compat/vercel",
    paths: [
      "POST /v9/projects/:app/domains",
      "POST /v10/projects/:app/domains",
      "GET /v9/projects/:app/domains",
      "GET /v9/projects/:app/domains/*",
      "PATCH /v9/projects/:app/domains/*",
      "DELETE /v9/projects/:app/domains/*",
      "POST /v9/projects/:app/domains/*/verify",
      "GET /v6/domains/*/config",
      "DELETE /v6/domains/*",
    ],
  },
  "api.cloudflare.com": {
    prefix: "/compat/cloudflare",
    paths: [
      "GET /client/v4/zones/:app/custom_hostnames",
      "POST /client/v4/zones/:app/custom_hostnames",
      "GET /client/v4/zones/:app/custom_hostnames/*",
      "PUT /client/v4/zones/:app/custom_hostnames/fallback_origin",
      "PATCH /client/v4/zones/:app/custom_hostnames/*",
      "DELETE /client/v4/zones/:app/custom_hostnames/*",
    ],
  },
};

/** Where a call goes instead; null for one that is left alone. */
function redirect(method, url) {
  const settings = readSettings();
  const vendor = calls[url.hostname];
  if (vendor === undefined || url.protocol !== "https:" || url.port !== "") return null;
  const parts = url.pathname.split("/");
  for (const line of vendor.paths) {
    const [verb, pattern] = line.split(" ");
    const labels = pattern.split("/");
    if (verb !== method.toUpperCase() || labels.length !== parts.length) continue;
    if (!labels.every((label, index) => matches(label, parts[index]))) continue;
    const path = labels.map((label, index) =>
      label === ":app" && settings.app ? encodeURIComponent(settings.app) : parts[index],
    );
    return new URL(`${settings.url}${vendor.prefix}${path.join("/")}${url.search}`);
  }
  return null;
}

function matches(label, part) {
  return label === ":app" || label === "*" ? part !== "" : label === part;
}

function readSettings() {
  const { MOORING_URL: url, MOORING_API_KEY: key, MOORING_APP: app } = process.env;
  return { url: (url || defaultUrl).replace(/\/+$/, ""), key, app };
}

const mark = Symbol.for("mooring.shim");

/** Next.js compiles the file for its edge runtime too, where it does nothing. */
const { process: node } = globalThis;

/** Twice is the same as once. */
export function register() {
  if (process.env.NEXT_RUNTIME === "edge") return;
  if (typeof node.getBuiltinModule !== "function") {
    throw new Error("The Mooring shim needs Node 20.16, 22.3 or later.");
  }
  const { url } = readSettings();
  if (!/^https?:\/\/[^/]/.test(url)) {
    throw new Error("The Mooring shim needs MOORING_URL, as in https://domains.example.com.");
  }
  wrapFetch();
  wrapDispatcher();
  wrapRequests();
}

function wrapFetch() {
  const original = globalThis.fetch;
  if (original[mark]) return;
  const fetch = function fetch(...input) {
    const [resource, init] = input;
    const request = resource instanceof Request ? resource : null;
    const url = parse(String(request ? request.url : resource));
    const target = url && redirect(init?.method ?? request?.method ?? "GET", url);
    if (!target) return Reflect.apply(original, this, input);
    const headers = new Headers(init?.headers ?? request?.headers);
    const { key } = readSettings();
    if (key) headers.set("authorization", `Bearer ${key}`);
    const moved = request ? new Request(target, request) : target;
    return Reflect.apply(original, this, [moved, { ...init, headers }]);
  };
  // Next.js reads what it has added to the function.
  globalThis.fetch = Object.assign(fetch, original, { [mark]: true });
}

function parse(text) {
  try {
    return new URL(text);
  } catch {
    return null;
  }
}

/** What fetch uses, where something has put the original one back. */
function wrapDispatcher() {
  // Reading it loads the undici that is built in, which sets the dispatcher.
  void globalThis.Response;
  const symbol = Symbol.for("undici.globalDispatcher.1");
  const inner = globalThis[symbol];
  if (inner === undefined || inner[mark]) return;
  globalThis[symbol] = new Proxy(inner, {
    get(target, name) {
      if (name === mark) return true;
      if (name === "dispatch")
        return (call, handler) => inner.dispatch(redirectCall(call), handler);
      const value = Reflect.get(target, name, target);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}

function redirectCall(call) {
  const url = parse(`${call.origin ?? ""}${call.path ?? ""}`);
  const target = url && redirect(call.method ?? "GET", url);
  if (!target) return call;
  return {
    ...call,
    origin: target.origin,
    path: `${target.pathname}${target.search}`,
    headers: redirectHeaders(call.headers),
  };
}

/** Headers are an object, a flat list of names and values, or an iterable of pairs. */
function redirectHeaders(headers) {
  const { key } = readSettings();
  const isOther = ([name]) => {
    const lower = String(name).toLowerCase();
    return lower !== "host" && !(key && lower === "authorization");
  };
  const others = pairs(headers).filter(isOther);
  return Object.fromEntries(key ? [...others, ["authorization", `Bearer ${key}`]] : others);
}

function pairs(headers) {
  if (headers === undefined || headers === null) return [];
  if (Array.isArray(headers) && !Array.isArray(headers[0])) {
    return headers.flatMap((name, index) => (index % 2 ? [] : [[name, headers[index + 1]]]));
  }
  return typeof headers[Symbol.iterator] === "function" ? [...headers] : Object.entries(headers);
}

/** What got, axios, node-fetch and the like use. */
function wrapRequests() {
  const https = node.getBuiltinModule("node:https");
  const { request: original } = https;
  if (original[mark]) return;
  const request = function request(...input) {
    const { options, callback } = readRequest(input);
    const url = parse(addressIn(options));
    const target = url && redirect(options.method ?? "GET", url);
    if (!target) return Reflect.apply(original, this, input);
    const own = redirectOptions(options, target);
    if (target.protocol === "https:") return original(own, callback);
    // They would open a connection with TLS.
    for (const name of ["agent", "_defaultAgent", "createConnection"]) delete own[name];
    return node.getBuiltinModule("node:http").request(own, callback);
  };
  const get = function get(...input) {
    const sent = https.request(...input);
    sent.end();
    return sent;
  };
  request[mark] = true;
  Object.assign(https, { request, get });
  // For those who import them by name.
  node.getBuiltinModule("node:module").syncBuiltinESMExports();
}

/** `request(url, options, callback)`, of which the URL or the options may be left out. */
function readRequest([first, ...more]) {
  const { urlToHttpOptions } = node.getBuiltinModule("node:url");
  const isUrl = typeof first === "string" || first instanceof URL;
  const url = isUrl ? parse(String(first)) : null;
  const [second, third] = isUrl ? more : [first, more[0]];
  const hasOptions = typeof second !== "function";
  return {
    options: { ...(url ? urlToHttpOptions(url) : {}), ...(hasOptions ? second : {}) },
    callback: hasOptions ? third : second,
  };
}

function addressIn({ hostname, host, port, path, protocol }) {
  const name = hostname || host || "localhost";
  return `${protocol ?? "https:"}//${name}${port ? `:${port}` : ""}${path ?? "/"}`;
}

function redirectOptions(options, target) {
  const { host, servername, href, search, pathname, hash, ...others } = options;
  return {
    ...others,
    protocol: target.protocol,
    hostname: target.hostname.replace(/^\[|\]$/g, ""),
    port: target.port || undefined,
    path: `${target.pathname}${target.search}`,
    headers: redirectHeaders(options.headers),
  };
}

// Next.js calls it itself, once for each runtime.
if (!process.env.NEXT_RUNTIME) register();
