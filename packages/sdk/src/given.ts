/**
 * What plain JavaScript gave instead of the expected value, in words that show no value: it may be
 * a secret, and most often it is undefined, because an environment variable is not set.
 */
export function givenAs(value: unknown): string {
  if (value === undefined || value === null) return String(value);
  if (value === "") return "empty";
  if (Array.isArray(value)) return value.length === 0 ? "an empty list" : "a list";
  return typeof value === "object" ? "an object" : `a ${typeof value}`;
}
