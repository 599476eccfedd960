import { createHash } from "node:crypto";
import type { FastifyReply, FastifyRequest } from "fastify";
import { type AppError, invalid } from "../domain/errors.ts";
import { createContext, type ServiceContext } from "../services/context.ts";
import { once } from "../services/idempotency.ts";
import type { Admission } from "./admission.ts";
import { errorReply } from "./error-reply.ts";
import { type PreparedCall, type Route, requireScope } from "./route.ts";

const defaultTimeoutMs = 5_000;

/** The context of a request that was let in, kept from its headers to its handler. */
export type Admitted = WeakMap<FastifyRequest, ServiceContext>;

/** Who, may they, how often: decided on the headers alone, before a body is read. */
export async function admit(
  admission: Admission,
  admitted: Admitted,
  route: Route,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const actor = await admission.authenticate(request);
  const ctx = createContext(admission.runtime, actor, route.timeoutMs ?? defaultTimeoutMs);
  requireScope(ctx, route);
  admission.limit(ctx, route, request, reply);
  admitted.set(request, ctx);
}

/** What, and once. */
export async function callRoute(
  admitted: Admitted,
  route: Route,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<unknown> {
  const ctx = admitted.get(request);
  if (!ctx) throw new Error("a request reached its handler without having been let in");
  const call = route.prepare({ params: request.params, query: request.query, body: request.body });
  const key = request.headers["idempotency-key"];
  if (route.idempotent && key !== undefined) {
    return callOnce(ctx, route, call, String(key), request.body, reply);
  }
  const { status, body } = call.render(await call.run(ctx));
  reply.code(status);
  return body === null ? reply.send() : body;
}

async function callOnce(
  ctx: ServiceContext,
  route: Route,
  call: PreparedCall,
  key: string,
  body: unknown,
  reply: FastifyReply,
): Promise<unknown> {
  if (!/^[ -~]{1,255}$/.test(key)) {
    throw invalid([
      { path: "Idempotency-Key", message: "must be 1 to 255 printable ASCII characters" },
    ]);
  }
  const answer = await once(
    ctx,
    { route: `${route.method} ${route.path}`, key, fingerprint: fingerprint(body) },
    { result: (result) => stored(call.render(result)), error: storedError },
    call.run,
  );
  reply.code(answer.status).type("application/json; charset=utf-8").serializer(asIs);
  if (answer.replayed) reply.header("idempotency-replayed", "true");
  return answer.body;
}

function stored(reply: { readonly status: number; readonly body: unknown }) {
  return { status: reply.status, body: JSON.stringify(reply.body) };
}

/** A 5xx says nothing about the request: the key stays free for another try. */
function storedError(error: AppError) {
  const reply = errorReply(error);
  return reply.status >= 500 ? null : stored(reply);
}

function asIs(payload: unknown): string {
  return String(payload);
}

/** Of the parsed body with sorted keys, so that spacing and order of fields do not matter. */
function fingerprint(body: unknown): Buffer {
  return createHash("sha256")
    .update(JSON.stringify(sorted(body ?? null)))
    .digest();
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, child]) => [key, sorted(child)]),
  );
}
