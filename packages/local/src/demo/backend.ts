import type { IncomingMessage, ServerResponse } from "node:http";
import { ApiError, type Mooring } from "@mooring/sdk";
import type { Feed } from "./feed.ts";
import { RequestError, readBody, readJson, sendJson } from "./http.ts";
import { receiveWebhook } from "./receive-webhook.ts";
import type { SandboxDns } from "./sandbox-dns.ts";
import type { ReadyState } from "./set-up.ts";
import type { DemoSettings } from "./settings.ts";
import { visitThroughEdge } from "./through-edge.ts";

/** What the pretend product's own server has: its key stays here, the browser gets tokens. */
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
  "POST /break": breakIt,
  "GET /visit": visit,
  "GET /events": events,
  "POST /webhooks": webhook,
};

/** False when there is no such thing. */
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
    const words = error instanceof ApiError ? error.message : `it did not work: ${error.message}`;
    sendJson(response, 502, { error: words });
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

/** As a real product does it: who is signed in here decides, and the key never leaves. */
async function mintToken(parts: BackendParts, request: IncomingMessage, response: ServerResponse) {
  await readJson(request);
  const application_id = parts.state.applicationId;
  const { auth_token } = await parts.client.tokens.mint({ application_id });
  sendJson(response, 200, { token: auth_token });
}

async function makeManualZone({ dns }: BackendParts, from: IncomingMessage, to: ServerResponse) {
  await dns.makeManual(zoneIn((await readJson(from)).get("zone")));
  sendJson(to, 200, {});
}

async function showZone({ dns }: BackendParts, from: IncomingMessage, to: ServerResponse) {
  sendJson(to, 200, await dns.view(zoneIn(queryOf(from).get("zone"))));
}

async function publish({ dns }: BackendParts, from: IncomingMessage, to: ServerResponse) {
  await dns.publish(zoneIn((await readJson(from)).get("zone")));
  sendJson(to, 200, {});
}

async function breakIt({ dns }: BackendParts, from: IncomingMessage, to: ServerResponse) {
  await dns.breakIt(zoneIn((await readJson(from)).get("zone")));
  sendJson(to, 200, {});
}

async function visit({ settings: own }: BackendParts, from: IncomingMessage, to: ServerResponse) {
  const hostname = queryOf(from).get("hostname") ?? "";
  if (!/^([a-z0-9-]{1,63}\.)+test$/.test(hostname)) throw new RequestError(400, "no such name");
  const page = await visitThroughEdge(own, hostname);
  sendJson(to, 200, {
    status: page.status,
    issuer: page.issuer,
    valid_to: page.validTo,
    html: page.body.toString("utf8"),
  });
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

function queryOf(request: IncomingMessage): URLSearchParams {
  return new URL(request.url ?? "/", "http://demo").searchParams;
}

function zoneIn(value: unknown): string {
  if (typeof value === "string" && /^[a-z0-9-]{1,63}\.test$/.test(value)) return value;
  throw new RequestError(400, "expected a zone under .test");
}
