import { orElse } from "@mooring/concurrency";
import { isSpf, type QueryType, type Reply, type Resolver } from "@mooring/dns";
import type { Tx } from "../../../db/engine/transaction.ts";
import { selectFailingCredentials } from "../../../db/queries/applications/credentials.ts";
import { selectCertificate } from "../../../db/queries/certificates/certificates.ts";
import { selectCachedUntil } from "../../../db/queries/connections/cached-answers.ts";
import { storeFinding } from "../../../db/queries/connections/connections.ts";
import { selectLastLoss } from "../../../db/queries/connections/contests.ts";
import { selectRenewal, selectTroubles } from "../../../db/queries/connections/troubles.ts";
import { selectLastDnsWrite } from "../../../db/queries/dns-writes/dns-writes.ts";
import { selectLastAttempt } from "../../../db/queries/domain-connect/domain-connect.ts";
import { selectEmailSetup } from "../../../db/queries/sending/email-setups.ts";
import type { Application } from "../../../domain/applications/application.ts";
import { caaIssuer } from "../../../domain/certificates/certificate.ts";
import type { Connection } from "../../../domain/connections/connection.ts";
import { type Diagnosis, diagnose, forCustomer } from "../../../domain/diagnosis/diagnose.ts";
import type {
  DiagnosisFacts,
  EmailFacts,
  FailingCredential,
} from "../../../domain/diagnosis/facts.ts";
import { headlineIn } from "../../../domain/diagnosis/headline.ts";
import type { EmailSetup } from "../../../domain/sending/email-setup.ts";
import { requireApplication } from "../../applications/applications.ts";
import type { ServiceContext } from "../../context.ts";
import { isMeantFor, workerReach } from "../../dns-write/writable-zone.ts";
import { withBudget } from "../../domains/budget.ts";
import { askZone, type DomainCheckRuntime } from "../../domains/observe-name.ts";
import { countSpf, policyAbove } from "../../email/observe-mail.ts";
import { readCertificateFault, readClaimState, requireConnection } from "../read.ts";
import { contestTimes } from "../transition.ts";
import { answeredValues, servedZone } from "./dns-queries.ts";
import { gatherDns } from "./gather-dns.ts";

/**
 * What is wrong with a connection now, who must act, and how. Lists show its first finding. A
 * widget token is in the hands of the customer, who gets the words for customers.
 */
export async function getDiagnosis(ctx: ServiceContext, id: string): Promise<Diagnosis> {
  const facts = await gatherFacts(ctx, id);
  const diagnosis = diagnose(facts);
  const headline = headlineIn(facts.connection.state, diagnosis.findings);
  await ctx.write((tx) => storeFinding(tx, id, headline));
  return ctx.actor.kind === "widget" ? forCustomer(diagnosis) : diagnosis;
}

/** The facts of a diagnosis, for a caller that shows them too. */
export async function gatherFacts(
  ctx: ServiceContext,
  id: string,
): Promise<DiagnosisFacts & { readonly application: Application }> {
  const { setup, ...rows } = await ctx.read(async (tx) => {
    const connection = await requireConnection(ctx, tx, id);
    return {
      connection,
      application: await servingApplication(tx, connection),
      certificate: await selectCertificate(tx, connection),
      fault: await readCertificateFault(tx, connection),
      cachedUntil: await selectCachedUntil(tx, connection.id),
      renewal: await selectRenewal(tx, connection),
      troubles: await selectTroubles(tx, connection.id),
      failingCredentials: await failingFor(tx, connection),
      claim: await readClaimState(tx, connection),
      mayContestAt: await mayContestAt(ctx, tx, connection),
      lastWrite: await selectLastDnsWrite(tx, connection.id),
      consent: await selectLastAttempt(tx, connection.id),
      setup: await selectEmailSetup(tx, connection.id),
    };
  });
  const { runtime, signal } = ctx;
  const { issuers } = caaIssuer(runtime.config.acmeDirectoryUrls);
  const [gathered, email] = await Promise.all([
    gatherDns(runtime, rows.connection, signal),
    setup === null ? null : gatherMail(runtime, rows.connection, setup, signal),
  ]);
  return { ...rows, ...gathered, email, issuers, now: ctx.now() };
}

async function mayContestAt(
  { runtime }: ServiceContext,
  tx: Tx,
  connection: Connection,
): Promise<Date | null> {
  const lostAt = await selectLastLoss(tx, connection);
  const { contestRestMs } = contestTimes(runtime, connection);
  return lostAt && new Date(lostAt.getTime() + contestRestMs);
}

/** The failing credentials that are meant for the connection and may be used for it. */
async function failingFor(tx: Tx, connection: Connection): Promise<FailingCredential[]> {
  if (connection.state === "archived") return [];
  const reach = workerReach(connection);
  const failing = await selectFailingCredentials(tx, connection, reach);
  return failing.filter((credential) => isMeantFor(credential, connection));
}

/** The same as for the connection's own records. */
const mailBudgetMs = 8_000;

type Ask = (name: string, type: QueryType) => Promise<Reply | null>;

/** What the zone's servers answer about the connection's email setup. Writes nothing. */
async function gatherMail(
  runtime: DomainCheckRuntime,
  connection: Connection,
  setup: EmailSetup,
  signal: AbortSignal,
): Promise<EmailFacts | null> {
  if (connection.state === "archived") return null;
  const gathered = await withBudget(mailBudgetMs, signal, async (inner) => {
    const resolver = runtime.dns.resolverFor(connection.environment, setup.domain);
    const ask = await asker(resolver, setup.domain, inner);
    const [mx, spf, dmarc, dkim, above] = await Promise.all([
      ask(setup.domain, "MX"),
      ask(setup.domain, "TXT"),
      ask(`_dmarc.${setup.domain}`, "TXT"),
      askDkim(setup, ask),
      policyAbove(runtime, connection, inner),
    ]);
    const cost = await countCost(resolver, setup, spf, inner);
    return { setup, mx, spf, cost, dkim, dmarc, hasPolicyAbove: above.length > 0 };
  });
  signal.throwIfAborted();
  return gathered;
}

/** Asks the zone's servers; null when they are unknown or do not answer in time. */
async function asker(resolver: Resolver, domain: string, signal: AbortSignal): Promise<Ask> {
  const at = servedZone(await orElse(signal, resolver.findZone(domain, signal), null));
  return async (name, type) =>
    at === null
      ? null
      : orElse<Reply | null>(signal, askZone(resolver, at.servers, { name, type }, signal), null);
}

async function askDkim({ records }: EmailSetup, ask: Ask): Promise<EmailFacts["dkim"]> {
  const requested = records.flatMap(({ role, record }) => (role === "dkim" ? [record] : []));
  const answers = await Promise.all(
    requested.map(async (record) => ({ record, reply: await ask(record.name, "TXT") })),
  );
  return answers.flatMap(({ record, reply }) => (reply === null ? [] : [{ record, reply }]));
}

async function countCost(
  resolver: Resolver,
  { domain }: EmailSetup,
  spf: Reply | null,
  signal: AbortSignal,
): Promise<EmailFacts["cost"]> {
  const [record, ...others] = spf === null ? [] : answeredValues(spf).filter(isSpf);
  if (record === undefined || others.length > 0) return null;
  return countSpf(resolver, record, domain, signal);
}

/** The application with the connection's own origin, where it has one. */
async function servingApplication(tx: Tx, connection: Connection): Promise<Application> {
  const application = await requireApplication(tx, connection.applicationId);
  return { ...application, originUrl: connection.originUrl ?? application.originUrl };
}
