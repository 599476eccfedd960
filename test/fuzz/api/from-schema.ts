import fc from "fast-check";
import { hostileText, hostileValues } from "./hostile-text.ts";
import { referencesFor } from "./references.ts";

type Schema = Readonly<Record<string, unknown>>;

const sampleNames: readonly string[] = [
  "shop.test",
  "www.acme.test",
  "example.com",
  "shop.example",
];

/** Text by the name of its field: ids and hostnames of every tenant, or what the schema allows. */
function arbitraryText(schema: Schema, name: string): fc.Arbitrary<unknown> {
  const options = schema["enum"];
  if (Array.isArray(options)) return fc.constantFrom(...options);
  const known = referencesFor(name);
  if (known.length > 0) return fc.constantFrom(...known);
  if (schema["format"] === "date-time") {
    return fc.constantFrom("2026-11-15T00:00:00Z", "2026-01-01T00:00:00.000Z");
  }
  const minLength = Math.min(Number(schema["minLength"] ?? 0), 64);
  const maxLength = Math.max(minLength, Math.min(Number(schema["maxLength"] ?? 24), 24));
  return fc.oneof(
    fc.string({ minLength, maxLength, unit: "grapheme" }),
    fc.constantFrom("@canary", "sandbox", "www", "TXT", ...sampleNames),
  );
}

function arbitraryNumber(schema: Schema): fc.Arbitrary<unknown> {
  const min = Math.max(Number(schema["minimum"] ?? 0), -(2 ** 31));
  const max = Math.min(Number(schema["maximum"] ?? 1_000), 2 ** 31);
  return fc.integer({ min: Math.min(min, max), max: Math.max(min, max) });
}

function arbitraryObject(schema: Schema, resolve: Resolve): fc.Arbitrary<unknown> {
  const properties = asSchema(schema["properties"]);
  const required = Array.isArray(schema["required"]) ? schema["required"].map(String) : [];
  const fields = Object.fromEntries(
    Object.entries(properties).map(([name, one]) => [name, matching(asSchema(one), resolve, name)]),
  );
  if (Object.keys(fields).length > 0) return fc.record(fields, { requiredKeys: required });
  const names = fc.constantFrom("token", "sandbox", "key", "secret", "zone");
  return fc.dictionary(names, fc.constantFrom("sandbox", "@canary", "x"), { maxKeys: 3 });
}

/** Finds the schema that a `$ref` names. */
export type Resolve = (ref: string) => Schema;

/** A value that the JSON Schema allows, or nearly. */
export function matching(schema: Schema, resolve: Resolve, name: string): fc.Arbitrary<unknown> {
  if (typeof schema["$ref"] === "string") return matching(resolve(schema["$ref"]), resolve, name);
  const options = schema["anyOf"];
  if (Array.isArray(options)) {
    return fc.oneof(...options.map((one) => matching(asSchema(one), resolve, name)));
  }
  switch (schema["type"]) {
    case "object":
      return arbitraryObject(schema, resolve);
    case "array":
      return fc.array(matching(asSchema(schema["items"]), resolve, name), {
        minLength: Math.min(Number(schema["minItems"] ?? 0), 3),
        maxLength: 3,
      });
    case "integer":
    case "number":
      return arbitraryNumber(schema);
    case "boolean":
      return fc.boolean();
    case "null":
      return fc.constant(null);
    default:
      return arbitraryText(schema, name);
  }
}

/** One change to a value: somewhere in it, something hostile, something less or something more. */
export interface Spoiling {
  readonly location: number;
  readonly kind: "text" | "value" | "remove" | "add";
  readonly which: number;
}

export const spoilings: fc.Arbitrary<Spoiling> = fc.record({
  location: fc.nat(20),
  kind: fc.constantFrom("text", "text", "value", "remove", "add"),
  which: fc.nat(1_000),
});

export function spoil(value: unknown, spoiling: Spoiling): unknown {
  const locations = locationsIn(value);
  const at = locations[spoiling.location % locations.length] ?? [];
  return changed(value, at, spoiling);
}

type Location = readonly (string | number)[];

function locationsIn(value: unknown): Location[] {
  if (typeof value !== "object" || value === null) return [[]];
  const inner = Object.entries(value).flatMap(([key, one]) =>
    locationsIn(one).map((rest): Location => [key, ...rest]),
  );
  return [[], ...inner];
}

function changed(value: unknown, at: Location, spoiling: Spoiling): unknown {
  const [first, ...rest] = at;
  if (first === undefined) return replaced(value, spoiling);
  const entries = Object.entries(value as object);
  const next = entries.flatMap(([key, one]): [string, unknown][] => {
    if (key !== String(first)) return [[key, one]];
    if (rest.length === 0 && spoiling.kind === "remove") return [];
    return [[key, changed(one, rest, spoiling)]];
  });
  return Array.isArray(value) ? next.map(([, one]) => one) : Object.fromEntries(next);
}

function replaced(value: unknown, { kind, which }: Spoiling): unknown {
  if (kind === "add" && typeof value === "object" && value !== null && !Array.isArray(value)) {
    return { ...value, [hostileText[which % hostileText.length] ?? "x"]: "added" };
  }
  return kind === "text"
    ? hostileText[which % hostileText.length]
    : hostileValues[which % hostileValues.length];
}

function asSchema(value: unknown): Schema {
  return typeof value === "object" && value !== null
    ? Object.fromEntries(Object.entries(value))
    : {};
}
