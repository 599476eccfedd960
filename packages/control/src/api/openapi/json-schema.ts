import { z } from "zod";
import { isObject } from "../../domain/json.ts";

/** JSON Schema for the OpenAPI document. */
export type JsonSchema = { readonly [key: string]: unknown };

/** The JSON Schema of a zod type, its named parts moved to the components. */
export function toSchema(
  type: z.ZodType,
  io: "input" | "output",
  components: Map<string, unknown>,
): JsonSchema {
  const json = z.toJSONSchema(type, { io, target: "draft-2020-12", unrepresentable: "any" });
  const { $schema: _schema, $defs, ...schema } = json;
  for (const [name, definition] of Object.entries($defs ?? {})) {
    components.set(name, withRefs(definition));
  }
  const id = type.meta()?.id;
  if (id === undefined) return withRefs(schema) as JsonSchema;
  // A root with an id comes back as a reference to its own definition, which is stored already.
  if (!(id in ($defs ?? {}))) components.set(id, withRefs(schema));
  return { $ref: `#/components/schemas/${id}` };
}

function withRefs(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(withRefs);
  if (!isObject(node)) return node;
  return Object.fromEntries(
    Object.entries(node).flatMap(([key, value]) => {
      if (key === "id" && typeof value === "string") return [];
      if (key === "$ref" && typeof value === "string") {
        return [[key, value.replace("#/$defs/", "#/components/schemas/")]];
      }
      return [[key, withRefs(value)]];
    }),
  );
}
