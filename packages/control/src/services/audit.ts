import { z } from "zod";
import { type AuditRow, pageAudit } from "../db/queries/operator/audit-pages.ts";
import type { ServiceContext } from "./context.ts";
import { type Listing, pageQuery, readPage } from "./paging.ts";

const word = z.string().min(1).max(100);
const time = z.iso.datetime({ offset: true });

export const ListAudit = z.strictObject({
  action: word.optional().describe("Exactly this action, such as `api_key.create`"),
  object: word.optional().describe("The kind of thing, with `object_id`"),
  object_id: z.string().min(1).max(300).optional().describe("What was acted on"),
  actor_kind: z
    .enum(["member", "key", "token", "operator"])
    .optional()
    .describe("Alone: every actor of this kind; `member`: people only"),
  actor_id: z.uuid().optional().describe("Who acted"),
  since: time.optional(),
  until: time.optional(),
  ...pageQuery,
});
export type ListAudit = z.infer<typeof ListAudit>;

export type { AuditRow } from "../db/queries/operator/audit-pages.ts";

/** Who changed what, newest first: of the environment, and of the tenant as a whole. */
export function listAudit(ctx: ServiceContext, query: ListAudit): Promise<Listing<AuditRow>> {
  const filter = {
    action: query.action ?? null,
    subject:
      query.object_id === undefined ? null : `${query.object ?? "connection"}:${query.object_id}`,
    actor: query.actor_id === undefined ? null : `${label(query.actor_kind)}:${query.actor_id}`,
    actorKind: query.actor_id === undefined ? (query.actor_kind ?? null) : null,
    since: query.since === undefined ? null : new Date(query.since),
    until: query.until === undefined ? null : new Date(query.until),
  };
  const list = [
    filter.action,
    filter.subject,
    filter.actor,
    filter.actorKind,
    query.since ?? null,
    query.until ?? null,
  ];
  return readPage(ctx, ["audit", ...list], query, (tx, page) =>
    pageAudit(tx, ctx.actor, filter, page),
  );
}

function label(kind: ListAudit["actor_kind"]): string {
  return kind === "token" ? "widget" : (kind ?? "member");
}
