import { once } from "node:events";
import {
  createServer as createHttpServer,
  type IncomingMessage,
  type RequestListener,
  type ServerResponse,
} from "node:http";
import { createServer as createHttpsServer } from "node:https";
import type { AddressInfo } from "node:net";
import { createAsyncFlow } from "./async-flow.ts";
import { createGrants } from "./grants.ts";
import { findTemplate, type ProviderOptions } from "./options.ts";
import { type Answer, json } from "./pages.ts";
import { createSyncFlow } from "./sync-flow.ts";

export interface DomainConnectProvider {
  /** Where it listens, on loopback. */
  readonly url: string;
  stop(): Promise<void>;
}

interface Call {
  readonly path: readonly string[];
  readonly rawQuery: string;
  readonly body: string;
  readonly headers: IncomingMessage["headers"];
}

type Handler = (call: Call) => Answer | Promise<Answer>;

const maxBodyBytes = 64 * 1024;

/**
 * A DNS provider with Domain Connect, for tests: it checks what real ones check and writes into the
 * zones of its options. Every request comes from a signed-in customer who owns all zones.
 */
export async function startDomainConnectProvider(
  options: ProviderOptions,
): Promise<DomainConnectProvider> {
  let base = "";
  const routes = createRoutes(options, () => options.baseUrl ?? base);
  const listener: RequestListener = (request, response) => {
    const [path = "", ...rest] = (request.url ?? "").split("?");
    void answer(routes, request, path, rest.join("?")).then(
      (made) => send(response, made),
      (error: unknown) => send(response, json(500, { message: String(error) })),
    );
  };
  const server =
    options.tls === undefined
      ? createHttpServer(listener)
      : createHttpsServer(options.tls, listener);
  server.listen(options.port ?? 0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  base = `${options.tls === undefined ? "http" : "https"}://127.0.0.1:${port}`;
  return {
    url: base,
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

/** Method and path, where `*` is one segment, to the handler. */
function createRoutes(
  options: ProviderOptions,
  base: () => string,
): readonly (readonly [string, Handler])[] {
  const sync = createSyncFlow(options);
  const flow = createAsyncFlow(options, createGrants(options));
  const ids = ({ path }: Call) => ({ providerId: path[3] ?? "", serviceId: path[5] ?? "" });
  const service = "/v2/domainTemplates/providers/*/services/*";
  return [
    ["GET /v2/*/settings", ({ path }) => settings(options, base(), path[1] ?? "")],
    [
      `GET /api${service}`,
      (call) => {
        const { providerId, serviceId } = ids(inner(call));
        const template = findTemplate(options, providerId, serviceId);
        return template ? json(200, { version: template.version ?? 1 }) : json(404, {});
      },
    ],
    [`GET /sync${service}/apply`, (call) => sync.ask(ids(inner(call)), call.rawQuery)],
    ["POST /sync/decide/*", ({ path, body }) => sync.decide(path[2] ?? "", decisionIn(body))],
    [
      "GET /async/v2/domainTemplates/providers/*",
      (call) => flow.ask(inner(call).path[3] ?? "", parameters(call.rawQuery)),
    ],
    ["POST /async/decide/*", ({ path, body }) => flow.decide(path[2] ?? "", decisionIn(body))],
    ["POST /api/v2/oauth/access_token", (call) => flow.token(tokenParameters(call))],
    [`POST /api${service}/apply`, (call) => flow.apply({ ...ids(inner(call)), ...granted(call) })],
    [
      `POST /api${service}/revert`,
      (call) => flow.revert({ ...ids(inner(call)), ...granted(call) }),
    ],
  ];
}

async function settings(options: ProviderOptions, base: string, domain: string): Promise<Answer> {
  if (!(await options.holdsZone(domain))) return json(404, { message: "not here" });
  return json(200, {
    providerId: options.providerId,
    providerName: options.providerName,
    urlSyncUX: `${base}/sync`,
    ...(options.clients === undefined ? {} : { urlAsyncUX: `${base}/async` }),
    urlAPI: `${base}/api`,
    width: 750,
    height: 750,
  });
}

async function answer(
  routes: readonly (readonly [string, Handler])[],
  request: IncomingMessage,
  path: string,
  rawQuery: string,
): Promise<Answer> {
  const segments = path.split("/").slice(1).map(decodeURIComponent);
  const found = routes.find(([route]) => matches(route, `${request.method}`, segments));
  if (found === undefined) return json(404, { message: "nothing is here" });
  const body = await readBody(request);
  return found[1]({ path: segments, rawQuery, body, headers: request.headers });
}

function matches(route: string, method: string, segments: readonly string[]): boolean {
  const [routeMethod = "", path = ""] = route.split(" ");
  const parts = path.split("/").slice(1);
  if (routeMethod !== method || parts.length !== segments.length) return false;
  return parts.every((part, index) => part === "*" || part === segments[index]);
}

/** The call without its path prefix, so that identifiers have the same index everywhere. */
function inner(call: Call): Call {
  return { ...call, path: call.path.slice(1) };
}

function granted({ rawQuery, headers }: Call) {
  const accessToken = /^Bearer (.+)$/i.exec(headers.authorization ?? "")?.[1] ?? "";
  return { query: parameters(rawQuery), accessToken };
}

function parameters(rawQuery: string): ReadonlyMap<string, string> {
  return new Map(new URLSearchParams(rawQuery));
}

/** From JSON or from the query; the protocol allows both. */
function tokenParameters({ body, rawQuery }: Call): ReadonlyMap<string, string> {
  if (body === "") return parameters(rawQuery);
  const parsed: unknown = JSON.parse(body);
  const entries = typeof parsed === "object" && parsed !== null ? Object.entries(parsed) : [];
  return new Map(entries.map(([name, value]) => [name, String(value)]));
}

function decisionIn(body: string): string {
  return new URLSearchParams(body).get("decision") ?? "";
}

async function readBody(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of request) {
    const bytes = Buffer.from(part);
    size += bytes.length;
    if (size > maxBodyBytes) throw new Error("the body is too long");
    parts.push(bytes);
  }
  return Buffer.concat(parts).toString("utf8");
}

function send(response: ServerResponse, { status, headers, body }: Answer): void {
  response.writeHead(status, { ...headers, "content-length": Buffer.byteLength(body) }).end(body);
}
