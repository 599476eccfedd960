import { readBody } from "../independent/sent-body.ts";

/** The values of answers by path; entries of lists, and numbered keys, are `*`: "records.*.ttl". */
export type Values = ReadonlyMap<string, ReadonlySet<string | number | boolean | null>>;

/** JSON, or XML as objects and lists. */
export function readValues(texts: readonly string[]): Values {
  const values = new Map<string, Set<string | number | boolean | null>>();
  const walk = (value: unknown, path: readonly string[]): void => {
    if (typeof value === "object" && value !== null) {
      const isList = Array.isArray(value);
      for (const [key, one] of Object.entries(value)) {
        walk(one, [...path, isList || /^\d+$/.test(key) ? "*" : key]);
      }
      return;
    }
    const at = path.join(".");
    const found = values.get(at) ?? new Set();
    values.set(at, found.add(value as string | number | boolean | null));
  };
  for (const text of texts) {
    const isXml = text.trimStart().startsWith("<");
    // Spaces around the text of an element are layout.
    const read = isXml
      ? readBody(
          text.replace(/>\s+|\s+</g, (s) => s.trim()),
          "text/xml",
          "xml",
        )
      : JSON.parse(text);
    walk(read, []);
  }
  return values;
}

/** Keys, times and counts, which belong to one zone at one time. */
const individual =
  /^\*$|(?:^|\.)\w*(?:id|hash|href|serial|version|etag|date|count|total\w*|pages?|size|entries|created\w*|updated\w*|slug|creator|ip)(?:\.\*)?$/i;

/**
 * In what the simulator's answers contradict the recorded ones: a value of another type, or a text
 * or number that was not recorded, at a path that was. The zone is the same.
 */
export function contradictions(simulated: Values, recorded: Values): readonly string[] {
  return [...simulated].flatMap(([path, values]) => {
    const known = recorded.get(path);
    if (known === undefined) return [];
    const types = new Set([...known].map(typeName));
    const others = [...values].filter((value) => !types.has(typeName(value)));
    if (others.length > 0) {
      return [`${path} is a ${typeName(others[0])}, recorded as ${[...types].join(", ")}`];
    }
    const strange = individual.test(path) ? [] : [...values].filter((value) => !known.has(value));
    return strange.map((value) => `${path} is ${JSON.stringify(value)}, which was not recorded`);
  });
}

function typeName(value: unknown): string {
  return value === null ? "null" : typeof value;
}
