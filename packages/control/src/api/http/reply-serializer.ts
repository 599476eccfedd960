import fastJsonStringify from "fast-json-stringify";
import { z } from "zod";
import { isObject } from "../../domain/json.ts";

export type ReplySerializer = (reply: unknown) => string;

const compiled = new WeakMap<z.ZodType, ReplySerializer>();

/**
 * Writes replies of a type. It shapes what we send and drops every field that the type does not
 * name, so that a secret on an object cannot slip into a reply. Compiled at the first reply, and
 * once for all servers of a process: those of all routes would be a third of a server's start.
 */
export function replySerializer(output: z.ZodType): ReplySerializer {
  return (reply) => compiledFor(output)(reply);
}

function compiledFor(output: z.ZodType): ReplySerializer {
  const known = compiled.get(output);
  if (known !== undefined) return known;
  const serialize: ReplySerializer = fastJsonStringify(replySchema(output));
  compiled.set(output, serialize);
  return serialize;
}

function replySchema(output: z.ZodType): fastJsonStringify.AnySchema {
  const schema = z.toJSONSchema(output, { io: "output", target: "draft-7" });
  return simplify(schema) as fastJsonStringify.AnySchema;
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
