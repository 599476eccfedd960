import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import { eventSchemas } from "../events.ts";
import { openApiDocument } from "../openapi.ts";
import { routes } from "../routes.ts";

/** As much of an element as the page's drawing functions touch, with its text to look at. */
class TextElement {
  readonly tag: string;
  readonly attributes = new Map<string, string>();
  readonly children: unknown[] = [];
  readonly classList = { add: () => undefined };

  constructor(tag: string) {
    this.tag = tag;
  }

  setAttribute(name: string, value: string): void {
    this.attributes.set(name, value);
  }

  append(...children: readonly unknown[]): void {
    this.children.push(...children);
  }

  get text(): string {
    return this.children
      .map((child) => (child instanceof TextElement ? child.text : String(child)))
      .join(this.tag === "tr" || this.tag === "ul" ? " | " : "");
  }

  all(tag: string): readonly TextElement[] {
    const below = this.children.flatMap((child) =>
      child instanceof TextElement ? child.all(tag) : [],
    );
    return this.tag === tag ? [this, ...below] : below;
  }
}

interface Entry {
  readonly id: string;
  readonly method: string;
  readonly path: string;
}

interface PageModule {
  operationsOf(api: unknown): readonly Entry[];
  operationSection(api: unknown, entry: Entry): TextElement;
}

interface EventModule {
  eventsOf(api: unknown): readonly { readonly type: string }[];
  eventHeaders(api: unknown): TextElement;
  eventSection(api: unknown, entry: { readonly type: string }): TextElement;
}

/** The page's own module, which speaks JavaScript; its two functions are used as declared above. */
async function loadPage(): Promise<PageModule> {
  const document = {
    createElement: (tag: string) => new TextElement(tag),
    baseURI: "https://api.example/docs",
  };
  Object.assign(globalThis, { document });
  return (await import("../../../assets/docs/operation.js" as string)) as PageModule;
}

describe("the reference's page", () => {
  let page: PageModule;
  before(async () => {
    page = await loadPage();
  });

  function drawn(api: object): readonly TextElement[] {
    return page.operationsOf(api).map((entry) => page.operationSection(api, entry));
  }

  function one(operation: object, schemas: object = {}): TextElement {
    const paths = { "/v1/things/{id}:fix": { post: { operationId: "fix", ...operation } } };
    const [section] = drawn({ paths, components: { schemas }, servers: [{ url: "/" }] });
    assert.ok(section);
    return section;
  }

  const json = (schema: object) => ({ content: { "application/json": { schema } } });

  it("draws every operation of the API with its path, errors and an example, all as text", () => {
    const api: object = openApiDocument(routes);
    const sections = drawn(api);
    assert.equal(sections.length, routes.length);
    for (const [index, section] of sections.entries()) {
      const { text } = section;
      const path = page.operationsOf(api)[index]?.path ?? "";
      assert.ok(text.includes(path), text);
      assert.match(text, /Scope [a-z]+:[a-z]+|Any API key/);
      assert.match(text, /401 \| unauthorized/);
      assert.match(text, /curl .*"https:\/\/api\.example\/v1\//);
      assert.doesNotMatch(text, /\[object|undefined|NaN|Scope: /);
    }
  });

  it("draws every kind of event with its fields and an example, and the headers once", async () => {
    const api: object = openApiDocument(routes);
    const module = (await import("../../../assets/docs/event.js" as string)) as EventModule;
    assert.match(module.eventHeaders(api).text, /X-Svc-Signature.*sha256=/);
    const kinds = module.eventsOf(api);
    assert.deepEqual(
      kinds.map(({ type }) => type),
      Object.keys(eventSchemas),
    );
    for (const kind of kinds) {
      const section = module.eventSection(api, kind);
      const rows = section.all("tr").map((row) => row.text);
      assert.ok(rows.some((row) => row.startsWith("data.connection")));
      assert.match(section.all("pre")[0]?.text ?? "", new RegExp(`"type": "${kind.type}"`));
      assert.doesNotMatch(section.text, /\[object|undefined|NaN/);
    }
  });

  it("shows nested fields by their path, what must be sent, values, defaults and bounds", () => {
    const section = one(
      {
        requestBody: json({
          type: "object",
          required: ["name"],
          properties: {
            name: { type: "string", minLength: 1, maxLength: 9, description: "What `it` is" },
            mode: { type: "string", enum: ["a", "b"], default: "a" },
            list: {
              type: "array",
              items: { anyOf: [{ $ref: "#/components/schemas/Part" }, { type: "null" }] },
            },
          },
        }),
        responses: { 200: json({ $ref: "#/components/schemas/Part" }), 204: {} },
      },
      {
        Part: { type: "object", required: ["x"], properties: { x: { type: ["integer", "null"] } } },
      },
    );
    const rows = section.all("tr").map((row) => row.text);
    assert.ok(
      rows.includes("namerequired | string | What it is1 to 9 characters"),
      rows.join("\n"),
    );
    assert.ok(rows.includes("mode | string | One of a, bDefault a"));
    assert.ok(rows.includes("list | array of Part or null | "));
    assert.ok(rows.includes("list[].xrequired | integer or null | "));
    assert.ok(rows.includes("x | integer or null | "));
    assert.match(section.text, /Response 204: no body/);
  });

  it("ends on schemas that hold themselves", () => {
    const self = { $ref: "#/components/schemas/Tree" };
    const section = one(
      { requestBody: json(self), responses: { 200: json({ $ref: "#/components/schemas/Loop" }) } },
      {
        Tree: {
          type: "object",
          required: ["up", "all"],
          properties: { up: self, all: { type: "array", items: self } },
        },
        Loop: { $ref: "#/components/schemas/Loop" },
      },
    );
    assert.match(section.text, /up/);
  });

  it("writes an example that a shell takes as it is", () => {
    const section = one({
      parameters: [
        { name: "id", in: "path", required: true, schema: { type: "string" } },
        { name: "since", in: "query", required: true, schema: { type: "string" } },
        { name: "limit", in: "query", schema: { type: "integer" } },
        { name: "Idempotency-Key", in: "header", schema: { type: "string" } },
      ],
      requestBody: json({
        type: "object",
        required: ["word", "hostname", "count"],
        properties: {
          word: { const: "it's" },
          hostname: { type: "string" },
          count: { type: "integer", minimum: 3 },
          more: { type: "string" },
        },
      }),
      responses: {},
    });
    const example = section.all("pre")[0]?.text;
    assert.equal(
      example,
      [
        `curl -X POST "https://api.example/v1/things/\${id}:fix?since=\${since}" \\`,
        '  -H "Authorization: Bearer $MOORING_KEY" \\',
        '  -H "Idempotency-Key: $(uuidgen)" \\',
        '  -H "Content-Type: application/json" \\',
        "  -d '{",
        `  "word": "it'\\''s",`,
        '  "hostname": "shop.example.com",',
        '  "count": 3',
        "}'",
      ].join("\n"),
    );
  });
});
