import {
  applyAsync,
  type Change,
  changeId,
  type DnsRecord,
  type Plan,
  ProviderError,
  revertAsync,
} from "@mooring/dns";
import { selectApplication } from "../../db/queries/applications.ts";
import { finishDnsWrite, insertDnsWrite, type WriteEnd } from "../../db/queries/dns-writes.ts";
import { deleteGrant, noteGrantApplied } from "../../db/queries/domain-connect.ts";
import { insertTimeline } from "../../db/queries/events.ts";
import type { Connection } from "../../domain/connection.ts";
import { fromDesired } from "../../domain/desired-records.ts";
import { ownershipRecord } from "../../domain/dns-write.ts";
import type { DomainConnectGrant } from "../../domain/domain-connect.ts";
import { AppError } from "../../domain/errors.ts";
import { newId } from "../../domain/id.ts";
import type { WriteResult } from "../../domain/observation.ts";
import { actorLabel } from "../../domain/tenancy.ts";
import type { ServiceContext } from "../context.ts";
import { hasRunOut, later, seenFrom } from "../dns-write/writer.ts";
import { ownTemplate, templateKind } from "../domains/domain-connect-offer.ts";
import type { Runtime } from "../runtime.ts";
import { openGrant } from "./grant.ts";
import { makeTemplate, templateVariables } from "./template.ts";

/**
 * Applies the template that the customer allowed: proof of ownership and records in one, once. What
 * is refused for good ends the grant, so that the customer is asked again or does it by hand.
 */
export async function writeByGrant(
  runtime: Runtime,
  connection: Connection,
  grant: DomainConnectGrant,
  signal: AbortSignal,
): Promise<WriteResult> {
  if (grant.appliedAt !== null) return { outcome: "written" };
  try {
    const seen = await applyOnce(runtime, connection, grant, signal);
    if (seen.outcome === "refused") await endGrant(runtime, connection);
    return seen;
  } catch (error) {
    if (!(error instanceof ProviderError || hasRunOut(signal))) throw error;
    runtime.log.warn({ err: error, connectionId: connection.id }, "template not applied");
    if (!(error instanceof ProviderError)) return later(connection, "provider_unavailable");
    const seen = seenFrom(connection, error);
    if (seen.outcome === "refused") await endGrant(runtime, connection);
    return seen;
  }
}

async function applyOnce(
  runtime: Runtime,
  connection: Connection,
  grant: DomainConnectGrant,
  signal: AbortSignal,
): Promise<WriteResult> {
  const opened = await openGrant(runtime, grant, "worker", signal);
  const template = await templateOf(runtime, connection, grant);
  if (opened === null || template === null) {
    return { outcome: "refused", error: "provider_unsupported" };
  }
  const id = await planWrite(runtime, connection, grant, created(grant.zone, connection));
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
    await endWrite(
      runtime,
      connection,
      grant,
      id,
      failed(done.message, done.kind !== "unavailable"),
    );
    throw done;
  }
  if (done.outcome === "conflict") {
    const names = done.records.map(({ type, host }) => `${host} ${type}`).join(", ");
    const end = failed(`Other records stand there: ${names}.`, true);
    await endWrite(runtime, connection, grant, id, end);
    return { outcome: "refused", error: "record_conflict" };
  }
  await endWrite(runtime, connection, grant, id, applied);
  await runtime.system((tx) => noteGrantApplied(tx, connection.id, runtime.clock.now()));
  return { outcome: "written" };
}

/** The template that was consented to, if the application still has it. */
async function templateOf(runtime: Runtime, connection: Connection, grant: DomainConnectGrant) {
  const application = await runtime.system((tx) => selectApplication(tx, connection.applicationId));
  if (application === null) return null;
  const kind = templateKind(connection.hostname, grant.zone);
  const made = makeTemplate(runtime.config, application, kind);
  return made.ok && made.template.serviceId === grant.serviceId ? made.template : null;
}

async function endGrant(runtime: Runtime, connection: Connection): Promise<void> {
  await runtime.system((tx) => deleteGrant(tx, connection.id));
}

const applied: WriteEnd = { outcome: "applied", error: null, unchanged: false };

/** A provider applies a template whole or not at all; only silence leaves open which. */
function failed(error: string, unchanged: boolean): WriteEnd {
  return { outcome: "failed", error, unchanged };
}

/** What the template puts there, as far as we know it. */
export function grantedRecords(connection: Connection): readonly DnsRecord[] {
  return [ownershipRecord(connection), ...connection.desiredRecords.map(fromDesired)];
}

function created(zone: string, connection: Connection): readonly Change[] {
  return grantedRecords(connection).map((record) => ({
    id: changeId(zone, record, []),
    action: "create",
    record,
    existing: [],
    reason: "",
    replaceable: false,
  }));
}

/** What a revert takes away, as far as we know it. */
export function planGrantRevert(connection: Connection, { zone }: DomainConnectGrant): Plan {
  const changes = grantedRecords(connection).map(
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

/** Has the provider take the template out again, and ends the grant. Failures are ProviderErrors. */
export async function revertByGrant(
  ctx: ServiceContext,
  connection: Connection,
  grant: DomainConnectGrant,
): Promise<Plan> {
  const { runtime, signal } = ctx;
  const opened = await openGrant(runtime, grant, actorLabel(ctx.actor), signal);
  const kind = templateKind(connection.hostname, grant.zone);
  const own = ownTemplate(runtime.config, kind);
  if (opened === null || own === null) {
    throw new AppError("conflict", `the consent at ${grant.providerName} cannot be used any more`);
  }
  const plan = planGrantRevert(connection, grant);
  const id = await planWrite(runtime, connection, grant, plan.changes);
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
    const end = { outcome: "failed", error: message, unchanged: true } as const;
    await endWrite(runtime, connection, grant, id, end);
    throw error;
  }
  const end = { outcome: "applied", error: null, unchanged: false } as const;
  await endWrite(runtime, connection, grant, id, end);
  await runtime.system((tx) => deleteGrant(tx, connection.id));
  return plan;
}

/** How a grant's writes are told from those of a credential. */
export function grantWriter({ providerName }: DomainConnectGrant): string {
  return `${providerName} (Domain Connect)`;
}

/** On record before the provider hears of it. */
export async function planWrite(
  runtime: Runtime,
  connection: Connection,
  grant: DomainConnectGrant,
  changes: readonly Change[],
): Promise<string> {
  const createdAt = runtime.clock.now();
  const id = newId(createdAt);
  await runtime.system((tx) =>
    insertDnsWrite(tx, connection, {
      id,
      credentialId: null,
      provider: grantWriter(grant),
      zone: grant.zone,
      changes,
      purpose: "connection",
      createdAt,
    }),
  );
  return id;
}

export async function endWrite(
  runtime: Runtime,
  connection: Connection,
  grant: DomainConnectGrant,
  id: string,
  end: WriteEnd,
): Promise<void> {
  const now = runtime.clock.now();
  await runtime.system(async (tx) => {
    await finishDnsWrite(tx, id, end, now);
    await insertTimeline(tx, connection, {
      kind: "write",
      fromState: null,
      toState: null,
      errorCode: null,
      details: {
        via: "domain_connect",
        provider: grant.providerName,
        zone: grant.zone,
        outcome: end.outcome,
        ...(end.error === null ? {} : { error: end.error }),
      },
      createdAt: now,
    });
  });
}
