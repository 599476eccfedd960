import type { Tx } from "../../../db/engine/transaction.ts";
import { selectFailingCredentials } from "../../../db/queries/applications/credentials.ts";
import { selectCertificate } from "../../../db/queries/certificates/certificates.ts";
import { selectCachedUntil } from "../../../db/queries/connections/cached-answers.ts";
import { selectRenewal, selectTroubles } from "../../../db/queries/connections/troubles.ts";
import { selectLastDnsWrite } from "../../../db/queries/dns-writes/dns-writes.ts";
import { selectLastAttempt } from "../../../db/queries/domain-connect/domain-connect.ts";
import { selectForeign } from "../../../db/queries/transparency/foreign-certificates.ts";
import type { Application } from "../../../domain/applications/application.ts";
import type { Connection } from "../../../domain/connections/connection.ts";
import type { DiagnosisFacts, FailingCredential } from "../../../domain/diagnosis/facts.ts";
import { findingMs } from "../../../domain/transparency/foreign-certificate.ts";
import { requireApplication } from "../../applications/applications.ts";
import { isMeantFor, workerReach } from "../../dns-write/writable-zone.ts";
import { readCertificateFault, readClaimState } from "../read.ts";

type StoredFacts = Omit<
  DiagnosisFacts,
  | "application"
  | "contestAfterMs"
  | "dns"
  | "edge"
  | "email"
  | "issuers"
  | "mayContestAt"
  | "now"
  | "originRefusal"
> & { readonly application: Application };

/** What the database knows of a connection for its diagnosis. */
export async function readStoredFacts(
  tx: Tx,
  connection: Connection,
  now: Date,
): Promise<StoredFacts> {
  const foreignSince = new Date(now.getTime() - findingMs);
  return {
    connection,
    application: await servingApplication(tx, connection),
    certificate: await selectCertificate(tx, connection),
    fault: await readCertificateFault(tx, connection),
    cachedUntil: await selectCachedUntil(tx, connection.id),
    renewal: await selectRenewal(tx, connection),
    troubles: await selectTroubles(tx, connection.id),
    failingCredentials: await failingFor(tx, connection),
    foreignCertificates: await selectForeign(tx, connection.id, foreignSince),
    claim: await readClaimState(tx, connection),
    lastWrite: await selectLastDnsWrite(tx, connection.id),
    consent: await selectLastAttempt(tx, connection.id),
  };
}

/** The failing credentials that are meant for the connection and may be used for it. */
async function failingFor(tx: Tx, connection: Connection): Promise<FailingCredential[]> {
  if (connection.state === "archived") return [];
  const reach = workerReach(connection);
  const failing = await selectFailingCredentials(tx, connection, reach);
  return failing.filter((credential) => isMeantFor(credential, connection));
}

/** The application with the connection's own origin, where it has one. */
async function servingApplication(tx: Tx, connection: Connection): Promise<Application> {
  const application = await requireApplication(tx, connection.applicationId);
  return { ...application, originUrl: connection.originUrl ?? application.originUrl };
}
