import { randomUUID } from "node:crypto";
import { z } from "zod";
import type { Tx } from "../../db/engine/transaction.ts";
import { selectCertificate } from "../../db/queries/certificates/certificates.ts";
import { replaceOwn, selectOwn, storeOwn } from "../../db/queries/certificates/own-certificates.ts";
import { lockConnection } from "../../db/queries/connections/connections.ts";
import { requestRecheck } from "../../db/queries/connections/due-connections.ts";
import { lockHostname } from "../../db/queries/connections/hostname-locks.ts";
import { insertTimeline } from "../../db/queries/connections/timeline.ts";
import {
  checkOwnCertificate,
  type OwnCertificate,
  replaceOwnAt,
} from "../../domain/certificates/own-certificate.ts";
import { type Connection, holdsClaim } from "../../domain/connections/connection.ts";
import { AppError, notFound } from "../../domain/errors.ts";
import { namedRecordsIn } from "../connections/needed.ts";
import { findPartner } from "../connections/partner.ts";
import {
  type ConnectionDetail,
  connectionValidation,
  refuseArchived,
  requireConnection,
} from "../connections/read.ts";
import { hasExternalEdge } from "../connections/transition.ts";
import { audit, auditSource, type ServiceContext } from "../context.ts";
import { certificateKeyContext } from "./imported.ts";

export const SetCertificate = z.strictObject({
  certificate: z
    .string()
    .min(1)
    .max(40_000)
    .describe("The certificate and those that it is signed by, leaf first, in PEM"),
  private_key: z
    .string()
    .min(1)
    .max(16_384)
    .describe("The key of the first certificate in PEM, without a passphrase. Never returned."),
});
export type SetCertificate = z.infer<typeof SetCertificate>;

/**
 * Serves the tenant's own certificate from now on. The key is sealed before anything is written.
 * The same certificate again changes nothing.
 */
export async function setOwnCertificate(
  ctx: ServiceContext,
  id: string,
  input: SetCertificate,
): Promise<ConnectionDetail> {
  const connection = await ctx.read((tx) => requireConnection(ctx, tx, id));
  requireServable(ctx, connection);
  const material = { certificate: input.certificate, privateKey: input.private_key };
  const own = checkOwnCertificate(material, connection.hostname, ctx.now());
  const context = certificateKeyContext(connection.tenantId, connection.hostname);
  const sealedKey = ctx.runtime.vault.seal("certificate_key", context, own.privateKey);
  return changeCertificate(ctx, connection, async (tx, locked, now) => {
    const served = await selectOwn(tx, locked);
    const isSame = served?.fingerprint === own.fingerprint;
    if (isSame && served?.replaceAt && served.replaceAt > now) return;
    const stored = { ...own, sealedKey, issueId: randomUUID(), renewAt: replaceOwnAt(own) };
    if (!(await storeOwn(tx, locked, stored, now))) throw unproven();
    await note(ctx, tx, locked, { action: "set", now, details: shown(own) });
  });
}

/**
 * Obtains certificates automatically again. The own one is served until the first of them is
 * stored, so that visitors see no gap. Without an own certificate nothing changes.
 */
export async function clearOwnCertificate(
  ctx: ServiceContext,
  id: string,
): Promise<ConnectionDetail> {
  const connection = await ctx.read((tx) => requireConnection(ctx, tx, id));
  requireServable(ctx, connection);
  return changeCertificate(ctx, connection, async (tx, locked, now) => {
    const served = await selectOwn(tx, locked);
    // Asked for before, or its time has come: an attempt must not start over.
    if (!served || (served.replaceAt && served.replaceAt <= now)) return;
    await replaceOwn(tx, locked, now);
    const details = { fingerprint: served.fingerprint };
    await note(ctx, tx, locked, { action: "clear", now, details });
  });
}

/**
 * Runs the change under the locks of hostname and row, and reads the result in the same
 * transaction.
 */
function changeCertificate(
  ctx: ServiceContext,
  { id, hostname }: Connection,
  change: (tx: Tx, connection: Connection, now: Date) => Promise<void>,
): Promise<ConnectionDetail> {
  return ctx.runtime.system(async (tx) => {
    await lockHostname(tx, hostname);
    const connection = await lockConnection(tx, id);
    if (!connection) throw notFound("connection");
    requireServable(ctx, connection);
    await change(tx, connection, ctx.now());
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

/** The timeline and audit rows of a change, and a check at once: its state may depend on it. */
async function note(
  ctx: ServiceContext,
  tx: Tx,
  connection: Connection,
  change: { readonly action: "set" | "clear"; readonly now: Date; readonly details: object },
): Promise<void> {
  const { action, now, details } = change;
  await insertTimeline(tx, connection, {
    kind: "certificate",
    fromState: null,
    toState: null,
    errorCode: null,
    details: { action: action === "set" ? "own_set" : "own_cleared", ...details },
    createdAt: now,
    by: auditSource(ctx),
  });
  await audit(ctx, tx, `connection.certificate_${action}`, connection.id, details);
  await requestRecheck(tx, connection.id, now);
}

function shown({ ca, fingerprint, notAfter }: OwnCertificate): object {
  return { ca, fingerprint, not_after: notAfter.toISOString() };
}

/** Only for a claimed hostname of our own edge. */
function requireServable(ctx: ServiceContext, connection: Connection): void {
  refuseArchived(connection);
  if (!holdsClaim(connection.state)) throw unproven();
  if (!hasExternalEdge(ctx.runtime, connection)) return;
  throw new AppError("conflict", "another edge serves the certificates of this installation");
}

function unproven(): AppError {
  return new AppError("conflict", "the ownership of the hostname is not proven yet");
}
