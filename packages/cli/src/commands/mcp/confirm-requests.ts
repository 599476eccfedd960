import type { IncomingMessage, ServerResponse } from "node:http";
import type { Mooring } from "@mooring/sdk";
import { explain } from "../explain.ts";
import type { Plan, Plans } from "./plans.ts";

/** Opens the API with a key that came with a request. */
export type OpenClient = (apiKey: string) => Mooring;

export const plansPath = "/plans/";

/**
 * `GET /plans/{id}` shows a plan and `POST` confirms it, both with an API key of the tenant that
 * may write and is not the planner's. A language model that knows the address, and the key that it
 * plans with, cannot confirm its own plan.
 */
export async function answerConfirmation(
  request: IncomingMessage,
  response: ServerResponse,
  plans: Plans,
  openClient: OpenClient,
): Promise<void> {
  const id = new URL(request.url ?? "/", "http://localhost").pathname.slice(plansPath.length);
  const apiKey = readBearer(request);
  if (apiKey === null) return sendUnauthorized(response);
  if (request.method !== "GET" && request.method !== "POST") {
    return sendJson(response, 405, problem("invalid", "GET shows a plan and POST confirms it."));
  }
  try {
    const plan = await plans.requireForConfirmation(openClient(apiKey), apiKey, id);
    if (request.method === "POST") plans.confirm(id);
    sendJson(response, 200, shown(plan, request.method === "POST"));
  } catch (error) {
    const { value } = explain(error, null);
    sendJson(response, problemStatus(value["code"]), { error: value });
  }
}

function shown({ id, title, effects, expiresAt, isConfirmed }: Plan, isNow: boolean) {
  return {
    plan_id: id,
    title,
    effects,
    expires_at: expiresAt.toISOString(),
    confirmed: isNow || isConfirmed,
  };
}

function problemStatus(code: unknown): number {
  if (code === "unauthorized") return 401;
  if (code === "forbidden") return 403;
  if (code === "unreachable") return 503;
  return code === "plan_not_found" ? 404 : 409;
}

/** The key of `Authorization: Bearer`; null when there is none, as for the token of a widget. */
export function readBearer({ headers }: IncomingMessage): string | null {
  return /^Bearer (sk_[!-~]+)$/i.exec(headers.authorization ?? "")?.[1] ?? null;
}

/** `challenge` is what `WWW-Authenticate` says beside the scheme. */
export function sendUnauthorized(response: ServerResponse, challenge = ""): void {
  response.setHeader("www-authenticate", `Bearer ${challenge}`.trim());
  sendJson(response, 401, problem("unauthorized", "Send an API key: Authorization: Bearer sk_…"));
}

export function problem(code: string, message: string): object {
  return { error: { code, message } };
}

export function sendJson(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, {
    "content-type": "application/json",
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
  });
  response.end(JSON.stringify(body));
}
