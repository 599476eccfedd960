import { retryCertificate, selectCertificate } from "../../db/queries/certificates/certificates.ts";
import { lockConnection } from "../../db/queries/connections/connections.ts";
import { requestRecheck } from "../../db/queries/connections/due-connections.ts";
import { lockHostname } from "../../db/queries/connections/hostname-locks.ts";
import { insertTimeline } from "../../db/queries/connections/timeline.ts";
import { AppError, notFound } from "../../domain/errors.ts";
import { namedRecordsIn } from "../connections/needed.ts";
import { findPartner } from "../connections/partner.ts";
import {
  type ConnectionDetail,
  connectionValidation,
  refuseArchived,
  requireConnection,
} from "../connections/read.ts";
import { audit, auditSource, type ServiceContext } from "../context.ts";

/** Orders the certificate again at once instead of at its next attempt. */
export async function retryConnectionCertificate(
  ctx: ServiceContext,
  id: string,
): Promise<ConnectionDetail> {
  const { hostname } = await ctx.read((tx) => requireConnection(ctx, tx, id));
  const now = ctx.now();
  return ctx.runtime.system(async (tx) => {
    await lockHostname(tx, hostname);
    const connection = await lockConnection(tx, id);
    if (!connection) throw notFound("connection");
    refuseArchived(connection);
    if (!(await retryCertificate(tx, connection, now))) {
      throw new AppError("conflict", "there is no certificate order to retry");
    }
    await insertTimeline(tx, connection, {
      kind: "certificate",
      fromState: null,
      toState: null,
      errorCode: null,
      details: { action: "retry" },
      createdAt: now,
      by: auditSource(ctx),
    });
    await audit(ctx, tx, "connection.certificate_retry", connection.id);
    await requestRecheck(tx, connection.id, now);
    const certificate = await selectCertificate(tx, connection);
    const partnerId = (await findPartner(ctx, tx, connection))?.id ?? null;
    return {
      connection,
      certificate,
      validation: connectionValidation(ctx, connection),
      partnerId,
      ...(await namedRecordsIn(ctx.runtime, tx, connection)),
    };
  });
}
