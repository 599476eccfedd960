import { foreignText, isStorableText } from "@mooring/dns";

/**
 * The text of a jsonb column whose value holds what others wrote. What PostgreSQL would refuse there is
 * replaced, so that one value cannot stop the row's writes for ever.
 */
export function jsonColumn(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) =>
    typeof inner === "string" && !isStorableText(inner) ? foreignText(inner) : inner,
  );
}
