import { sql } from "kysely";
import type { Environment, TenantScope } from "../../../domain/tenancy.ts";
import type { Tx } from "../../engine/transaction.ts";
import { fetchPage, type Page, type PageRequest } from "../page.ts";

export interface AuditRow {
  readonly id: string;
  readonly at: Date;
  /** `kind:id`, or a word for what has no id. */
  readonly actor: string;
  readonly actorName: string | null;
  readonly environment: Environment | null;
  readonly action: string;
  /** `noun:id` */
  readonly subject: string;
  /** As people call what was acted on; null where it has no name, or is gone. */
  readonly subjectName: string | null;
  readonly requestId: string | null;
  readonly address: string | null;
  readonly details: object;
}

export interface AuditFilter {
  readonly action: string | null;
  /** Exactly this `noun:id`. */
  readonly subject: string | null;
  /** Exactly this `kind:id`. */
  readonly actor: string | null;
  readonly actorKind: "member" | "key" | "token" | "operator" | null;
  readonly since: Date | null;
  readonly until: Date | null;
}

/** Rows of the environment and of the tenant as a whole. */
export async function pageAudit(
  tx: Tx,
  scope: TenantScope,
  filter: AuditFilter,
  page: PageRequest,
): Promise<Page<AuditRow>> {
  let inner = tx
    .selectFrom("audit_log")
    .select(["id", "at as created_at", "actor", "environment", "action", "subject", "request_id"])
    .select(["address", "details"])
    .select(nameOfActor)
    .select(nameOfSubject)
    .where("tenant_id", "=", scope.tenantId)
    .where((eb) =>
      eb.or([eb("environment", "is", null), eb("environment", "=", scope.environment)]),
    );
  if (filter.action !== null) inner = inner.where("action", "=", filter.action);
  if (filter.subject !== null) inner = inner.where("subject", "=", filter.subject);
  if (filter.actor !== null) inner = inner.where("actor", "=", filter.actor);
  if (filter.actorKind !== null) {
    inner = inner.where(sql<string>`split_part(actor, ':', 1)`, "in", [
      ...labels[filter.actorKind],
    ]);
  }
  if (filter.since !== null) inner = inner.where("at", ">=", filter.since);
  if (filter.until !== null) inner = inner.where("at", "<", filter.until);
  return fetchPage(tx.selectFrom(inner.as("listed")).selectAll(), page, (row) => ({
    id: row.id,
    at: row.created_at,
    actor: row.actor,
    actorName: row.actor_name,
    environment: row.environment,
    action: row.action,
    subject: row.subject,
    subjectName: row.subject_name,
    requestId: row.request_id,
    address: row.address,
    details: row.details,
  }));
}

/**
 * Keys are never deleted, so that their names are found; those of members are stored with the row.
 */
export const nameOfActor = sql<string | null>`coalesce(actor_name, case when actor like 'key:%' then
    (select k.name from api_keys k where k.id = substr(actor, 5)::uuid) end)`.as("actor_name");

/** How a row names each kind of caller. */
const labels = {
  member: ["member", "session"],
  key: ["key"],
  token: ["widget"],
  operator: ["operator"],
} as const;

const subjectId = sql`split_part(subject, ':', 2)::uuid`;

const nameOfSubject = sql<string | null>`case split_part(subject, ':', 1)
    when 'connection' then (select c.hostname from connections c where c.id = ${subjectId})
    when 'application' then (select a.name from applications a where a.id = ${subjectId})
    when 'api_key' then (select k.name from api_keys k where k.id = ${subjectId})
    when 'member' then (select coalesce(m.name, m.email) from members m where m.id = ${subjectId})
    when 'credential' then (select d.name from credentials d where d.id = ${subjectId})
    when 'webhook_endpoint' then (select w.url from webhook_endpoints w where w.id = ${subjectId})
  end`.as("subject_name");
