import {
  type Change,
  type DnsRecord,
  type MailDecision,
  type MailNote,
  type MailObservation,
  type MailPlan,
  mailNote,
  ProviderError,
  recordKey,
  sameRecord,
  type ZoneListing,
} from "@mooring/dns";
import { type Connection, holdsClaim } from "../../domain/connections/connection.ts";
import { AppError } from "../../domain/errors.ts";
import { fromDesired } from "../../domain/records/desired-records.ts";
import type { SpfAdvice } from "../../domain/sending/email-setup.ts";
import { refuseArchived, requireConnection } from "../connections/read.ts";
import { auditSource, type ServiceContext } from "../context.ts";
import { applyPlan } from "../dns-write/apply-plan.ts";
import { zoneBusy } from "../dns-write/apply-records.ts";
import { planRecords, readZone } from "../dns-write/plan-records.ts";
import type { WritableZone } from "../dns-write/writable-zone.ts";
import { withProviderErrors } from "../dns-write/writable-zone.ts";
import { withZone } from "../dns-write/zone-lease.ts";

export interface MailOutcome {
  /** Records that are in the zone now: written, or present before. */
  readonly written: readonly DnsRecord[];
  readonly manual: readonly DnsRecord[];
  readonly spf: MailPlan["spf"];
  readonly notes: readonly MailNote[];
}

/** A customer waits in a browser, and another writer finishes within seconds. */
const zoneTimeoutMs = 8_000;

/**
 * Decides and writes as the zone's only writer; a dry run answers what would be written. Only
 * creates are applied, whatever the plan says: mail that works today matters more than a complete
 * setup.
 */
export async function writeMail(
  ctx: ServiceContext,
  connection: Connection,
  target: WritableZone,
  policyAbove: readonly DnsRecord[],
  decide: (observed: MailObservation) => MailPlan,
  { isDryRun = false }: { readonly isDryRun?: boolean } = {},
): Promise<MailOutcome> {
  const { runtime, signal } = ctx;
  return withProviderErrors(target.manifest.slug, ctx, async () => {
    const done = await withZone(runtime, target, { timeoutMs: zoneTimeoutMs, signal }, async () => {
      await requireClaim(ctx, connection);
      const listing = await readZone(runtime, connection, target, signal);
      const observed = observeListing(listing, connection, target.zone.name, policyAbove);
      const plan = decide(observed);
      const changes = await plannedCreates(ctx, connection, target, listing, plan);
      const isChange = (record: DnsRecord) =>
        changes.some((change) => sameRecord(change.record, record));
      if (isDryRun) return mailOutcome(plan, isChange, []);
      const refusal = await applyCreates(ctx, connection, target, changes);
      const after =
        refusal === null ? null : await target.provider.listRecords(target.zone, signal);
      const isThere = (record: DnsRecord) =>
        (after ?? listing).records.some((one) => sameRecord(one, record)) ||
        (after === null && isChange(record));
      return mailOutcome(plan, isThere, refusal === null ? [] : [refusal]);
    });
    if (done === null) throw zoneBusy();
    return done;
  });
}

/** The wait for the zone may have been long: a connection that lost the hostname writes nothing. */
async function requireClaim(ctx: ServiceContext, { id }: Connection): Promise<void> {
  const now = await ctx.read((tx) => requireConnection(ctx, tx, id));
  refuseArchived(now);
  if (!holdsClaim(now.state)) {
    throw new AppError("conflict", `${now.hostname} is no longer held by this connection`);
  }
}

function observeListing(
  listing: ZoneListing,
  connection: Connection,
  zone: string,
  policyAbove: readonly DnsRecord[],
): MailObservation {
  return {
    records: [...listing.records, ...policyAbove, ...requestedAlias(connection, zone)],
    occupied: listing.opaque.filter(({ type }) => type !== "SOA"),
  };
}

/** The CNAME that the connection itself needs at the hostname; at the apex it is flattened. */
export function requestedAlias(connection: Connection, zone: string): readonly DnsRecord[] {
  const { hostname, desiredRecords } = connection;
  if (hostname === zone) return [];
  return desiredRecords
    .filter(({ host, type }) => host === hostname && type === "CNAME")
    .map(fromDesired);
}

/** With the MX records left to a person, the discovery records are too: they belong together. */
export function withManualMx(plan: MailPlan, manualMxReason: MailNote | null): MailPlan {
  if (manualMxReason === null) return plan;
  const isManual = ({ role, action }: MailDecision) =>
    action === "write" && (role === "mx" || role === "discovery");
  const decisions = plan.decisions.map((one) =>
    isManual(one) ? { ...one, action: "manual" as const } : one,
  );
  return { ...plan, decisions, notes: [...plan.notes, manualMxReason] };
}

async function plannedCreates(
  ctx: ServiceContext,
  connection: Connection,
  target: WritableZone,
  listing: ZoneListing,
  plan: MailPlan,
): Promise<readonly Change[]> {
  const requested = plan.decisions.flatMap(({ action, record }) =>
    action === "write" ? [record] : [],
  );
  if (requested.length === 0) return [];
  const planned = await planRecords(ctx.runtime, connection, target, listing, {
    records: requested,
    replace: [],
  });
  const creates = planned.changes.filter(({ action }) => action === "create");
  const isWhole = planned.changes.every(
    ({ action, record }) => action === "create" || record.type !== "MX",
  );
  // Half a set of MX records would lose mail.
  return isWhole ? creates : creates.filter(({ record }) => record.type !== "MX");
}

/** Returns that the provider cannot store the records, or null; any other failure is thrown. */
async function applyCreates(
  ctx: ServiceContext,
  connection: Connection,
  target: WritableZone,
  changes: readonly Change[],
): Promise<MailNote | null> {
  if (changes.length === 0) return null;
  const plan = { zone: target.zone.name, changes };
  try {
    await applyPlan(ctx.runtime, connection, target, plan, ctx.signal, {
      purpose: "email",
      by: auditSource(ctx),
    });
    return null;
  } catch (error) {
    if (!(error instanceof ProviderError) || error.kind !== "unsupported") throw error;
    return mailNote("provider_cannot", { reason: error.message });
  }
}

/** Puts each decision into one of the two lists, or into none when the present record stays. */
export function mailOutcome(
  plan: MailPlan,
  isThere: (record: DnsRecord) => boolean,
  notes: readonly MailNote[],
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

/** Nothing is written; what is to be left stays so. */
export function allByHand(plan: MailPlan): MailPlan {
  const decisions = plan.decisions.map((one) =>
    one.action === "leave" ? one : { ...one, action: "manual" as const },
  );
  return { ...plan, decisions };
}

export function spfAdvice(spf: MailPlan["spf"]): SpfAdvice | null {
  if (spf === null) return null;
  const { outcome, value, current } = spf;
  if (value === null) return { action: "decide", current, value };
  if (outcome === "noop") return { action: "keep", current, value };
  return { action: current === null ? "add" : "replace", current, value };
}
