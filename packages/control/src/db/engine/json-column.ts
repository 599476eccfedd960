import { foreignText, isStorableText } from "@mooring/dns";

/**
 * No row may cost its readers more than this. What others determine the size of is bounded before.
 */
const maxBytes = 262_144;

/**
 * The text of a jsonb column whose value holds what others wrote. What PostgreSQL would refuse
 * there is replaced, so that one value cannot stop the row's writes for ever. Throws when it is
 * longer than 256 KiB.
 */
export function jsonColumn(value: unknown): string {
  const text = JSON.stringify(value, (_key, inner: unknown) =>
    typeof inner === "string" && !isStorableText(inner) ? foreignText(inner) : inner,
  );
  const bytes = Buffer.byteLength(text);
  if (bytes > maxBytes) throw new RangeError(`a JSON column may not hold ${bytes} bytes`);
  return text;
}
