import { type Change, changeId, type Plan, revertAsync } from "@mooring/dns";
import { deleteGrant } from "../../db/queries/domain-connect.ts";
import type { Connection } from "../../domain/connection.ts";
import type { DomainConnectGrant } from "../../domain/domain-connect.ts";
import { AppError } from "../../domain/errors.ts";
import { actorLabel } from "../../domain/tenancy.ts";
import type { ServiceContext } from "../context.ts";
import { ownTemplate, templateKind } from "../domains/domain-connect-offer.ts";
import { openGrant } from "./grant.ts";
import { endWrite, planWrite } from "./grant-log.ts";
import { grantedRecords } from "./write-by-grant.ts";

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
