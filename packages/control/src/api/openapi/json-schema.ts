import { z } from "zod";
import { isObject } from "../../domain/json.ts";

/** JSON Schema for the serialiser and for the OpenAPI document. */
export type JsonSchema = { readonly [key: string]: unknown };

/**
 * A reply's schema for the compiled serialiser. It shapes what we send and drops every field that
 * the schema does not name, so that a secret on an object cannot slip into a reply.
 */
export function replySchema(output: z.ZodType): JsonSchema {
  const schema = z.toJSONSchema(output, { io: "output", target: "draft-7" });
  return simplify(schema) as JsonSchema;
}

/**
 * `anyOf [X, null]` becomes a nullable X: the serialiser would validate each branch at run time.
 */
function simplify(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(simplify);
  if (!isObject(node)) return node;
  const { $schema: _schema, id: _id, ...rest } = node;
  const options = rest["anyOf"];
  if (Array.isArray(options) && options.length === 2 && isNull(options[1])) {
    const { anyOf: _anyOf, ...others } = rest;
    return { ...others, ...nullable(simplify(options[0])) };
  }
  return Object.fromEntries(
    Object.entries(rest).map(([key, value]) => [
      key,
      // Property names are data: a property called "id" is not the schema's id.
      key === "properties" ? mapValues(value, simplify) : simplify(value),
    ]),
  );
}

function nullable(schema: unknown): object {
  return { ...(isObject(schema) ? schema : {}), nullable: true };
}

function isNull(node: unknown): boolean {
  return isObject(node) && node["type"] === "null";
}

function mapValues(value: unknown, change: (child: unknown) => unknown): unknown {
  return Object.fromEntries(
    Object.entries(value ?? {}).map(([key, child]) => [key, change(child)]),
  );
}

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
