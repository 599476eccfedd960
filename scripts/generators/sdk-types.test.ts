import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { describe, it } from "node:test";
import { promisify } from "node:util";
import fc from "fast-check";
import {
  setupTypes as controlSetupTypes,
  connectionStates as controlStates,
} from "../../packages/control/src/domain/connections/connection.ts";
import { subscribableTypes } from "../../packages/control/src/domain/webhooks/event.ts";
import { connectionStates, eventTypes, setupTypes } from "../../packages/sdk/src/index.ts";
import { asOpenApi, type OpenApi, type Schema, sdkTypes, typeText } from "./sdk-types.ts";

const exec = promisify(execFile);
const root = path.resolve(import.meta.dirname, "../..");

async function committedDocument(): Promise<OpenApi> {
  return asOpenApi(
    JSON.parse(await readFile(path.join(root, "packages/sdk/openapi.json"), "utf8")),
  );
}

/** Nested schemas of every form that the generator supports. */
const { schema } = fc.letrec<{ schema: Schema }>((tie) => ({
  schema: fc.oneof(
    { depthSize: "small" },
    fc.constantFrom<Schema>(
      {},
      { type: "string" },
      { type: "integer", default: 3, description: "ends a comment */ here" },
      { type: ["string", "null"] },
      { enum: ["a", "b", null] },
      { const: 'a "quoted" word' },
      { $ref: "#/components/schemas/Record" },
      { type: "object" },
      { type: "object", additionalProperties: false },
    ),
    fc.record({ type: fc.constant("array"), items: tie("schema") }),
    fc.record({ anyOf: fc.array(tie("schema"), { minLength: 1, maxLength: 3 }) }),
    fc.record({ allOf: fc.array(tie("schema"), { minLength: 1, maxLength: 2 }) }),
    fc.record({
      type: fc.constant("object"),
      properties: fc.dictionary(fc.constantFrom("a", "b-c", "id", "9"), tie("schema")),
      required: fc.constant(["a"]),
      additionalProperties: fc.oneof(fc.boolean(), tie("schema")),
    }),
  ),
}));

function buildDocument(schemas: readonly Schema[]): OpenApi {
  const named = schemas.map((one, index) => [`S${index}`, one] as const);
  return {
    components: {
      schemas: {
        Record: { type: "object", properties: { host: { type: "string" } } },
        ...Object.fromEntries(named),
      },
    },
    paths: {},
  };
}

describe("sdkTypes", () => {
  it("returns the same text for the same document", async () => {
    const document = await committedDocument();
    assert.equal(sdkTypes(document), sdkTypes(structuredClone(document)));
  });

  it("writes every operation of the document into both tables", async () => {
    const document = await committedDocument();
    const text = sdkTypes(document);
    const ids = Object.values(document.paths).flatMap((item) =>
      Object.values(item).map(({ operationId }) => operationId),
    );
    assert.ok(ids.length > 10);
    for (const id of ids) {
      assert.match(text, new RegExp(`^  readonly ${id}: \\{$`, "m"));
      assert.match(text, new RegExp(`^  ${id}: \\{$`, "m"));
    }
  });

  it("writes an operation's input, its response and how it is called", () => {
    const text = sdkTypes({
      components: { schemas: {} },
      paths: {
        "/v1/things/{id}:fix": {
          post: {
            operationId: "post_things_id_fix",
            summary: "Fix it",
            parameters: [
              { name: "id", in: "path", required: true, schema: { type: "string" } },
              { name: "dry-run", in: "query", schema: { type: "boolean", default: false } },
              { name: "Idempotency-Key", in: "header", schema: { type: "string" } },
            ],
            requestBody: {
              required: true,
              content: {
                "application/json": { schema: { type: "array", items: { enum: [1, 2] } } },
              },
            },
            responses: { 200: {}, 201: {}, 400: { content: {} } },
          },
        },
      },
    });
    const squeezed = text.replaceAll(/\s+/g, " ");
    assert.match(squeezed, /\/\*\* `POST \/v1\/things\/\{id\}:fix`: Fix it \*\//);
    assert.match(squeezed, /readonly params: \{ readonly id: string; \};/);
    assert.match(
      squeezed,
      /readonly query\?: \{ \/\*\* .* \*\/ readonly "dry-run"\?: boolean; \};/,
    );
    assert.match(squeezed, /readonly body: readonly \(1 \| 2\)\[\]; readonly response: undefined;/);
    assert.match(
      squeezed,
      /method: "POST", path: "\/v1\/things\/\{id\}:fix", hasBody: true, isIdempotent: true,/,
    );
  });

  it("renames components that would shadow a global", () => {
    const text = sdkTypes({
      components: {
        schemas: {
          Error: { type: "object", properties: { of: { $ref: "#/components/schemas/Record" } } },
          Event: { type: "string" },
          Record: { type: "object", properties: {} },
        },
      },
      paths: {},
    });
    assert.match(text, /export interface ErrorBody \{\n {2}readonly of\?: DnsRecord;/);
    assert.match(text, /export type EventBody = string;/);
  });

  it("refuses two operations with one id, and a component that refers to itself", () => {
    const operation = { operationId: "get_x", responses: {} };
    const paths = { "/a": { get: operation }, "/b": { get: operation } };
    assert.throws(() => sdkTypes({ components: { schemas: {} }, paths }), /get_x/);
    const schemas = { Loop: { $ref: "#/components/schemas/Loop" } };
    assert.throws(() => sdkTypes({ components: { schemas }, paths: {} }), /Loop/);
  });

  it("exports the enum lists of a connection, and refuses a property that is not an enum", () => {
    const connection = (state: Schema): OpenApi => ({
      components: {
        schemas: {
          Connection: { type: "object", properties: { state, setup_type: { enum: ["api"] } } },
        },
      },
      paths: {},
    });
    assert.match(
      sdkTypes(connection({ enum: ["created", "live"] })),
      /export const connectionStates = \[\n {2}"created",\n {2}"live",\n\] as const;\n\nexport type ConnectionState = \(typeof connectionStates\)\[number\];\n/,
    );
    assert.throws(() => sdkTypes(connection({ type: "string" })), /Connection\.state/);
  });

  it("exports the event types of an endpoint, without the sign for all of them", () => {
    const events = { type: "array", items: { enum: ["domain.added", "*"] } };
    const schemas = { WebhookEndpoint: { type: "object", properties: { events } } };
    assert.match(
      sdkTypes({ components: { schemas }, paths: {} }),
      /export const eventTypes = \[\n {2}"domain\.added",\n\] as const;/,
    );
  });

  it("exports from the SDK the states, setup types and event types of the control plane", () => {
    assert.deepEqual(connectionStates, controlStates);
    assert.deepEqual(setupTypes, controlSetupTypes);
    assert.deepEqual(eventTypes, subscribableTypes);
  });

  it("preserves optional, nullable and free-form parts", () => {
    assert.equal(
      typeText({ type: "array", items: { type: ["string", "null"] } }),
      "readonly (string | null)[]",
    );
    assert.equal(typeText({ anyOf: [{ type: "integer" }, { type: "null" }] }), "number | null");
    assert.equal(
      typeText({ type: "object", additionalProperties: { type: "boolean" } }),
      "{ readonly [key: string]: boolean }",
    );
    assert.equal(typeText({ description: "anything" }), "unknown");
  });

  it("writes TypeScript that compiles for any schemas", async () => {
    const schemas = fc.sample(schema, { numRuns: 200, seed: 7 });
    const directory = await mkdtemp(path.join(tmpdir(), "mooring-types-"));
    try {
      const file = path.join(directory, "schema.gen.ts");
      await writeFile(file, sdkTypes(buildDocument(schemas)));
      const tsc = path.join(root, "node_modules/.bin/tsc");
      await exec(tsc, ["--noEmit", "--strict", "--ignoreConfig", "--types", "", file], {
        cwd: directory,
      });
    } finally {
      await rm(directory, { recursive: true, force: true });
    }
  });
});
