const introduction = (base) => `
How things work, from the first start to the runbook, is in the [guide](${base}docs/index). This page is
drawn from the [OpenAPI document](${base}v1/openapi.json) of this server.

## Authentication

Send \`Authorization: Bearer\` with an API key (\`sk_test_…\` or \`sk_live_…\`). A test key sees test
applications and what belongs to them, a live key the live ones; everything else is answered with 404. In
a browser use a widget token, for the operations that accept one, and never a key.

## Errors

An error is \`{ "error": { "code", "message", "details" } }\`. Decide by \`code\`; \`message\` is for
people. Every answer has an \`X-Request-Id\` to quote to the operator of this server.

## Lists

Lists are newest first, in pages of \`limit\` items. Pass \`next_cursor\` as \`cursor\` for the next page;
it is \`null\` on the last one.

## Repeating a request

Where an \`Idempotency-Key\` is accepted, the same key with the same body gets the first answer again for
24 hours, marked \`Idempotency-Replayed: true\`. On 429, wait for \`Retry-After\` seconds.
`;

const methods = ["get", "post", "put", "patch", "delete"];

/**
 * The API's document as the reference shows it: with the introduction, the address of this server,
 * and a sample for the SDK at each operation. The input document is not changed.
 */
export function referenceDocument(api, base) {
  const paths = Object.entries(api.paths ?? {}).map(([path, item]) => [
    path,
    Object.fromEntries(
      Object.entries(item).map(([key, value]) => [
        key,
        methods.includes(key) ? withSdkSample(api, value) : value,
      ]),
    ),
  ]);
  return {
    ...api,
    info: {
      ...api.info,
      description: `${api.info?.description ?? ""}\n${introduction(base)}`,
    },
    // A path in front of the API stays in every address.
    servers: [{ url: base.replace(/\/$/, "") }],
    paths: Object.fromEntries(paths),
  };
}

function withSdkSample(api, operation) {
  const sample = { lang: "TypeScript", label: "Mooring SDK", source: sdkSample(api, operation) };
  return { ...operation, "x-codeSamples": [sample] };
}

/** The SDK calls every operation by its id. Path parameters become variables of the same name. */
function sdkSample(api, operation) {
  const parameters = operation.parameters ?? [];
  const params = parameters.filter((one) => one.in === "path").map(({ name }) => name);
  const query = parameters.filter((one) => one.in === "query" && one.required);
  const body = operation.requestBody?.content?.["application/json"]?.schema;
  const parts = [
    params.length > 0 ? `  params: { ${params.join(", ")} },` : null,
    query.length > 0 ? `  query: ${literal(exampleValues(api, query))},` : null,
    body === undefined ? null : `  body: ${literal(makeExample(api, body))},`,
  ].filter((part) => part !== null);
  const input = parts.length === 0 ? "{}" : `{\n${parts.join("\n")}\n}`;
  return `await mooring.call("${operation.operationId}", ${input});`;
}

function exampleValues(api, parameters) {
  return Object.fromEntries(parameters.map(({ name, schema }) => [name, makeExample(api, schema)]));
}

/** A value as TypeScript, indented as the second line of an object. */
function literal(value) {
  return JSON.stringify(value, null, 2)
    .replaceAll(/^(\s*)"([A-Za-z_]\w*)":/gm, "$1$2:")
    .replaceAll("\n", "\n  ");
}

/** Schemas may contain themselves; an example ends at this depth. */
const maxDepth = 8;

/** The smallest value that a schema accepts: required properties and at most one item of a list. */
export function makeExample(api, schema, name = "", depth = 0) {
  if (schema === undefined || depth > maxDepth) return null;
  if (schema.$ref) return makeExample(api, resolved(api, schema.$ref), name, depth + 1);
  if ("const" in schema) return schema.const;
  if ("example" in schema) return schema.example;
  if ("default" in schema) return schema.default;
  if (schema.enum) return schema.enum[0];
  const [choice] = schema.anyOf ?? schema.oneOf ?? schema.allOf ?? [];
  if (choice) return makeExample(api, choice, name, depth + 1);
  return makeTypedExample(api, schema, name, depth);
}

function makeTypedExample(api, schema, name, depth) {
  switch (Array.isArray(schema.type) ? schema.type[0] : schema.type) {
    case "object":
      return Object.fromEntries(
        (schema.required ?? []).map((key) => [
          key,
          makeExample(api, schema.properties?.[key], key, depth + 1),
        ]),
      );
    case "array":
      return schema.minItems === 0 || depth >= maxDepth
        ? []
        : [makeExample(api, schema.items, name, depth + 1)];
    case "integer":
    case "number":
      return schema.minimum ?? 1;
    case "boolean":
      return true;
    case "string":
      return exampleString(schema, name);
    default:
      return null;
  }
}

function exampleString({ format }, name) {
  if (format === "uuid") return "018f4d3e-9b7a-7c3e-8f21-0a6d5e4c3b2a";
  if (format === "date-time") return "2026-01-31T12:00:00.000Z";
  if (format === "uri" || name.endsWith("url")) return "https://example.com/hook";
  if (format === "email") return "admin@example.com";
  return /host|domain/.test(name) ? "shop.example.com" : "…";
}

function resolved(api, reference) {
  return api.components?.schemas?.[reference.split("/").at(-1)];
}
