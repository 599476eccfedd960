import { z } from "zod";
import type { LimitName } from "../../config/values.ts";
import { type ErrorCode, type Issue, invalid } from "../../domain/errors.ts";
import { formatTime } from "../../domain/format-time.ts";
import type { LeastRole } from "../../domain/people/role-access.ts";
import type { Scope } from "../../domain/tenancy.ts";
import type { ServiceContext } from "../../services/context.ts";
import type { Listing } from "../../services/paging.ts";
import { parseInput } from "./parse-input.ts";

interface RouteInput<P, Q, B> {
  readonly params: P;
  readonly query: Q;
  readonly body: B;
}

interface RouteReply {
  readonly status: number;
  /** Null for 204. */
  readonly body: unknown;
}

/** Reads a connection as the caller may see it; throws `not_found` otherwise. */
export type ReadConnection = (ctx: ServiceContext, id: string) => Promise<unknown>;

/** The part of a route that is plain data. */
interface RouteFacts {
  readonly method: "GET" | "POST" | "PATCH" | "PUT" | "DELETE";
  /** In OpenAPI's form: `/v1/connections/{id}/records:check`. */
  readonly path: string;
  readonly tag: string;
  readonly summary: string;
  readonly description?: string;
  /**
   * Whether a widget token is accepted besides an API key; `customer`: one with a `customer_ref`
   * only.
   */
  readonly widget?: boolean | "customer";
  /** Any one of these scopes suffices; empty means that any valid key does. */
  readonly scopes: readonly Scope[];
  /** The least role of a signed-in member, and of the maker of a key that was made in a session. */
  readonly role: LeastRole;
  /**
   * How sessions differ from API keys here; by default both are accepted. `refused`: keys only;
   * `test`: sessions in the test environment only; `only`: members only; `any`: members and
   * operators; `operator`: operators only.
   */
  readonly session?: "refused" | "test" | "only" | "any" | "operator";
  /** The session of the caller ends with the call. */
  readonly endsSession?: boolean;
  /** Answers with server-sent events instead of one body; `streams` has how. */
  readonly stream?: true;
  /** A rate limit of the caller in addition to the general one. */
  readonly limit?: Extract<LimitName, "tokens" | "check">;
  /**
   * Reads the connection of the path's `id`. Where it is set, all calls for one connection share a
   * rate limit.
   */
  readonly readConnection?: ReadConnection;
  /** Takes an Idempotency-Key. Never set where the reply carries a secret: replies are stored. */
  readonly idempotent?: boolean;
  readonly errors?: readonly ErrorCode[];
  /** How long the verb may take before the reply is 503. */
  readonly timeoutMs?: number;
}

export interface RouteSpec<
  P extends z.ZodType,
  Q extends z.ZodType,
  B extends z.ZodType,
  O extends z.ZodType | null,
  R,
> extends RouteFacts {
  readonly params?: P;
  readonly query?: Q;
  readonly body?: B;
  /** The body of a success; null for 204. */
  readonly output: O;
  /** The statuses a success can have; the first is the usual one. */
  readonly statuses: readonly [number, ...number[]];
  readonly run: (
    ctx: ServiceContext,
    input: RouteInput<z.output<P>, z.output<Q>, z.output<B>>,
  ) => Promise<R>;
  readonly reply: (result: R) => O extends z.ZodType ? z.input<O> : null;
  readonly statusFor?: (result: R) => number;
}

/**
 * One endpoint as data: what it takes, replies and needs. The server, the OpenAPI document and the
 * tests that walk every route all read the same list of these. The types of input and result are
 * erased; `prepare` closes over them.
 */
export interface Route extends RouteFacts {
  readonly params: z.ZodType | null;
  readonly query: z.ZodType | null;
  readonly body: z.ZodType | null;
  readonly output: z.ZodType | null;
  readonly statuses: readonly [number, ...number[]];
  /** Validates the input, then returns what runs the verb and what renders its result. */
  readonly prepare: (raw: RouteInput<unknown, unknown, unknown>) => PreparedCall;
}

export interface PreparedCall {
  readonly run: (ctx: ServiceContext) => Promise<unknown>;
  readonly render: (result: unknown) => RouteReply;
}

const nothing = z.strictObject({});

export function defineRoute<
  R,
  P extends z.ZodType = typeof nothing,
  Q extends z.ZodType = typeof nothing,
  B extends z.ZodType = typeof nothing,
  O extends z.ZodType | null = null,
>(spec: RouteSpec<P, Q, B, O, R>): Route {
  const { run, reply, statusFor, ...facts } = spec;
  return {
    ...facts,
    params: spec.params ?? null,
    query: spec.query ?? null,
    body: spec.body ?? null,
    output: spec.output,
    prepare(raw) {
      const issues: Issue[] = [];
      const params = check(spec.params ?? nothing, raw.params, issues);
      const query = check(spec.query ?? nothing, raw.query, issues);
      const body = check(spec.body ?? nothing, raw.body ?? (spec.body ? undefined : {}), issues);
      if (issues.length > 0) throw invalid(issues);
      const input = { params, query, body } as RouteInput<z.output<P>, z.output<Q>, z.output<B>>;
      return {
        run: (ctx) => run(ctx, input),
        // Only what `run` resolved with is ever rendered.
        render: (result) => ({
          status: statusFor?.(result as R) ?? spec.statuses[0],
          body: reply(result as R),
        }),
      };
    },
  };
}

function check(schema: z.ZodType, value: unknown, issues: Issue[]): unknown {
  const parsed = parseInput(schema, value);
  if (parsed.success) return parsed.data;
  issues.push(...parsed.issues.flatMap(toIssues));
  return undefined;
}

/** Names an unknown field by its own path, so that a client sees which one it was. */
function toIssues(issue: z.core.$ZodIssue): Issue[] {
  const at = issue.path.map(String);
  if (issue.code === "unrecognized_keys") {
    return issue.keys.map((key) => ({ path: [...at, key].join("."), message: "unknown field" }));
  }
  if (issue.code === "invalid_union") {
    const [nearest = []] = issue.errors.toSorted((one, two) => depth(two) - depth(one));
    if (depth(nearest) > 0) {
      return nearest.flatMap((one) => toIssues({ ...one, path: [...issue.path, ...one.path] }));
    }
  }
  if (issue.code === "invalid_type" && at.length === 0) {
    return [{ path: "", message: "expected a JSON object" }];
  }
  return [{ path: at.join("."), message: issue.message }];
}

/** How far into a value an alternative has come before it failed. */
function depth(issues: readonly z.core.$ZodIssue[]): number {
  return Math.max(
    0,
    ...issues.map(({ code, path }) => path.length + (code === "unrecognized_keys" ? 1 : 0)),
  );
}

/** `/v1/connections/{id}/records:check` → `/v1/connections/:id/records::check`. */
export function fastifyPath(path: string): string {
  // A literal colon is doubled: to the router, a single one begins a parameter.
  return path.replaceAll(":", "::").replaceAll(/\{(\w+)\}/g, ":$1");
}

/** Matches the request paths of a route. */
export function pathPattern(path: string): RegExp {
  const escaped = path.replaceAll(/[.*+?^$()|[\]\\]/g, "\\$&").replaceAll(/\{\w+\}/g, "[^/]+");
  return new RegExp(`^${escaped}$`);
}

/** Shapes that several nouns share. Times are ISO 8601 in UTC with milliseconds and `Z`. */
export const Time = z.string().meta({ format: "date-time" });
export const Uuid = z.string().meta({ format: "uuid" });

export function time(date: Date): string {
  return formatTime(date);
}

export function timeOrNull(date: Date | null): string | null {
  return date === null ? null : time(date);
}

/** `{ data, next_cursor }`, the shape of every list. */
export function listSchema<T extends z.ZodType>(item: T) {
  return z.object({
    data: z.array(item),
    next_cursor: z.string().nullable().describe("Null on the last page"),
  });
}

export function listing<T, B>(page: Listing<T>, body: (item: T) => B) {
  return { data: page.items.map(body), next_cursor: page.nextCursor };
}

/** The path parameters of most routes. */
export const IdParams = z.strictObject({ id: z.uuid() });

export const RecordBody = z
  .object({
    host: z.string(),
    type: z.string(),
    value: z.string(),
    ttl: z.int().nullable(),
    priority: z.int().nullable(),
  })
  .meta({ id: "Record", description: "A DNS record" });
