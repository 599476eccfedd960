import type { Tx } from "../../../db/engine/transaction.ts";
import { selectCertificate } from "../../../db/queries/certificates.ts";
import { selectClaimHolder } from "../../../db/queries/claims.ts";
import { selectLastDnsWrite } from "../../../db/queries/dns-writes.ts";
import { selectLastAttempt } from "../../../db/queries/domain-connect.ts";
import { selectEmailSetup } from "../../../db/queries/email-setups.ts";
import { caaIssuer } from "../../../domain/certificate.ts";
import type { Connection } from "../../../domain/connection.ts";
import { type Diagnosis, diagnose } from "../../../domain/diagnosis/diagnose.ts";
import type { DiagnosisFacts } from "../../../domain/diagnosis/facts.ts";
import type { ClaimSeen } from "../../../domain/observation.ts";
import { requireApplication } from "../../applications.ts";
import type { ServiceContext } from "../../context.ts";
import { requireConnection } from "../access.ts";
import { gatherDns } from "./gather.ts";
import { gatherMail } from "./gather-mail.ts";

/** What is the matter with a connection now, who must act, and how. Looks at DNS and writes nothing. */
export async function getDiagnosis(ctx: ServiceContext, id: string): Promise<Diagnosis> {
  return diagnose(await gatherFacts(ctx, id));
}

/** What a diagnosis is made from, for whoever shows the facts beside it. */
export async function gatherFacts(ctx: ServiceContext, id: string): Promise<DiagnosisFacts> {
  const { setup, ...rows } = await ctx.read(async (tx) => {
    const connection = await requireConnection(ctx, tx, id);
    return {
      connection,
      application: await requireApplication(tx, connection.applicationId),
      certificate: await selectCertificate(tx, connection),
      claim: await claimSeen(tx, connection),
      lastWrite: await selectLastDnsWrite(tx, connection.id),
      consent: await selectLastAttempt(tx, connection.id),
      setup: await selectEmailSetup(tx, connection.id),
    };
  });
  const { runtime, signal } = ctx;
  const { issuers } = caaIssuer(runtime.config.acmeDirectoryUrls);
  const [seen, email] = await Promise.all([
    gatherDns(runtime, rows.connection, signal),
    setup === null ? null : gatherMail(runtime, rows.connection, setup, signal),
  ]);
  return { ...rows, ...seen, email, issuers, now: ctx.now() };
}

async function claimSeen(tx: Tx, { id, hostname }: Connection): Promise<ClaimSeen> {
  const holder = await selectClaimHolder(tx, hostname);
  if (holder === null) return "free";
  if (holder.connectionId === id) return "own";
  return holder.state === "drifted" ? "drifted" : "held";
}
