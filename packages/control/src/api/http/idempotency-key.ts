import { createHash } from "node:crypto";
import type { FastifyReply, FastifyRequest } from "fastify";
import { invalid } from "../../domain/errors.ts";
import { isObject } from "../../domain/json.ts";
import { idempotencyActor } from "../../domain/tenancy.ts";
import type { ServiceContext } from "../../services/context.ts";
import { once } from "../../services/idempotency.ts";
import type { ErrorReply, errorReply } from "./error-reply.ts";
import type { PreparedCall, Route } from "./route.ts";

/** A call with an Idempotency-Key. */
interface KeyedCall {
  readonly route: Route;
  readonly call: PreparedCall;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  /** Makes the errors that are stored for the key. */
  readonly render: typeof errorReply;
}

export function hasIdempotencyKey({ headers }: FastifyRequest): boolean {
  return headers["idempotency-key"] !== undefined;
}

/** Runs the verb once per key; a repeat of the same request gets the stored reply. */
export async function callOnce(ctx: ServiceContext, keyed: KeyedCall): Promise<unknown> {
  const { route, call, request, reply, render } = keyed;
  const answer = await once(
    ctx,
    {
      route: `${route.method} ${route.path}`,
      actor: idempotencyActor(ctx.actor),
      key: readKey(request),
      fingerprint: fingerprint(request),
    },
    {
      result: (result) => storable(call.render(result)),
      error: (error) => storableError(render(error)),
    },
    call.run,
  );
  reply.code(answer.status).type("application/json; charset=utf-8").serializer(String);
  if (answer.replayed) reply.header("idempotency-replayed", "true");
  return answer.body;
}

function readKey({ headers }: FastifyRequest): string {
  const key = String(headers["idempotency-key"]);
  if (/^[ -~]{1,255}$/.test(key)) return key;
  throw invalid([
    { path: "Idempotency-Key", message: "must be 1 to 255 printable ASCII characters" },
  ]);
}

function storable(reply: { readonly status: number; readonly body: unknown }) {
  return { status: reply.status, body: JSON.stringify(reply.body) };
}

/** Null for a 5xx, which says nothing about the request: the key stays free for another try. */
function storableError(reply: ErrorReply) {
  return reply.status >= 500 ? null : storable(reply);
}

/**
 * Hashes what must be the same in a repeat: the body, with the parameters of a path that has some.
 * The keys are sorted, so that spacing and the order of fields do not matter.
 */
function fingerprint({ params, body }: FastifyRequest): Buffer {
  const hasParams = isObject(params) && Object.keys(params).length > 0;
  const repeated = hasParams ? { params, body } : body;
  return createHash("sha256")
    .update(JSON.stringify(sorted(repeated ?? null)))
    .digest();
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, child]) => [key, sorted(child)]),
  );
}
