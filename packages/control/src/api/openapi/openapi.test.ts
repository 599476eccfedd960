import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { z } from "zod";
import { replySerializer } from "../http/reply-serializer.ts";
import { routes } from "../routes.ts";
import { openApiDocument } from "./openapi.ts";
import { requestExamples } from "./requests.ts";

const Content = z.object({
  "application/json": z
    .object({
      example: z.unknown().optional(),
      examples: z.record(z.string(), z.object({ $ref: z.string() })).optional(),
    })
    .optional(),
});
const Operation = z.object({
  operationId: z.string(),
  tags: z.array(z.string()),
  requestBody: z.object({ content: Content }).optional(),
  responses: z.record(z.string(), z.object({ content: Content.optional() })),
});
const Document = z.object({
  tags: z.array(z.object({ name: z.string(), description: z.string().min(20) })),
  paths: z.record(z.string(), z.record(z.string(), Operation)),
  components: z.object({ examples: z.record(z.string(), z.object({ value: z.unknown() })) }),
});

describe("the OpenAPI document", () => {
  const document = Document.parse(openApiDocument(routes));
  const findOperation = (path: string, method: string) => {
    const operation = document.paths[path]?.[method.toLowerCase()];
    assert.ok(operation, `${method} ${path}`);
    return operation;
  };

  it("describes the tag of every operation", () => {
    const described = document.tags.map(({ name }) => name);
    for (const route of routes) assert.ok(described.includes(route.tag), route.tag);
  });

  it("has an example of every request, which the schema that validates accepts", () => {
    for (const { method, path, body } of routes) {
      if (body === null) continue;
      const { operationId, requestBody } = findOperation(path, method);
      const example = requestBody?.content["application/json"]?.example;
      const parsed = body.safeParse(example);
      assert.ok(parsed.success, `${operationId}: ${parsed.error} ${JSON.stringify(example)}`);
    }
  });

  it("has an example of every response, which the schema of the reply accepts and writes whole", () => {
    let count = 0;
    for (const { method, path, output, statuses, stream } of routes) {
      if (output === null || stream) continue;
      const { operationId, responses } = findOperation(path, method);
      const example = responses[String(statuses[0])]?.content?.["application/json"]?.example;
      const parsed = output.safeParse(example);
      assert.ok(parsed.success, `${operationId}: ${parsed.error} ${JSON.stringify(example)}`);
      assert.deepEqual(JSON.parse(replySerializer(output)(example)), example, operationId);
      count += 1;
    }
    assert.ok(count > 60, `${count} responses`);
  });

  it("has the example of every error that an operation names", () => {
    for (const { responses } of Object.values(document.paths).flatMap((one) =>
      Object.values(one),
    )) {
      const failures = Object.entries(responses).filter(([status]) => status >= "4");
      for (const [, { content }] of failures) {
        const named = Object.values(content?.["application/json"]?.examples ?? {});
        assert.ok(named.length > 0);
        for (const { $ref } of named) {
          assert.ok(document.components.examples[$ref.split("/").at(-1) ?? ""], $ref);
        }
      }
    }
  });

  it("has no example of an operation that is gone", () => {
    const known = Object.values(document.paths)
      .flatMap((one) => Object.values(one))
      .map(({ operationId }) => operationId);
    assert.deepEqual(
      Object.keys(requestExamples).filter((id) => !known.includes(id)),
      [],
    );
  });
});
