import {
  type Change,
  type DnsRecord,
  decideMail,
  type MailDecision,
  type MailPlan,
  type MailSeen,
  ProviderError,
  recordKey,
  sameRecord,
  type ZoneListing,
} from "@mooring/dns";
import { type Connection, holdsClaim } from "../../domain/connection.ts";
import { fromDesired } from "../../domain/desired-records.ts";
import { AppError } from "../../domain/errors.ts";
import { refuseArchived, requireConnection } from "../connections/read.ts";
import type { ServiceContext } from "../context.ts";
import { applyPlan } from "../dns-write/apply-plan.ts";
import { planRecords, readZone } from "../dns-write/plan-records.ts";
import type { WritableZone } from "../dns-write/writable-zone.ts";
import { withProviderErrors } from "../dns-write/writable-zone.ts";
import { withZone } from "../dns-write/zone-lease.ts";
import type { CheckedSet } from "./observe-mail.ts";

export interface MailOutcome {
  /** What stands in the zone now: put there, or there before. */
  readonly written: readonly DnsRecord[];
  readonly manual: readonly DnsRecord[];
  readonly spf: MailPlan["spf"];
  readonly notes: readonly string[];
}

/** A customer waits in a browser, and another writer is done within seconds. */
const patienceMs = 8_000;

/**
 * Decided and written by the zone's only writer. Only creates are carried out, whatever the plan
 * says: mail that works today is worth more than mail that is set up in one go.
 */
export async function writeMail(
  ctx: ServiceContext,
  connection: Connection,
  target: WritableZone,
  checked: CheckedSet,
  policyAbove: readonly DnsRecord[],
): Promise<MailOutcome> {
  const { runtime, signal } = ctx;
  return withProviderErrors(target.manifest.slug, ctx, async () => {
    const done = await withZone(runtime, target, { patienceMs, signal }, async () => {
      await requireHeld(ctx, connection);
      const listing = await readZone(runtime, connection, target, signal);
      const seen = seenIn(listing, connection, target.zone.name, policyAbove);
      const plan = held(decideMail(checked.set, seen), checked.holdMx);
      const changes = await plannedCreates(ctx, connection, target, listing, plan);
      const refusal = await carryOut(ctx, connection, target, changes);
      const after =
        refusal === null ? null : await target.provider.listRecords(target.zone, signal);
      const isThere = (record: DnsRecord) =>
        (after ?? listing).records.some((one) => sameRecord(one, record)) ||
        (after === null && changes.some((change) => sameRecord(change.record, record)));
      return outcomeOf(plan, isThere, refusal === null ? [] : [refusal]);
    });
    if (done !== null) return done;
    throw new AppError("conflict", "the zone is being written by somebody else; try again", {
      retryAfterSeconds: 10,
    });
  });
}

/** The wait for the zone may have been long: whoever lost the name meanwhile writes nothing. */
async function requireHeld(ctx: ServiceContext, { id }: Connection): Promise<void> {
  const now = await ctx.read((tx) => requireConnection(ctx, tx, id));
  refuseArchived(now);
  if (!holdsClaim(now.state)) {
    throw new AppError("conflict", `${now.hostname} is no longer held by this connection`);
  }
}

function seenIn(
  listing: ZoneListing,
  connection: Connection,
  zone: string,
  policyAbove: readonly DnsRecord[],
): MailSeen {
  return {
    records: [...listing.records, ...policyAbove, ...wantedAlias(connection, zone)],
    occupied: listing.opaque.filter(({ type }) => type !== "SOA"),
  };
}

/** The CNAME that the connection itself needs at the hostname; at a zone's top it is flattened. */
export function wantedAlias(connection: Connection, zone: string): readonly DnsRecord[] {
  const { hostname, desiredRecords } = connection;
  if (hostname === zone) return [];
  return desiredRecords
    .filter(({ host, type }) => host === hostname && type === "CNAME")
    .map(fromDesired);
}

/** Mail that is not led there yet needs nobody to be told where its mailboxes are. */
export function held(plan: MailPlan, holdMx: string | null): MailPlan {
  if (holdMx === null) return plan;
  const waits = ({ role, action }: MailDecision) =>
    action === "write" && (role === "mx" || role === "discovery");
  const decisions = plan.decisions.map((one) =>
    waits(one) ? { ...one, action: "manual" as const } : one,
  );
  return { ...plan, decisions, notes: [...plan.notes, holdMx] };
}

async function plannedCreates(
  ctx: ServiceContext,
  connection: Connection,
  target: WritableZone,
  listing: ZoneListing,
  plan: MailPlan,
): Promise<readonly Change[]> {
  const wanted = plan.decisions.flatMap(({ action, record }) =>
    action === "write" ? [record] : [],
  );
  if (wanted.length === 0) return [];
  const planned = await planRecords(ctx.runtime, connection, target, listing, {
    records: wanted,
    replace: [],
  });
  const creates = planned.changes.filter(({ action }) => action === "create");
  const isWhole = planned.changes.every(
    ({ action, record }) => action === "create" || record.type !== "MX",
  );
  // Half a set of MX records would lose mail.
  return isWhole ? creates : creates.filter(({ record }) => record.type !== "MX");
}

/** What the provider cannot store is told, and left to a person; any other failure is passed on. */
async function carryOut(
  ctx: ServiceContext,
  connection: Connection,
  target: WritableZone,
  changes: readonly Change[],
): Promise<string | null> {
  if (changes.length === 0) return null;
  const plan = { zone: target.zone.name, changes };
  try {
    await applyPlan(ctx.runtime, connection, target, plan, ctx.signal, "email");
    return null;
  } catch (error) {
    if (error instanceof ProviderError && error.kind === "unsupported") return error.message;
    throw error;
  }
}

/** Each decision in one of the two lists, or in none where what stands there is to be kept. */
export function outcomeOf(
  plan: MailPlan,
  isThere: (record: DnsRecord) => boolean,
  notes: readonly string[],
): MailOutcome {
  const written: DnsRecord[] = [];
  const manual = new Map<string, DnsRecord>();
  for (const { action, record } of plan.decisions) {
    const isGood = action === "write" || action === "present";
    if (isGood && isThere(record)) written.push(record);
    else if (action === "write" || action === "manual") manual.set(recordKey(record), record);
  }
  const all = [...notes, ...plan.notes];
  return { written, manual: [...manual.values()], spf: plan.spf, notes: all };
}
