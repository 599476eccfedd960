import { z } from "zod";
import type { JsonSchema } from "./reply-schema.ts";

/** The JSON Schema of a zod type, its named parts moved to the components. */
export function schemaOf(
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
  // A root with an id comes back as a reference to its own definition, which is kept already.
  if (!(id in ($defs ?? {}))) components.set(id, withRefs(schema));
  return { $ref: `#/components/schemas/${id}` };
}

function withRefs(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(withRefs);
  if (typeof node !== "object" || node === null) return node;
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
