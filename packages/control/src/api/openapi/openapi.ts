import { z } from "zod";
import { type ErrorCode, errorCodes } from "../../domain/errors.ts";
import { httpStatuses } from "../http/error-reply.ts";
import type { Route } from "../http/route.ts";
import { errorExamples, requestExample, responseExample } from "./examples.ts";
import type { JsonSchema } from "./json-schema.ts";
import { toSchema } from "./json-schema.ts";
import { documentedTags } from "./tags.ts";
import { deliveryCallbacks, webhooks } from "./webhooks.ts";

/**
 * The OpenAPI 3.1 document, generated from the route list and the schemas that validate. Schemas
 * with an id become components; everything else is inlined where it is used.
 */
export function openApiDocument(routes: readonly Route[]): JsonSchema {
  const components = new Map<string, unknown>([["Error", errorSchema]]);
  const paths: Record<string, Record<string, unknown>> = {};
  for (const route of routes) {
    paths[route.path] = {
      ...paths[route.path],
      [route.method.toLowerCase()]: operation(route, components),
    };
  }
  const documentedWebhooks = webhooks(components);
  return {
    openapi: "3.1.0",
    info: {
      title: "Mooring",
      version: "1",
      description:
        "Connect your customers' own domains: detection, ownership, DNS records, certificates and drift, over one API.",
      contact: { name: "The operator of this service" },
      license: { name: "Apache-2.0", identifier: "Apache-2.0" },
    },
    servers: [{ url: "/" }],
    security: [{ apiKey: [] }],
    tags: documentedTags(routes.map((route) => route.tag)),
    paths,
    webhooks: documentedWebhooks,
    components: {
      securitySchemes: {
        apiKey: { type: "http", scheme: "bearer", description: "`sk_test_…` or `sk_live_…`" },
        widgetToken: { type: "http", scheme: "bearer", description: "From POST /v1/tokens" },
        session: {
          type: "apiKey",
          in: "cookie",
          name: "__Host-mooring",
          description:
            "A person who has signed in to the console. Each call names its environment in `X-Mooring-Environment`; a change also needs `X-Mooring-Csrf` with the token of GET /v1/session, and an Origin of ours.",
        },
      },
      examples: errorExamples(new Set(routes.flatMap(listErrors))),
      schemas: Object.fromEntries([...components].sort(([a], [b]) => (a < b ? -1 : 1))),
    },
  };
}

const errorSchema = {
  type: "object",
  required: ["error"],
  properties: {
    error: {
      type: "object",
      required: ["code", "message", "details"],
      properties: {
        code: { type: "string", enum: [...errorCodes] },
        message: { type: "string" },
        details: { description: "What the code's documentation says, or null" },
      },
    },
    upgrade_url: { type: "string", format: "uri", description: "Only with QuotaExceeded" },
  },
};

function operation(route: Route, components: Map<string, unknown>): object {
  const body = route.body ? toSchema(route.body, "input", components) : null;
  return {
    operationId: operationId(route),
    tags: [route.tag],
    summary: route.summary,
    description: [route.description, describeAccess(route)].filter(Boolean).join("\n\n"),
    security: listSecurity(route),
    parameters: parameters(route, components),
    ...(body ? { requestBody: requestBody(route, body, components) } : {}),
    responses: { ...successes(route, components), ...failures(route) },
    ...deliveryCallbacks(route, components),
  };
}

function requestBody(route: Route, schema: JsonSchema, components: Map<string, unknown>): object {
  const example = requestExample(operationId(route), schema, components);
  return { required: true, content: { "application/json": { schema, example } } };
}

/** Who may call it, in words: the scope of a key, and the least role of a session. */
function describeAccess(route: Route): string {
  const scopes = route.scopes.length > 0 ? route.scopes.join(" or ") : "any";
  const role =
    typeof route.role === "string"
      ? route.role
      : `${route.role.test} in test, ${route.role.live} in live`;
  switch (route.session) {
    case "refused":
      return `Scope: ${scopes}.`;
    case "test":
      return `Scope: ${scopes}. Least role: ${role}, in the test environment only.`;
    case "any":
      return "In a session only.";
    case "only":
      return `In a session only. Least role: ${role}.`;
    case "operator":
      return "In an operator's session only.";
    default:
      return `Scope: ${scopes}. Least role: ${role}.`;
  }
}

function listSecurity(route: Route): object[] {
  const bySession = route.session === "refused" ? [] : [{ session: [] }];
  const byKey = [undefined, "refused", "test"].includes(route.session) ? [{ apiKey: [] }] : [];
  return [...byKey, ...(route.widget ? [{ widgetToken: [] }] : []), ...bySession];
}

/** `POST /v1/connections/{id}/records:check` → `post_connections_id_records_check`. */
function operationId(route: Pick<Route, "method" | "path">): string {
  const words = route.path.replace(/^\/v1\//, "").match(/[A-Za-z0-9]+/g) ?? [];
  return [route.method.toLowerCase(), ...words].join("_");
}

function parameters(route: Route, components: Map<string, unknown>): object[] {
  const list = [
    ...listParameters(route.params, "path", components),
    ...listParameters(route.query, "query", components),
  ];
  if (route.idempotent) {
    list.push({
      name: "Idempotency-Key",
      in: "header",
      required: false,
      description: "1 to 255 printable ASCII characters; the reply is stored for 24 hours",
      schema: { type: "string", minLength: 1, maxLength: 255 },
    });
  }
  return list;
}

function listParameters(
  schema: z.ZodType | null,
  location: "path" | "query",
  components: Map<string, unknown>,
): object[] {
  if (!(schema instanceof z.ZodObject)) return [];
  return Object.entries(schema.shape).map(([name, field]) => {
    const type = field as z.ZodType;
    const json = toSchema(type, "input", components) as Record<string, unknown>;
    const { description, ...rest } = json;
    return {
      name,
      in: location,
      required: location === "path",
      ...(description === undefined ? {} : { description }),
      schema: rest,
    };
  });
}

function successes(route: Route, components: Map<string, unknown>): Record<string, object> {
  if (route.stream) {
    const content = { "text/event-stream": { schema: { type: "string" } } };
    return { "200": { description: "Server-sent events", content } };
  }
  const content = route.output ? { content: successContent(route.output, components) } : {};
  return Object.fromEntries(
    route.statuses.map((status) => [String(status), { description: "Success", ...content }]),
  );
}

function successContent(output: z.ZodType, components: Map<string, unknown>): object {
  const schema = toSchema(output, "output", components);
  return { "application/json": { schema, example: responseExample(schema, components) } };
}

/** Whether a suspended tenant is refused. */
function changes({ method, endsSession }: Route): boolean {
  return method !== "GET" && endsSession !== true;
}

function listErrors(route: Route): readonly ErrorCode[] {
  const always = ["invalid", "unauthorized", "forbidden", "rate_limited", "unavailable"] as const;
  return [
    ...always,
    ...(changes(route) ? (["tenant_suspended"] as const) : []),
    ...(route.path.includes("{") ? (["not_found"] as const) : []),
    ...(route.body === null ? [] : (["unsupported_media_type"] as const)),
    ...(route.idempotent ? (["idempotency_mismatch", "idempotency_in_progress"] as const) : []),
    ...(route.errors ?? []),
  ];
}

const challengeHeader = {
  "WWW-Authenticate": {
    description: "`Bearer` (RFC 6750)",
    schema: { type: "string" },
    example: 'Bearer realm="mooring"',
  },
};

function failures(route: Route): Record<string, object> {
  const byStatus = Map.groupBy(new Set(listErrors(route)), (code) => httpStatuses[code]);
  return Object.fromEntries(
    [...byStatus]
      .sort(([a], [b]) => a - b)
      .map(([status, names]) => [
        String(status),
        {
          description: names.map((name) => `\`${name}\``).join(", "),
          ...(status === 401 ? { headers: challengeHeader } : {}),
          content: {
            "application/json": {
              schema: { $ref: "#/components/schemas/Error" },
              examples: Object.fromEntries(
                names.map((name) => [name, { $ref: `#/components/examples/${name}` }]),
              ),
            },
          },
        },
      ]),
  );
}
