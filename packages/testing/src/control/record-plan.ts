import assert from "node:assert/strict";
import { z } from "zod";
import { type Answer, call } from "./http.ts";

const RecordShape = z.object({
  host: z.string(),
  type: z.string(),
  value: z.string(),
  ttl: z.number(),
  priority: z.number().nullable(),
});

const PlanShape = z.strictObject({
  dry_run: z.boolean(),
  applied: z.boolean(),
  provider: z.string(),
  zone: z.string(),
  changes: z.array(
    z.strictObject({
      id: z.string(),
      action: z.enum(["create", "update", "keep", "conflict", "delete"]),
      record: RecordShape,
      existing: z.array(RecordShape),
      reason: z.string(),
      conflict: z.string().nullable(),
      replaceable: z.boolean(),
    }),
  ),
  notes: z.array(z.string()),
});
export type PlanAnswer = z.infer<typeof PlanShape>;

/** The reply of records:apply or records:revert, checked against its exact shape. */
export function planIn(answer: Answer): PlanAnswer {
  assert.equal(answer.status, 200, answer.text);
  return PlanShape.parse(answer.json());
}

/** `action host type value` of each change. */
export function planLines({ changes }: PlanAnswer): string[] {
  return changes.map(
    ({ action, record }) => `${action} ${record.host} ${record.type} ${record.value}`,
  );
}

/** Calls the two routes with one key. */
export function recordRoutes(base: string, key: string) {
  const post = (id: string, verb: string, body: unknown) =>
    call(base, `/v1/connections/${id}/records:${verb}`, { key, body });
  return {
    apply: (id: string, body: object = {}) => post(id, "apply", body),
    revert: (id: string, body: object = {}) => post(id, "revert", body),
  };
}

export interface ZoneRecord {
  readonly host: string;
  readonly type: string;
  readonly value: string;
  readonly ttl?: number;
  readonly priority?: number | null;
}

/** The sandbox zone's records, sorted, in the form in which they were put. */
export async function zoneRecords(base: string, key: string, zone: string): Promise<ZoneRecord[]> {
  const answer = await call(base, `/v1/sandbox/zones/${zone}/records`, { key });
  assert.equal(answer.status, 200, answer.text);
  const { records } = z.object({ records: z.array(RecordShape) }).parse(answer.json());
  return records.toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
}
