import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { z } from "zod";
import { subscribableTypes, testEventType } from "../../domain/webhooks/event.ts";
import { openApiDocument } from "../openapi/openapi.ts";
import { eventExample } from "../openapi/webhooks.ts";
import { EventBody, eventSchemas, WebhookEventBody } from "./events.ts";

const kinds = [...subscribableTypes, testEventType] as const;

/** The same schema, but nothing may be there that it does not name. */
function closed(schema: z.ZodType): z.ZodType {
  if (schema instanceof z.ZodObject) {
    const shape = Object.entries(schema.shape).map(([name, field]) => [
      name,
      closed(asType(field)),
    ]);
    return z.strictObject(Object.fromEntries(shape));
  }
  return schema;
}

/** What a shape holds are zod types; its own type says so only for a core type. */
function asType(field: unknown): z.ZodType {
  assert.ok(field instanceof z.ZodType);
  return field;
}

describe("the schemas of events", () => {
  it("are there for every kind, in the document too, each with its example", () => {
    assert.deepEqual(Object.keys(eventSchemas).sort(), [...kinds].sort());
    const { webhooks } = openApiDocument([]);
    assert.ok(typeof webhooks === "object" && webhooks !== null);
    assert.deepEqual(Object.keys(webhooks).sort(), [...kinds].sort());
  });

  for (const kind of kinds) {
    it(`of ${kind} name exactly the fields that the service writes`, () => {
      const example = eventExample(kind);
      closed(eventSchemas[kind]).parse(example);
      assert.deepEqual(WebhookEventBody.parse(example), example);
      const row = { ...WebhookEventBody.parse(example), customer_ref: "customer-42" };
      assert.deepEqual(EventBody.parse(row), row);
      for (const other of kinds.filter((one) => one !== kind)) {
        assert.equal(eventSchemas[other].safeParse(example).success, false, other);
      }
    });
  }
});
