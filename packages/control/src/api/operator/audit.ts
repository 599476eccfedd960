import { z } from "zod";
import { type AuditRow, ListAudit, listAudit } from "../../services/audit.ts";
import { defineRoute, listing, listSchema, Time, time, Uuid } from "../http/route.ts";

const actorKinds = ["member", "key", "token", "operator", "system"] as const;

export const ActorBody = z
  .object({
    kind: z.enum(actorKinds),
    id: z.string().nullable(),
    name: z.string().nullable(),
  })
  .meta({ id: "Actor", description: "Who acted" });

const AuditBody = z
  .object({
    id: Uuid,
    at: Time,
    actor: ActorBody,
    action: z.string().describe("`noun.verb`, such as `api_key.create`"),
    object: z.string().describe("The kind of thing that was acted on"),
    object_id: z.string(),
    object_name: z
      .string()
      .nullable()
      .describe("As people call it, such as the hostname; null where it has no name or is gone"),
    environment: z.enum(["test", "live"]).nullable().describe("Null: the tenant as a whole"),
    request_id: Uuid.nullable(),
    address: z.string().nullable().describe("The client's IP address"),
    details: z.record(z.string(), z.unknown()),
  })
  .meta({ id: "AuditEntry" });

function auditBody(row: AuditRow): z.input<typeof AuditBody> {
  const [object = "", ...id] = row.subject.split(":");
  return {
    id: row.id,
    at: time(row.at),
    actor: actorBody(row),
    action: row.action,
    object,
    object_id: id.join(":"),
    object_name: row.subjectName,
    environment: row.environment,
    request_id: row.requestId,
    address: row.address,
    details: { ...row.details },
  };
}

const kinds: Readonly<Record<string, (typeof actorKinds)[number]>> = {
  member: "member",
  session: "member",
  key: "key",
  widget: "token",
  operator: "operator",
};

/** Whatever is no caller is the service itself: a worker, a takeover, a payment. */
export function actorBody({
  actor,
  actorName,
}: Pick<AuditRow, "actor" | "actorName">): z.input<typeof ActorBody> {
  const [kind = "", id] = actor.split(":", 2);
  const known = kinds[kind];
  if (known === undefined) return { kind: "system", id: null, name: actor };
  return { kind: known, id: id ?? null, name: actorName };
}

export const listAuditRoute = defineRoute({
  method: "GET",
  path: "/v1/audit",
  tag: "Members and sessions",
  summary: "Who changed what, newest first",
  description:
    "Every change has a row: of members, keys, tokens, the operator and the service itself. Those of the tenant as a whole are in both environments.",
  scopes: ["apps:admin"],
  role: "admin",
  query: ListAudit,
  output: listSchema(AuditBody),
  statuses: [200],
  run: (ctx, { query }) => listAudit(ctx, query),
  reply: (page) => listing(page, auditBody),
});
