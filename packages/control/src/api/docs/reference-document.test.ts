import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import { openApiDocument } from "../openapi/openapi.ts";
import { routes } from "../routes.ts";

interface Sampled {
  readonly operationId: string;
  readonly "x-codeSamples": readonly { readonly source: string }[];
}

interface ReferenceDocument {
  readonly info: { readonly description: string };
  readonly servers: readonly { readonly url: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Sampled>>>>;
}

interface BrowserModule {
  referenceDocument(api: object, base: string): ReferenceDocument;
  makeExample(api: object, schema: object): unknown;
}

/** The page's script is JavaScript; its exports are used as declared above. */
async function loadModule(): Promise<BrowserModule> {
  return (await import("../../../assets/docs/reference-document.js" as string)) as BrowserModule;
}

describe("the document that the reference shows", () => {
  let script: BrowserModule;
  before(async () => {
    script = await loadModule();
  });

  function renderSample(operation: object): string {
    const paths = { "/v1/things/{id}:fix": { post: { operationId: "fix", ...operation } } };
    const shown = script.referenceDocument({ paths }, "https://api.example/");
    return shown.paths["/v1/things/{id}:fix"]?.["post"]?.["x-codeSamples"][0]?.source ?? "";
  }

  it("has every operation of the API with a call of the SDK", () => {
    const shown = script.referenceDocument(openApiDocument(routes), "https://api.example/");
    for (const { method, path } of routes) {
      const operation = shown.paths[path]?.[method.toLowerCase()];
      assert.ok(operation, `${method} ${path}`);
      const source = operation["x-codeSamples"][0]?.source ?? "";
      assert.ok(source.includes(`mooring.call("${operation.operationId}", {`), source);
      assert.doesNotMatch(source, /\[object|undefined|NaN/);
    }
  });

  it("has the introduction, this server with its path, and leaves the given document alone", () => {
    const api = { info: { title: "Mooring", description: "One API." }, paths: {} };
    const copy = structuredClone(api);
    const shown = script.referenceDocument(api, "https://example.com/domains/");
    assert.deepEqual(shown.servers, [{ url: "https://example.com/domains" }]);
    assert.match(shown.info.description, /^One API\.[\s\S]*## Authentication/);
    assert.ok(shown.info.description.includes("](https://example.com/domains/docs/index)"));
    assert.deepEqual(api, copy);
  });

  it("writes a call with path parameters, what is required, and nothing else", () => {
    const sample = renderSample({
      parameters: [
        { name: "id", in: "path", required: true, schema: { type: "string" } },
        { name: "since", in: "query", required: true, schema: { const: "today" } },
        { name: "limit", in: "query", schema: { type: "integer" } },
        { name: "Idempotency-Key", in: "header", schema: { type: "string" } },
      ],
      requestBody: {
        content: {
          "application/json": {
            schema: {
              type: "object",
              required: ["word", "hostname", "count"],
              properties: {
                word: { const: "it's" },
                hostname: { type: "string" },
                count: { type: "integer", minimum: 3 },
                more: { type: "string" },
              },
            },
          },
        },
      },
    });
    assert.equal(
      sample,
      [
        'await mooring.call("fix", {',
        "  params: { id },",
        "  query: {",
        '    since: "today"',
        "  },",
        "  body: {",
        `    word: "it's",`,
        '    hostname: "shop.example.com",',
        "    count: 3",
        "  },",
        "});",
      ].join("\n"),
    );
    assert.equal(renderSample({}), 'await mooring.call("fix", {});');
  });

  it("ends on schemas that contain themselves", () => {
    const self = { $ref: "#/components/schemas/Tree" };
    const api = {
      components: {
        schemas: {
          Tree: {
            type: "object",
            required: ["up", "all"],
            properties: { up: self, all: { type: "array", items: self } },
          },
          Loop: { $ref: "#/components/schemas/Loop" },
        },
      },
    };
    assert.ok(Object(script.makeExample(api, self)).up);
    assert.equal(script.makeExample(api, { $ref: "#/components/schemas/Loop" }), null);
  });
});
