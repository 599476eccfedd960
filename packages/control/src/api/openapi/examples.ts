import type { ErrorCode } from "../../domain/errors.ts";
import { isObject } from "../../domain/json.ts";
import type { JsonSchema } from "./json-schema.ts";
import { requestExamples } from "./requests.ts";

/** The example of a request: the written one, else the required fields with usual values. */
export function requestExample(
  operationId: string,
  schema: JsonSchema,
  components: ReadonlyMap<string, unknown>,
): unknown {
  return (
    requestExamples[operationId] ??
    makeExample(schema, { components, name: "", onlyRequired: true })
  );
}

/** The example of a response: every field of its schema with a usual value. */
export function responseExample(
  schema: JsonSchema,
  components: ReadonlyMap<string, unknown>,
): unknown {
  return makeExample(schema, { components, name: "", onlyRequired: false });
}

interface FieldContext {
  readonly components: ReadonlyMap<string, unknown>;
  /** The field's name. */
  readonly name: string;
  readonly onlyRequired: boolean;
}

/** The first usual value of the field's name that fits its schema, else the plainest that does. */
function makeExample(schema: JsonSchema, context: FieldContext): unknown {
  const target = schema["$ref"];
  if (typeof target === "string") {
    return makeExample(asSchema(context.components.get(target.split("/").at(-1) ?? "")), context);
  }
  if ("const" in schema) return schema["const"];
  const usual = usualValues[context.name]?.find((value) => fits(value, schema));
  if (usual !== undefined) return usual;
  if ("default" in schema) return schema["default"];
  const options = schema["anyOf"] ?? schema["oneOf"];
  if (Array.isArray(options)) return chooseOption(options.map(asSchema), context);
  if (Array.isArray(schema["enum"])) return schema["enum"][0];
  return plainValue(schema, context);
}

function chooseOption(options: readonly JsonSchema[], context: FieldContext): unknown {
  if (options.some(({ type }) => type === "null")) return null;
  return options[0] === undefined ? null : makeExample(options[0], context);
}

function plainValue(schema: JsonSchema, context: FieldContext): unknown {
  const { type } = schema;
  if (Array.isArray(type)) return null;
  switch (type) {
    case "object":
      return exampleFields(schema, context);
    case "array":
      return [makeExample(asSchema(schema["items"]), context)];
    case "string":
      return exampleText(schema);
    case "integer":
    case "number":
      return Math.max(0, Number(schema["minimum"] ?? 0));
    case "boolean":
      return false;
    default:
      return null;
  }
}

function exampleFields(schema: JsonSchema, context: FieldContext): object {
  const required = Array.isArray(schema["required"]) ? schema["required"] : [];
  const fields = Object.entries(asSchema(schema["properties"])).filter(
    ([name]) => !context.onlyRequired || required.includes(name),
  );
  return Object.fromEntries(
    fields.map(([name, field]) => [name, makeExample(asSchema(field), { ...context, name })]),
  );
}

function exampleText({ format }: JsonSchema): string {
  if (format === "uuid") return "0199a3b9-8e04-7d2a-a1f3-5c6b7d8e9f01";
  if (format === "date-time") return "2026-11-15T09:30:12.480Z";
  if (format === "date") return "2026-11-15";
  if (format === "uri") return "https://app.example.com/";
  return "text";
}

function fits(value: unknown, schema: JsonSchema): boolean {
  const options = schema["anyOf"];
  if (Array.isArray(options)) return options.some((option) => fits(value, asSchema(option)));
  const listed = schema["enum"];
  if (Array.isArray(listed)) return listed.includes(value);
  const types = [schema["type"]].flat();
  if (value === null) return types.includes("null");
  if (Array.isArray(value)) {
    const items = asSchema(schema["items"]);
    return types.includes("array") && value.every((item) => fits(item, items));
  }
  if (typeof value === "number") return types.includes("integer") || types.includes("number");
  // An empty value stands for any object without fields of its own.
  if (typeof value === "object") return types.includes("object") && !("properties" in schema);
  return types.includes(typeof value) && isOfFormat(value, schema);
}

function isOfFormat(value: unknown, { format, pattern }: JsonSchema): boolean {
  const text = String(value);
  if (format === "date-time" && Number.isNaN(Date.parse(text))) return false;
  if (format === "uuid" && !/^[0-9a-f-]{36}$/.test(text)) return false;
  return typeof pattern !== "string" || new RegExp(pattern, "u").test(text);
}

function asSchema(value: unknown): JsonSchema {
  return isObject(value) ? value : {};
}

/** By the name of a field, what it usually holds; the first that its schema accepts is taken. */
const usualValues: Readonly<Record<string, readonly unknown[]>> = {
  id: ["0199a3b9-8e04-7d2a-a1f3-5c6b7d8e9f01"],
  application_id: ["0198f0aa-1b20-7e44-9c55-70d1f3b8a612"],
  connection_id: ["0199a3b9-8e04-7d2a-a1f3-5c6b7d8e9f01"],
  customer_ref: ["customer-42"],
  hostname: ["shop.example.com"],
  host: ["shop.example.com"],
  domain: ["example.com"],
  zone: ["example.com"],
  kind: ["subdomain"],
  state: ["live"],
  to_state: ["live"],
  from_state: ["issuing_cert"],
  setup_type: ["automatic"],
  provider: ["cloudflare", "google_workspace", "Cloudflare"],
  provider_slug: ["cloudflare"],
  provider_name: ["Cloudflare"],
  slug: ["cloudflare"],
  nameserver: ["ada.ns.cloudflare.com"],
  nameservers: [["ada.ns.cloudflare.com", "bob.ns.cloudflare.com"]],
  server: ["ada.ns.cloudflare.com"],
  registered: [true],
  auto_configurable: [true],
  propagated: [true],
  active: [true],
  registrable_domain: ["example.com"],
  subdomain: ["shop"],
  public_suffix: ["com"],
  name: ["Acme Shops"],
  application_name: ["Acme Shops"],
  last4: ["x4Kq"],
  environment: ["live"],
  allowed_origins: [["https://app.example.com"]],
  origin_url: ["https://origin.example.com"],
  type: ["CNAME", "domain.flow.completed"],
  value: ["edge.example.net"],
  observed_value: ["edge.example.net"],
  ttl: [300],
  status: ["issued", "delivered", "active"],
  ca: ["Let's Encrypt"],
  not_after: ["2027-02-13T08:00:00.000Z"],
  expires_at: ["2026-11-15T10:30:12.480Z"],
  deadline: ["2026-11-18T09:30:12.480Z"],
  url: ["https://app.example.com/webhooks"],
  event_type: ["domain.flow.completed"],
  events: [["domain.flow.completed", "domain.drift"]],
  scopes: [["connections:read", "connections:write"]],
  auth_token: [
    "eyJhbGciOiJFZERTQSIsInR5cCI6IndpZGdldCtqd3QifQ.eyJhdWQiOiJ3aWRnZXQifQ.c2lnbmF0dXJl",
  ],
  signing_secret: ["whsec_BwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwc="],
  secret: ["sk_live_7hRk2mQw9ZxVbN4tYpLs6dFgJc3eUaX8oKiM5nB1"],
  email: ["dana@example.com"],
  role: ["developer"],
  period: ["2026-11"],
  plan: ["growth"],
  next_cursor: [null],
  status_code: [200],
  latency_ms: [84],
  color: ["#0b7285"],
  languages: [["en", "de"]],
  message: ["It is in order."],
};

/** The error answers by code, which operations refer to. */
export function errorExamples(
  codes: ReadonlySet<ErrorCode>,
): Readonly<Record<string, { readonly value: unknown }>> {
  return Object.fromEntries([...codes].map((code) => [code, { value: errorExample(code) }]));
}

function errorExample(code: ErrorCode): object {
  const { message, details = null, more = {} } = errorTexts[code] ?? { message: code };
  return { error: { code, message, details }, ...more };
}

const upgradeUrl = "https://example.com/upgrade";
const errorTexts: Readonly<
  Partial<
    Record<
      ErrorCode,
      { readonly message: string; readonly details?: unknown; readonly more?: object }
    >
  >
> = {
  invalid: {
    message: "The request is invalid.",
    details: { issues: [{ path: "hostname", message: "expected a domain name" }] },
  },
  unauthorized: { message: "The credential is missing or not valid." },
  forbidden: { message: "The credential lacks the scope that this needs." },
  tenant_suspended: { message: "The account is suspended: it can be read and not changed." },
  not_found: { message: "There is no such object." },
  HostnameConflict: { message: "The hostname is connected already." },
  ownership_not_found: {
    message: "The ownership record was not found.",
    details: {
      name: "_service-challenge.shop.example.com",
      expected: "service-verify=Zk3mQ0aVxw5h2JYbT8cRr1uLQf6nPp4sDd7eGg9iKkM",
      observed: [],
      observed_truncated: false,
      servers: [{ server: "ada.ns.cloudflare.com", outcome: "absent" }],
      reason: null,
    },
  },
  QuotaExceeded: {
    message: "The plan's limit is reached.",
    details: { limit: 100, plan: "starter", upgrade_url: upgradeUrl },
    more: { upgrade_url: upgradeUrl },
  },
  unsupported_media_type: { message: "send application/json" },
  rate_limited: { message: "Too many requests. Try again later." },
  unavailable: { message: "The service is unavailable for the moment. Try again later." },
};
