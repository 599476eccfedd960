import {
  applyAsync,
  type Change,
  type Plan as ChangePlan,
  changeId,
  type DnsRecord,
  ProviderError,
  revertAsync,
} from "@mooring/dns";
import type { Tx } from "../../db/engine/transaction.ts";
import { selectApplication } from "../../db/queries/applications/applications.ts";
import {
  finishDnsWrite,
  insertDnsWrite,
  type WriteEnd,
} from "../../db/queries/dns-writes/dns-writes.ts";
import { deleteGrant, noteGrantApplied } from "../../db/queries/domain-connect/domain-connect.ts";
import type { Connection } from "../../domain/connections/connection.ts";
import type { WriteResult } from "../../domain/connections/observation.ts";
import type { DomainConnectGrant } from "../../domain/domain-connect/domain-connect.ts";
import { AppError } from "../../domain/errors.ts";
import { newId } from "../../domain/id.ts";
import { ownershipRecord } from "../../domain/ownership/ownership-challenge.ts";
import { fromDesired } from "../../domain/records/desired-records.ts";
import { actorLabel } from "../../domain/tenancy.ts";
import { insertWriteEntry } from "../connections/timeline.ts";
import type { ServiceContext } from "../context.ts";
import { failedResult, hasTimedOut, retryLater } from "../dns-write/writer.ts";
import { ownTemplate, templateKind } from "../domains/domain-connect-offer.ts";
import type { Runtime } from "../runtime.ts";
import { openGrant } from "./grant.ts";
import { makeTemplate, templateVariables } from "./template.ts";

/**
 * Applies the template that the customer consented to, once: ownership record and desired records
 * together. A permanent refusal deletes the grant, so that the customer can consent again or add
 * the records by hand.
 */
export async function writeByGrant(
  runtime: Runtime,
  connection: Connection,
  grant: DomainConnectGrant,
  signal: AbortSignal,
): Promise<WriteResult> {
  if (grant.appliedAt !== null) return { outcome: "written" };
  try {
    const result = await applyOnce(runtime, connection, grant, signal);
    if (result.outcome === "refused") await endGrant(runtime, connection);
    return result;
  } catch (error) {
    if (!(error instanceof ProviderError || hasTimedOut(signal))) throw error;
    runtime.log.warn({ err: error, connectionId: connection.id }, "template not applied");
    if (!(error instanceof ProviderError)) return retryLater(connection, "provider_unavailable");
    const result = failedResult(connection, error);
    if (result.outcome === "refused") await endGrant(runtime, connection);
    return result;
  }
}

async function applyOnce(
  runtime: Runtime,
  connection: Connection,
  grant: DomainConnectGrant,
  signal: AbortSignal,
): Promise<WriteResult> {
  const opened = await openGrant(runtime, grant, "worker", signal);
  const template = await consentedTemplate(runtime, connection, grant);
  if (opened === null || template === null) {
    return { outcome: "refused", error: "provider_unsupported" };
  }
  const write = await startWrite(runtime, connection, grant, creations(grant.zone, connection));
  const request = {
    template,
    domain: grant.zone,
    host: grant.host,
    accessToken: opened.accessToken,
    variables: templateVariables(template, connection),
    force: false,
  };
  const done = await applyAsync(opened.client, request, signal).catch((error: unknown) => {
    return error instanceof ProviderError ? error : Promise.reject(error);
  });
  if (done instanceof ProviderError) {
    await endWrite(runtime, write, failed(done.message, done.kind !== "unavailable"));
    throw done;
  }
  if (done.outcome === "conflict") {
    const names = done.records.map(({ type, host }) => `${host} ${type}`).join(", ");
    await endWrite(runtime, write, failed(`There are other records: ${names}.`, true));
    return { outcome: "refused", error: "record_conflict" };
  }
  await endWrite(runtime, write, applied, (tx) =>
    noteGrantApplied(tx, connection.id, runtime.clock.now()),
  );
  return { outcome: "written" };
}

/** The template that the customer consented to; null when the application has another one now. */
async function consentedTemplate(
  runtime: Runtime,
  connection: Connection,
  grant: DomainConnectGrant,
) {
  const application = await runtime.system((tx) => selectApplication(tx, connection.applicationId));
  if (application === null) return null;
  const kind = templateKind(connection.hostname, grant.zone);
  const made = makeTemplate(runtime.config, application, kind);
  return made.ok && made.template.serviceId === grant.serviceId ? made.template : null;
}

async function endGrant(runtime: Runtime, connection: Connection): Promise<void> {
  await runtime.system((tx) => deleteGrant(tx, connection.id));
}

/**
 * Asks the provider to remove the template, and deletes the grant. The outcome, the grant's end and
 * `onApplied` commit in one transaction. Failures are ProviderErrors.
 */
export async function revertByGrant(
  ctx: ServiceContext,
  connection: Connection,
  grant: DomainConnectGrant,
  onApplied?: (tx: Tx) => Promise<void>,
): Promise<ChangePlan> {
  const { runtime, signal } = ctx;
  const opened = await openGrant(runtime, grant, actorLabel(ctx.actor), signal);
  const kind = templateKind(connection.hostname, grant.zone);
  const own = ownTemplate(runtime.config, kind);
  if (opened === null || own === null) {
    throw new AppError("conflict", `the consent at ${grant.providerName} cannot be used any more`);
  }
  const plan = planGrantRevert(connection, grant);
  const write = await startWrite(runtime, connection, grant, plan.changes);
  const request = {
    template: { providerId: own.providerId, serviceId: grant.serviceId },
    domain: grant.zone,
    host: grant.host,
    accessToken: opened.accessToken,
  };
  try {
    await revertAsync(opened.client, request, signal);
  } catch (error) {
    const message = error instanceof Error ? error.message : "interrupted";
    await endWrite(runtime, write, failed(message, true));
    throw error;
  }
  await endWrite(runtime, write, applied, async (tx) => {
    await deleteGrant(tx, connection.id);
    await onApplied?.(tx);
  });
  return plan;
}

/** What a revert removes, as far as we know it. */
export function planGrantRevert(connection: Connection, { zone }: DomainConnectGrant): ChangePlan {
  const changes = templateRecords(connection).map(
    (record): Change => ({
      id: changeId(zone, record, [record]),
      action: "delete",
      record,
      existing: [record],
      reason: "The provider takes out what the template put there.",
      replaceable: false,
    }),
  );
  return { zone, changes };
}

function creations(zone: string, connection: Connection): readonly Change[] {
  return templateRecords(connection).map((record) => ({
    id: changeId(zone, record, []),
    action: "create",
    record,
    existing: [],
    reason: "",
    replaceable: false,
  }));
}

/** What the template publishes, as far as we know it. */
function templateRecords(connection: Connection): readonly DnsRecord[] {
  const desired = connection.desiredRecords.map((record) => {
    const { targetLabel } = connection;
    // The template that all applications share names the edge, which is as right as the target.
    const isOwn = targetLabel !== null && record.value.startsWith(`${targetLabel}.`);
    return isOwn ? { ...record, value: record.value.slice(targetLabel.length + 1) } : record;
  });
  return [ownershipRecord(connection), ...desired.map(fromDesired)];
}

interface GrantWrite {
  readonly id: string;
  readonly connection: Connection;
  readonly grant: DomainConnectGrant;
}

/** Stores the write before the provider is called. */
async function startWrite(
  runtime: Runtime,
  connection: Connection,
  grant: DomainConnectGrant,
  changes: readonly Change[],
): Promise<GrantWrite> {
  const createdAt = runtime.clock.now();
  const id = newId(createdAt);
  await runtime.system((tx) =>
    insertDnsWrite(tx, connection, {
      id,
      credentialId: null,
      // Distinguishes it from writes with a credential of the same provider.
      provider: `${grant.providerName} (Domain Connect)`,
      zone: grant.zone,
      changes,
      purpose: "connection",
      createdAt,
    }),
  );
  return { id, connection, grant };
}

async function endWrite(
  runtime: Runtime,
  { id, connection, grant }: GrantWrite,
  end: WriteEnd,
  onApplied?: (tx: Tx) => Promise<void>,
): Promise<void> {
  const now = runtime.clock.now();
  const { providerName: provider, zone } = grant;
  const { outcome, error } = end;
  await runtime.system(async (tx) => {
    await finishDnsWrite(tx, id, end, now);
    const entry = { via: "domain_connect", provider, zone, outcome, error } as const;
    await insertWriteEntry(tx, connection, entry, now);
    await onApplied?.(tx);
  });
}

const applied: WriteEnd = { outcome: "applied", error: null, unchanged: false };

/** A provider applies a template whole or not at all; only after a timeout is it unknown which. */
function failed(error: string, unchanged: boolean): WriteEnd {
  return { outcome: "failed", error, unchanged };
}
