import { randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { ApiError, MooringError } from "@mooring/sdk";
import {
  answerConfirmation,
  type OpenClient,
  plansPath,
  problem,
  readBearer,
  sendJson,
  sendUnauthorized,
} from "./confirm-requests.ts";
import { type Listener, listen, type Report } from "./listener.ts";
import type { Plans } from "./plans.ts";
import { isMetadataPath, metadataUrl, sendMetadata } from "./protected-resource.ts";
import { hashValue } from "./reply.ts";
import { createMcpServer } from "./server.ts";

export interface McpHttpOptions {
  readonly host: string;
  readonly port: number;
  /** How people reach it; null: the address that it listens on. */
  readonly publicUrl: string | null;
  /** Pages that may call it. Programs send no Origin and need no entry. */
  readonly allowedOrigins: readonly string[];
  readonly openClient: OpenClient;
  readonly plans: Plans;
  readonly now: () => number;
  readonly report: Report;
}

const mcpPath = "/mcp";
const maxSessions = 1_000;
const idleMs = 30 * 60_000;
const maxBodyBytes = 256 * 1024;

interface Session {
  readonly server: McpServer;
  readonly transport: StreamableHTTPServerTransport;
  /** Digest of the key that opened it: the session's id alone opens nothing. */
  readonly owner: string;
  usedAt: number;
}

/**
 * MCP over streamable HTTP at `/mcp`. Each client brings its own API key, so that one process
 * serves many tenants.
 */
export async function startMcpHttp(options: McpHttpOptions): Promise<Listener> {
  const sessions = new Map<string, Session>();
  const base = { url: options.publicUrl };
  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { origin } = request.headers;
    // A page of a stranger must not reach a server on this machine (DNS rebinding).
    if (origin !== undefined && !options.allowedOrigins.includes(origin)) {
      return sendJson(response, 403, problem("forbidden", "This origin is not allowed."));
    }
    const { pathname } = new URL(request.url ?? "/", "http://localhost");
    const resource = new URL(`${base.url ?? ""}${mcpPath}`);
    if (isMetadataPath(pathname, resource)) return sendMetadata(request, response, resource);
    if (pathname.startsWith(plansPath)) {
      return answerConfirmation(request, response, options.plans, options.openClient);
    }
    if (pathname !== mcpPath) {
      return sendJson(response, 404, problem("not_found", `MCP is at ${mcpPath}.`));
    }
    const apiKey = readBearer(request);
    const challenge = `resource_metadata="${metadataUrl(resource)}"`;
    if (apiKey === null) return sendUnauthorized(response, challenge);
    const confirmUrl = async (id: string) => `${base.url ?? ""}${plansPath}${id}`;
    return answerMcp(request, response, { ...options, apiKey, challenge, sessions, confirmUrl });
  };
  const listener = await listen(options.host, options.port, handle, options.report);
  base.url ??= listener.url;
  return {
    url: listener.url,
    async close() {
      await Promise.all([...sessions.values()].map(({ server }) => server.close()));
      await listener.close();
    },
  };
}

interface McpRequest extends McpHttpOptions {
  readonly apiKey: string;
  readonly challenge: string;
  readonly sessions: Map<string, Session>;
  readonly confirmUrl: (id: string) => Promise<string>;
}

async function answerMcp(
  request: IncomingMessage,
  response: ServerResponse,
  context: McpRequest,
): Promise<void> {
  const { sessions, apiKey, now } = context;
  const id = request.headers["mcp-session-id"];
  if (typeof id !== "string") return openSession(request, response, context);
  const session = sessions.get(id);
  if (session === undefined || session.owner !== hashValue(apiKey)) {
    // The status that makes a client begin again, for the session of another key too.
    return sendJson(response, 404, problem("not_found", "There is no such session: begin again."));
  }
  session.usedAt = now();
  await session.transport.handleRequest(request, response);
}

async function openSession(
  request: IncomingMessage,
  response: ServerResponse,
  context: McpRequest,
): Promise<void> {
  const { sessions, apiKey, now, openClient, plans, confirmUrl } = context;
  await closeIdle(sessions, now());
  if (sessions.size >= maxSessions) {
    return sendJson(response, 503, problem("unavailable", "Too many sessions: try again later."));
  }
  const client = openClient(apiKey);
  const refused = await refusedBy(() => client.connections.list({ limit: 1 }).page());
  if (refused === 401) {
    return sendUnauthorized(response, `error="invalid_token", ${context.challenge}`);
  }
  if (refused !== null) {
    return sendJson(response, 503, problem("unavailable", "The API does not answer."));
  }
  const server = createMcpServer({ client, apiKey, plans, confirmUrl });
  const transport = new StreamableHTTPServerTransport({
    sessionIdGenerator: randomUUID,
    maxRequestBodySize: maxBodyBytes,
    onsessioninitialized: (id) => {
      sessions.set(id, { server, transport, owner: hashValue(apiKey), usedAt: now() });
    },
    onsessionclosed: (id) => {
      sessions.delete(id);
    },
  });
  await server.connect(transport as Transport);
  await transport.handleRequest(request, response);
  // What was no initialize request has made no session.
  if (transport.sessionId === undefined) await server.close();
}

/**
 * Null for a key that authenticates, whatever its scopes are; otherwise the status to answer with.
 */
async function refusedBy(read: () => Promise<unknown>): Promise<number | null> {
  try {
    await read();
    return null;
  } catch (error) {
    if (error instanceof ApiError && error.status < 500) return error.status === 401 ? 401 : null;
    if (error instanceof MooringError) return 503;
    throw error;
  }
}

async function closeIdle(sessions: Map<string, Session>, nowMs: number): Promise<void> {
  for (const [id, { server, usedAt }] of sessions) {
    if (nowMs - usedAt <= idleMs) continue;
    sessions.delete(id);
    await server.close();
  }
}
