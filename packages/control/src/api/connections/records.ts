import { conflictKinds, type RecordCheck } from "@mooring/dns";
import { z } from "zod";
import { toDesired } from "../../domain/records/desired-records.ts";
import { boundRecords } from "../../domain/records/observed-records.ts";
import { getConnection } from "../../services/connections/read.ts";
import { type CheckedRecords, checkConnectionRecords } from "../../services/connections/verify.ts";
import { applyWithPartner } from "../../services/dns-write/apply-pair.ts";
import type { PlanResult } from "../../services/dns-write/apply-records.ts";
import { revertRecords } from "../../services/dns-write/revert-records.ts";
import { ApplyRecords, RevertRecords } from "../../services/dns-write/schemas.ts";
import { defineRoute, IdParams, RecordBody, Time, time, timeOrNull } from "../http/route.ts";

const RecordCheckBody = z
  .object({
    ...RecordBody.shape,
    propagated: z.boolean(),
    observed_value: z.string().nullable().describe("The value found now; null when there is none"),
    observed_truncated: z.boolean().describe("More was found than `observed_value` shows"),
  })
  .meta({ id: "RecordCheck" });

function recordCheckBody(check: RecordCheck): z.input<typeof RecordCheckBody> {
  const { name, type, value, ttl, priority } = check.record;
  const propagated = check.outcome === "match";
  const found = check.observedValues.length > 0 ? check.observedValues.join(", ") : null;
  return {
    host: name,
    type,
    value,
    ttl,
    priority,
    propagated,
    observed_value: propagated ? value : found,
    observed_truncated: !propagated && check.isTruncated,
  };
}

/** The same for the TXT record that proves ownership. */
function proofBody(proof: CheckedRecords["proof"]): z.input<typeof RecordCheckBody> | null {
  if (proof === null) return null;
  const { record, outcome, observed, isTruncated = false } = proof;
  const propagated = outcome === "match";
  const others = observed.filter((value) => value !== record.value);
  const found = others.length > 0 ? others.join(", ") : null;
  return {
    ...toDesired(record),
    propagated,
    observed_value: propagated ? record.value : found,
    observed_truncated: !propagated && isTruncated,
  };
}

export const checkRecordsRoute = defineRoute({
  method: "POST",
  path: "/v1/connections/{id}/records:check",
  tag: "Connections",
  summary: "Check each desired record now",
  description: "With a widget token the ownership record is checked too.",
  scopes: ["connections:write"],
  role: "support",
  widget: true,
  readConnection: getConnection,
  timeoutMs: 15_000,
  params: IdParams,
  query: z.strictObject({
    added: z
      .enum(["true", "false"])
      .optional()
      .describe("`true`: the customer says that the records were added; noted the first time"),
  }),
  output: z.object({
    records: z.array(RecordCheckBody),
    ownership: RecordCheckBody.nullable().describe(
      "With a widget token: the TXT record that is to prove ownership; null where another one does",
    ),
    early: z
      .boolean()
      .describe(
        "Nobody has said that the records were added, and they were shown less than five minutes ago: one that is not there is no fault",
      ),
    checked_at: Time,
    next_check_at: Time.nullable().describe("When the service checks by itself; null: it does not"),
  }),
  statuses: [200],
  errors: ["conflict"],
  run: (ctx, { params, query }) =>
    checkConnectionRecords(ctx, params.id, { isAdded: query.added === "true" }),
  reply: ({ records, proof, isEarly, checkedAt, nextCheckAt }) => ({
    records: records.map(recordCheckBody),
    ownership: proofBody(proof),
    early: isEarly,
    checked_at: time(checkedAt),
    next_check_at: timeOrNull(nextCheckAt),
  }),
});

export const ChangeBody = z
  .object({
    id: z
      .string()
      .describe("To be given in `replace`; identifies exactly these `existing` records"),
    action: z
      .enum(["create", "update", "keep", "conflict", "delete"])
      .describe("`delete` occurs in a revert only"),
    record: RecordBody,
    existing: z.array(RecordBody).describe("What the change removes, or what conflicts with it"),
    reason: z.string(),
    conflict: z
      .enum(conflictKinds)
      .nullable()
      .describe("The kind of a conflict, for a text of your own; null for other changes"),
    replaceable: z
      .boolean()
      .describe(
        "A conflict that its id in `replace` resolves; one that is not cannot be resolved by consent, and `reason` says why",
      ),
  })
  .meta({ id: "RecordChange" });

export const RecordPlanBody = z
  .object({
    dry_run: z.boolean(),
    applied: z.boolean().describe("The zone is now as the plan says"),
    provider: z.string(),
    zone: z.string(),
    changes: z.array(ChangeBody),
    notes: z.array(z.string()),
  })
  .meta({ id: "RecordPlan" });

export function changeBody(change: PlanResult["changes"][number]): z.input<typeof ChangeBody> {
  return {
    id: change.id,
    action: change.action,
    record: toDesired(change.record),
    existing: boundRecords(change.existing.map(toDesired)),
    reason: change.reason,
    conflict: change.conflict ?? null,
    replaceable: change.replaceable,
  };
}

export function recordPlanBody(plan: PlanResult): z.input<typeof RecordPlanBody> {
  return {
    dry_run: plan.dryRun,
    applied: plan.applied,
    provider: plan.provider,
    zone: plan.zone,
    changes: plan.changes.map(changeBody),
    notes: [...plan.notes],
  };
}

export const applyRecordsRoute = defineRoute({
  method: "POST",
  path: "/v1/connections/{id}/records:apply",
  tag: "Connections",
  summary: "Write the records at the DNS provider",
  description:
    "With a stored credential, or with one that is given here, used once and not stored. All or nothing: while the plan has a conflict, nothing is written. What this service did not create is replaced only where its change is named in `replace`.",
  scopes: ["connections:write"],
  role: "developer",
  widget: true,
  timeoutMs: 30_000,
  params: IdParams,
  body: ApplyRecords,
  output: RecordPlanBody,
  statuses: [200],
  errors: ["conflict", "provider_error"],
  run: (ctx, { params, body }) => applyWithPartner(ctx, params.id, body),
  reply: recordPlanBody,
});

export const revertRecordsRoute = defineRoute({
  method: "POST",
  path: "/v1/connections/{id}/records:revert",
  tag: "Connections",
  summary: "Put the zone back to what it was",
  description:
    "Removes the records that this service wrote for the connection and restores those that it replaced. What others have put there since is left alone and named.",
  scopes: ["connections:write"],
  role: "developer",
  timeoutMs: 30_000,
  params: IdParams,
  body: RevertRecords,
  output: RecordPlanBody,
  statuses: [200],
  errors: ["conflict", "provider_error"],
  run: (ctx, { params, body }) => revertRecords(ctx, params.id, body),
  reply: recordPlanBody,
});
