/** A record that would have to make way for a template, as the provider told it. */
export interface TemplateConflict {
  readonly type: string;
  readonly host: string;
  readonly data: string;
}

const MOST = 100;
const LONGEST = 300;

/** The records in the body of a refused apply. A stranger wrote them: cut to a length, cleaned of controls. */
export function readConflicts(body: unknown): readonly TemplateConflict[] {
  const records = isObject(body) ? body["records"] : null;
  if (!Array.isArray(records)) return [];
  return records
    .filter(isObject)
    .slice(0, MOST)
    .map((record) => ({
      type: line(record["type"]),
      host: line(record["host"]),
      data: line(record["data"] ?? record["pointsTo"]),
    }));
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function line(value: unknown): string {
  if (typeof value !== "string" && typeof value !== "number") return "";
  return String(value)
    .replace(/[\p{Cc}\p{Cf}]/gu, " ")
    .slice(0, LONGEST);
}
