import fc from "fast-check";
import type { Route } from "../../../packages/control/src/api/http/route.ts";
import { openApiDocument } from "../../../packages/control/src/api/openapi/openapi.ts";
import { routes } from "../../../packages/control/src/api/routes.ts";
import { matching, type Resolve, type Spoiling, spoil, spoilings } from "./from-schema.ts";
import { hostileBodies } from "./hostile-text.ts";

/**
 * Who sends a request: a key or a widget token of one of two tenants, a widget token of an end
 * customer, or nobody.
 */
export const callers = [
  "acting.test.key",
  "acting.test.key",
  "acting.live.key",
  "other.test.key",
  "other.live.key",
  "acting.test.token",
  "acting.test.bound",
  "acting.test.alice",
  "acting.test.bob",
  "acting.live.token",
  "other.test.token",
  "nobody",
] as const;
export type Caller = (typeof callers)[number];

/** A request with references instead of ids. */
export interface ApiRequest {
  /** "METHOD path" as in the OpenAPI document. */
  readonly route: string;
  readonly caller: Caller;
  readonly params: Readonly<Record<string, unknown>>;
  readonly query: Readonly<Record<string, unknown>>;
  readonly body: unknown;
  /** Sent instead of `body`, as it is. */
  readonly rawBody: string | null;
  readonly headers: Readonly<Record<string, string>>;
}

export interface Operation {
  readonly name: string;
  readonly route: Route;
  /** The statuses that the document states. */
  readonly statuses: ReadonlySet<number>;
  readonly requests: fc.Arbitrary<ApiRequest>;
}

const idempotencyKeys = ["k1", "k2", "a key", "k".repeat(256)] as const;

const headerSets: fc.Arbitrary<Record<string, string>> = fc.oneof(
  { weight: 6, arbitrary: fc.constant({}) },
  {
    weight: 2,
    arbitrary: fc.constantFrom(...idempotencyKeys).map((key) => ({ "idempotency-key": key })),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      { "content-type": "text/plain" },
      { "content-type": "application/json; charset=utf-16" },
      { origin: "https://evil.example" },
      { "x-http-method-override": "DELETE" },
      { "x-forwarded-for": "127.0.0.1" },
    ),
  },
);

/** Every operation of the document, with a generator of requests from its schemas. */
export function operations(): readonly Operation[] {
  const document = openApiDocument(routes);
  const resolve: Resolve = (ref) => inside(document, ref.replace(/^#\//, "").split("/"));
  return routes.map((route) => {
    const name = `${route.method} ${route.path}`;
    const described = inside(document, ["paths", route.path, route.method.toLowerCase()]);
    return {
      name,
      route,
      statuses: new Set(Object.keys(inside(described, ["responses"])).map(Number)),
      requests: arbitraryRequest(name, described, resolve),
    };
  });
}

function arbitraryRequest(
  name: string,
  described: Json,
  resolve: Resolve,
): fc.Arbitrary<ApiRequest> {
  const parameters = (described["parameters"] ?? []) as readonly Json[];
  const parametersIn = (location: string) =>
    Object.fromEntries(
      parameters
        .filter((one) => one["in"] === location)
        .map((one) => {
          const field = String(one["name"]);
          return [field, matching(inside(one, ["schema"]), resolve, field)];
        }),
    );
  const schema = inside(described, ["requestBody", "content", "application/json", "schema"]);
  const hasBody = Object.keys(schema).length > 0;
  const request = fc.record<ApiRequest>({
    route: fc.constant(name),
    caller: fc.constantFrom(...callers),
    params: fc.record(parametersIn("path")),
    query: fc.record(parametersIn("query"), { requiredKeys: [] }),
    body: hasBody ? matching(schema, resolve, "body") : fc.constant(undefined),
    rawBody: hasBody
      ? fc.oneof(
          { weight: 15, arbitrary: fc.constant(null) },
          { weight: 1, arbitrary: fc.constantFrom(...hostileBodies) },
        )
      : fc.constant(null),
    headers: headerSets,
  });
  const changes = fc.oneof(
    { weight: 3, arbitrary: fc.constant([]) },
    { weight: 2, arbitrary: fc.array(spoilings, { minLength: 1, maxLength: 3 }) },
  );
  return fc.tuple(request, changes).map(([plain, list]) => list.reduce(spoilt, plain));
}

/** A change to the body, the query or a parameter of the path. */
function spoilt(request: ApiRequest, change: Spoiling): ApiRequest {
  const part = (["body", "body", "query", "params"] as const)[change.which % 4] ?? "body";
  const value = request[part];
  if (value === undefined) return request;
  const next = spoil(value, change);
  if (part === "body") return { ...request, body: next };
  const isFields = typeof next === "object" && next !== null && !Array.isArray(next);
  return isFields ? { ...request, [part]: { ...value, ...next } } : request;
}

type Json = Readonly<Record<string, unknown>>;

function inside(value: unknown, path: readonly string[]): Json {
  let at: unknown = value;
  for (const key of path) {
    at = typeof at === "object" && at !== null ? Reflect.get(at, key) : undefined;
  }
  return typeof at === "object" && at !== null ? Object.fromEntries(Object.entries(at)) : {};
}
