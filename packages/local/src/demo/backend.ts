import type { IncomingMessage, ServerResponse } from "node:http";
import { ApiError, type Mooring } from "@mooring/sdk";
import { type Feed, receiveWebhook } from "./feed.ts";

import type { SandboxDns } from "./sandbox-dns.ts";
import type { DemoSettings, ReadyState } from "./state.ts";
import { visitThroughEdge } from "./through-edge.ts";

/** The parts of the example product's server. Its API key stays here; the browser gets tokens. */
export interface BackendParts {
  readonly settings: DemoSettings;
  readonly state: ReadyState;
  readonly client: Mooring;
  readonly dns: SandboxDns;
  readonly feed: Feed;
}

type Handler = (
  parts: BackendParts,
  request: IncomingMessage,
  response: ServerResponse,
) => Promise<void>;

const handlers: Readonly<Record<string, Handler>> = {
  "GET /settings": settings,
  "POST /token": mintToken,
  "POST /manual-zone": makeManualZone,
  "GET /zone": showZone,
  "POST /publish": publish,
  "POST /break": pointElsewhere,
  "GET /visit": visit,
  "GET /through": showThrough,
  "GET /events": events,
  "POST /webhooks": webhook,
};

/** Returns false when there is no handler for the request. */
export async function callBackend(
  parts: BackendParts,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<boolean> {
  const path = new URL(request.url ?? "/", "http://demo").pathname;
  const name = `${request.method} ${path}`;
  const handler = Object.hasOwn(handlers, name) ? handlers[name] : undefined;
  if (!handler) return false;
  try {
    await handler(parts, request, response);
  } catch (error) {
    fail(response, error);
  }
  return true;
}

function fail(response: ServerResponse, error: unknown): void {
  if (!(error instanceof Error) || response.headersSent) {
    response.destroy();
  } else if (error instanceof RequestError) {
    sendJson(response, error.status, { error: error.message });
  } else {
    const message = error instanceof ApiError ? error.message : `it did not work: ${error.message}`;
    sendJson(response, 502, { error: message });
  }
}

async function settings({ settings: own, state }: BackendParts, _: unknown, to: ServerResponse) {
  sendJson(to, 200, {
    api: own.publicUrl,
    application_id: state.applicationId,
    edge_address: own.edgeAddress,
    edge_port: own.edgePort,
    root_file: own.rootFile,
  });
}

/** The demo has one signed-in customer. */
const customer = "demo-customer";

/** As in a real product: the server decides by its own session, and the API key never leaves it. */
async function mintToken(parts: BackendParts, request: IncomingMessage, response: ServerResponse) {
  await readJson(request);
  const application_id = parts.state.applicationId;
  const { auth_token } = await parts.client.tokens.mint({ application_id, customer_ref: customer });
  sendJson(response, 200, { token: auth_token });
}

async function makeManualZone({ dns }: BackendParts, from: IncomingMessage, to: ServerResponse) {
  await dns.makeManual(zoneIn((await readJson(from)).get("zone")));
  sendJson(to, 200, {});
}

async function showZone({ dns }: BackendParts, from: IncomingMessage, to: ServerResponse) {
  sendJson(to, 200, await dns.view(zoneIn(parseQuery(from).get("zone"))));
}

async function publish({ dns }: BackendParts, from: IncomingMessage, to: ServerResponse) {
  await dns.publish(zoneIn((await readJson(from)).get("zone")));
  sendJson(to, 200, {});
}

async function pointElsewhere({ dns }: BackendParts, from: IncomingMessage, to: ServerResponse) {
  await dns.pointElsewhere(zoneIn((await readJson(from)).get("zone")));
  sendJson(to, 200, {});
}

function visitedName(from: IncomingMessage): string {
  const hostname = parseQuery(from).get("hostname") ?? "";
  if (!/^([a-z0-9-]{1,63}\.)+test$/.test(hostname)) throw new RequestError(400, "no such name");
  return hostname;
}

/**
 * What a visitor's browser would check: the answer's status and the certificate of the handshake.
 */
async function visit({ settings: own }: BackendParts, from: IncomingMessage, to: ServerResponse) {
  const { status, certificate } = await visitThroughEdge(own, visitedName(from));
  sendJson(to, 200, { status, certificate });
}

/**
 * The customer's page itself, for a frame of the demo: a browser neither knows names under .test
 * nor trusts the local root. The sandbox makes it a page of nobody's origin.
 */
async function showThrough(
  { settings: own }: BackendParts,
  from: IncomingMessage,
  to: ServerResponse,
) {
  const { status, type, body } = await visitThroughEdge(own, visitedName(from));
  to.writeHead(status, {
    "content-type": type,
    "content-security-policy":
      "sandbox; default-src 'none'; style-src 'self'; img-src data:; frame-ancestors 'self'",
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
  });
  to.end(body);
}

async function events({ feed }: BackendParts, _: IncomingMessage, response: ServerResponse) {
  feed.follow(response);
}

async function webhook(parts: BackendParts, request: IncomingMessage, response: ServerResponse) {
  const entry = await receiveWebhook(
    await readBody(request),
    request.headers,
    parts.state.signingSecret,
  );
  parts.feed.publish(entry);
  response.writeHead(entry.kind === "webhook" ? 204 : 400).end();
}

function parseQuery(request: IncomingMessage): URLSearchParams {
  return new URL(request.url ?? "/", "http://demo").searchParams;
}

function zoneIn(value: unknown): string {
  if (typeof value === "string" && /^[a-z0-9-]{1,63}\.test$/.test(value)) return value;
  throw new RequestError(400, "expected a zone under .test");
}

/** A bad request, with the HTTP status for its reply. */
class RequestError extends Error {
  override readonly name = "RequestError";
  readonly status: number;
  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

const maxBytes = 262_144;

async function readBody(request: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of request) {
    const bytes = Buffer.from(part);
    size += bytes.length;
    if (size > maxBytes) throw new RequestError(413, "the body is too large");
    parts.push(bytes);
  }
  return Buffer.concat(parts);
}

/**
 * The object in a JSON body. Only the demo's page may send one: the origin is checked, and other
 * sites cannot send this content type without a preflight.
 */
async function readJson(request: IncomingMessage): Promise<ReadonlyMap<string, unknown>> {
  const { origin, host } = request.headers;
  if (origin !== undefined && URL.parse(origin)?.host !== host) {
    throw new RequestError(403, "only the demo's page may do this");
  }
  if (!/^application\/json\b/.test(request.headers["content-type"] ?? "")) {
    throw new RequestError(415, "expected JSON");
  }
  try {
    const value: unknown = JSON.parse((await readBody(request)).toString("utf8"));
    if (typeof value === "object" && value !== null) return new Map(Object.entries(value));
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  throw new RequestError(400, "expected a JSON object");
}

function sendJson(response: ServerResponse, status: number, value: unknown): void {
  response.writeHead(status, {
    "content-type": "application/json; charset=utf-8",
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
  });
  response.end(JSON.stringify(value));
}
