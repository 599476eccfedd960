import { applyAsync, type Change, changeId, type DnsRecord, ProviderError } from "@mooring/dns";
import { selectApplication } from "../../db/queries/applications.ts";
import type { WriteEnd } from "../../db/queries/dns-writes.ts";
import { deleteGrant, noteGrantApplied } from "../../db/queries/domain-connect.ts";
import type { Connection } from "../../domain/connection.ts";
import { toDnsRecord } from "../../domain/desired-records.ts";
import { ownershipRecord } from "../../domain/dns-write.ts";
import type { DomainConnectGrant } from "../../domain/domain-connect.ts";
import type { WriteSeen } from "../../domain/observation.ts";
import { hasRunOut } from "../dns-write/run-out.ts";
import { later, seenFrom } from "../dns-write/writer.ts";
import { templateKind } from "../domains/domain-connect-offer.ts";
import type { Runtime } from "../runtime.ts";
import { openGrant } from "./grant.ts";
import { endWrite, planWrite } from "./grant-log.ts";
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
): Promise<WriteSeen> {
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
): Promise<WriteSeen> {
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
  return [ownershipRecord(connection), ...connection.desiredRecords.map(toDnsRecord)];
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
