import type { Change } from "@mooring/dns";
import { z } from "zod";
import type { Tx } from "../../db/engine/transaction.ts";
import {
  insertTimeline,
  pageTimeline,
  type ShownKind,
  shownKinds,
  type TimelineEntry,
} from "../../db/queries/connections/timeline.ts";
import { selectWrittenChanges } from "../../db/queries/dns-writes/dns-writes.ts";
import type { AuditSource } from "../../db/queries/operator/audit.ts";
import type { Connection } from "../../domain/connections/connection.ts";
import type { ServiceContext } from "../context.ts";
import { type Listing, listPage, type PageQuery, pageQuery } from "../paging.ts";
import { requireConnection } from "./read.ts";

const kind = z.enum(shownKinds);

export const ListTimeline = z.strictObject({
  kind: z
    .union([kind, z.array(kind).min(1).max(shownKinds.length)])
    .optional()
    .describe(
      "Repeated for several. Without it all but `action`, what people and keys did, of which it then has changes of settings",
    ),
  ...pageQuery,
});

/** An entry as it is shown; a write with what it changed in the zone. */
export interface ShownEntry extends TimelineEntry {
  readonly plan: readonly Change[] | null;
}

const usualKinds = shownKinds.filter((one) => one !== "action");

/** State changes, checks that changed something, writes and deliveries of one connection. */
export function listTimeline(
  ctx: ServiceContext,
  id: string,
  query: PageQuery & { readonly kind?: ShownKind | readonly ShownKind[] | undefined },
): Promise<Listing<ShownEntry>> {
  const kinds = [query.kind ?? usualKinds].flat();
  return listPage(ctx, ["timeline", id, kinds.toSorted().join()], query, (page) =>
    ctx.read(async (tx) => {
      const connection = await requireConnection(ctx, tx, id);
      const which = { kinds, hasSettings: query.kind === undefined };
      const found = await pageTimeline(tx, connection, which, page);
      return { ...found, items: await withPlans(tx, found.items) };
    }),
  );
}

async function withPlans(
  tx: Tx,
  entries: readonly TimelineEntry[],
): Promise<readonly ShownEntry[]> {
  const written = entries.map(({ details }) => parseWriteId(details));
  const changes = await selectWrittenChanges(
    tx,
    written.filter((one) => one !== null),
  );
  return entries.map((entry, index) => ({
    ...entry,
    plan: changes.get(written[index] ?? "") ?? null,
  }));
}

function parseWriteId(details: object): string | null {
  return "write_id" in details && typeof details.write_id === "string" ? details.write_id : null;
}

/** How a write at a DNS provider ended, or a customer's visit to have it made; null is left out. */
export interface WriteDetails {
  readonly via?: "domain_connect";
  readonly provider: string;
  readonly zone: string;
  readonly outcome: string;
  /** The stored write, which has the plan. */
  readonly write_id?: string;
  /** How many changes the plan had. */
  readonly changes?: number;
  readonly error: string | null;
  readonly description?: string | null;
}

/** Adds a `write` entry, in the transaction that stores what the entry reports. */
export async function insertWriteEntry(
  tx: Tx,
  connection: Connection,
  details: WriteDetails,
  createdAt: Date,
  by: AuditSource | null = null,
): Promise<void> {
  const known = Object.entries(details).filter(([, value]) => value !== null);
  await insertTimeline(tx, connection, {
    kind: "write",
    fromState: null,
    toState: null,
    errorCode: null,
    details: Object.fromEntries(known),
    createdAt,
    by,
  });
}
