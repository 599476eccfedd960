import { randomUUID } from "node:crypto";
import { type SealContext, VaultError } from "@mooring/vault";
import type { Tx } from "../../db/engine/transaction.ts";
import {
  insertImported,
  storeImported,
  takeImported,
} from "../../db/queries/certificates/imported-certificates.ts";
import type { ProvidedCertificate } from "../../db/queries/certificates/provided-certificates.ts";
import { renewImportedAt } from "../../domain/certificates/imported-certificate.ts";
import type { OwnCertificate } from "../../domain/certificates/own-certificate.ts";
import type { Connection } from "../../domain/connections/connection.ts";
import type { Runtime } from "../runtime.ts";

/** Keeps a checked certificate, its key sealed, until the connection holds its hostname. */
export async function keepImported(
  { vault }: Pick<Runtime, "vault">,
  tx: Tx,
  connection: Connection,
  provided: OwnCertificate,
  now: Date,
): Promise<void> {
  const context = importedKeyContext(connection.tenantId, connection.id);
  const sealedKey = vault.seal("certificate_key", context, provided.privateKey);
  const renewAt = renewImportedAt(provided, now, Math.random());
  await insertImported(tx, connection, { ...provided, sealedKey, renewAt }, now);
}

/**
 * Serves the certificate that was imported for a connection which holds its hostname now. One that
 * has expired meanwhile is dropped, and so is one whose key no longer opens: the service then
 * obtains another.
 */
export async function serveImported(
  runtime: Pick<Runtime, "vault" | "log">,
  tx: Tx,
  connection: Connection,
  now: Date,
): Promise<void> {
  const stored = await takeImported(tx, connection.id);
  if (stored === null || stored.notAfter <= now) return;
  const sealedKey = resealed(runtime, connection, stored);
  if (sealedKey === null) return;
  await storeImported(tx, connection, { ...stored, sealedKey, issueId: randomUUID() }, now);
}

/** The key moves from the context in which it waited to the one in which the edges open it. */
function resealed(
  { vault, log }: Pick<Runtime, "vault" | "log">,
  { id, tenantId, hostname }: Connection,
  { sealedKey }: ProvidedCertificate,
): string | null {
  try {
    const key = vault.open("certificate_key", importedKeyContext(tenantId, id), sealedKey);
    return vault.seal("certificate_key", certificateKeyContext(tenantId, hostname), key);
  } catch (error) {
    if (!(error instanceof VaultError)) throw error;
    log.error({ err: error, connectionId: id }, "imported key cannot be opened");
    return null;
  }
}

/** As the edge opens it: the context of a served certificate's key. */
export function certificateKeyContext(tenantId: string, hostname: string): SealContext {
  return { tenant: tenantId, table: "certificates", row: hostname, column: "sealed_key" };
}

export function importedKeyContext(tenantId: string, connectionId: string): SealContext {
  return {
    tenant: tenantId,
    table: "imported_certificates",
    row: connectionId,
    column: "sealed_key",
  };
}
