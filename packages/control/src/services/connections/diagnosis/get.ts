import { orElse } from "@mooring/concurrency";
import { isSpf, type QueryType, type Reply, type Resolver } from "@mooring/dns";
import type { Tx } from "../../../db/engine/transaction.ts";
import { storeFinding } from "../../../db/queries/connections/connections.ts";
import { selectLastLoss } from "../../../db/queries/connections/contests.ts";
import { selectEmailSetup } from "../../../db/queries/sending/email-setups.ts";
import type { Application } from "../../../domain/applications/application.ts";
import { caaIssuer } from "../../../domain/certificates/certificate.ts";
import { type Connection, holdsClaim } from "../../../domain/connections/connection.ts";
import { type Diagnosis, diagnose, forCustomer } from "../../../domain/diagnosis/diagnose.ts";
import type { DiagnosisFacts, EmailFacts, OriginRefusal } from "../../../domain/diagnosis/facts.ts";
import type { FindingHeadline } from "../../../domain/diagnosis/finding.ts";
import { headlineIn } from "../../../domain/diagnosis/headline.ts";
import type { EmailSetup } from "../../../domain/sending/email-setup.ts";
import { findRefusal } from "../../applications/origins.ts";
import { withBudget } from "../../budget.ts";
import type { ServiceContext } from "../../context.ts";
import { askZone, type DomainCheckRuntime } from "../../domains/observe-name.ts";
import { countSpf, policyAbove } from "../../email/observe-mail.ts";
import { readRegistration } from "../../registrations/read.ts";
import type { Runtime } from "../../runtime.ts";
import { frontChoice } from "../checks/front-choice.ts";
import { isEarly } from "../early.ts";
import { requireConnection } from "../read.ts";
import { contestTimes } from "../transition.ts";
import { answeredValues, servedZone } from "./dns-queries.ts";
import { gatherDns } from "./gather-dns.ts";
import { readStoredFacts } from "./stored-facts.ts";

/** A diagnosis with what lists show of it, which is in the words for the application's owner. */
export interface HeadedDiagnosis extends Diagnosis {
  readonly headline?: FindingHeadline | null;
}

/**
 * What is wrong with a connection now, who must act, and how. A widget token is in the hands of the
 * customer, who gets the words for customers.
 */
export async function getDiagnosis(ctx: ServiceContext, id: string): Promise<HeadedDiagnosis> {
  const { diagnosis, headline } = await diagnoseNow(ctx, id);
  return ctx.actor.kind === "widget" ? forCustomer(diagnosis) : { ...diagnosis, headline };
}

/** How often a connection is diagnosed that becomes something else meanwhile. */
const maxAttempts = 2;

interface MadeDiagnosis {
  readonly facts: GatheredFacts;
  readonly diagnosis: Diagnosis;
  readonly headline: FindingHeadline | null;
}

/**
 * Asks DNS for somebody who waits. Lists show its headline from now on: a person who has read the
 * diagnosis finds the same there.
 */
export async function diagnoseNow(ctx: ServiceContext, id: string): Promise<MadeDiagnosis> {
  for (let attempt = 1; ; attempt += 1) {
    const facts = await gatherFacts(ctx, id);
    const diagnosis = diagnose(facts);
    const headline = headlineIn(facts.connection.state, diagnosis.findings);
    const isStored = await ctx.runtime.tenant(ctx.actor, (tx) =>
      storeFinding(tx, facts.connection, headline),
    );
    if (isStored || attempt === maxAttempts) return { facts, diagnosis, headline };
  }
}

/** The same for lists alone, after a check has found something wrong. */
export async function noteDiagnosis(
  runtime: Runtime,
  connection: Connection,
  signal: AbortSignal,
): Promise<void> {
  const stored = await runtime.system((tx) => readFacts(runtime, tx, connection));
  const { findings } = diagnose(await addDns(runtime, stored, signal));
  const headline = headlineIn(connection.state, findings);
  await runtime.system((tx) => storeFinding(tx, connection, headline));
}

type GatheredFacts = DiagnosisFacts & { readonly application: Application };
type StoredFacts = Awaited<ReturnType<typeof readFacts>>;

async function gatherFacts(ctx: ServiceContext, id: string): Promise<GatheredFacts> {
  const { runtime, signal } = ctx;
  const stored = await ctx.read(async (tx) =>
    readFacts(runtime, tx, await requireConnection(ctx, tx, id)),
  );
  return addDns(runtime, stored, signal);
}

async function readFacts(runtime: Runtime, tx: Tx, connection: Connection) {
  return {
    ...(await readStoredFacts(tx, connection, runtime.clock.now())),
    mayContestAt: await mayContestAt(runtime, tx, connection),
    isEarly: await isEarly(tx, connection, runtime.clock.now()),
    contestAfterMs: contestTimes(runtime, connection).contestAfterMs,
    setup: await selectEmailSetup(tx, connection.id),
  };
}

async function addDns(
  runtime: Runtime,
  { setup, ...stored }: StoredFacts,
  signal: AbortSignal,
): Promise<GatheredFacts> {
  const { issuers } = caaIssuer(runtime.config.acmeDirectoryUrls);
  const [gathered, email, originRefusal, registration] = await Promise.all([
    gatherDns(runtime, stored.connection, signal),
    setup === null ? null : gatherMail(runtime, stored.connection, setup, signal),
    gatherRefusal(runtime, stored, signal),
    readRegistration(runtime, stored.connection.hostname),
  ]);
  const { connection, application } = stored;
  const proxied = frontChoice(runtime.config, connection, application.proxied);
  const own = { application: { ...application, proxied } };
  const now = runtime.clock.now();
  return { ...stored, ...own, ...gathered, email, issuers, originRefusal, registration, now };
}

/** Of several origins the edge uses those that it may dial. */
async function gatherRefusal(
  runtime: Pick<Runtime, "config">,
  { connection, application }: Pick<StoredFacts, "connection" | "application">,
  signal: AbortSignal,
): Promise<OriginRefusal | null> {
  const { originUrl, origins } = application;
  const listed = connection.originUrl === null ? origins.map(({ url }) => url) : [];
  const urls = listed.length > 0 ? listed : [originUrl].filter((url) => url !== null);
  if (!holdsClaim(connection.state) || connection.redirectTo !== null) return null;
  const refusals = await Promise.all(
    urls.map((url) => findRefusal(runtime, url, connection.tenantId, signal)),
  );
  const [first] = refusals;
  if (!first || refusals.includes(null)) return null;
  return { kind: first.kind, reason: first.message };
}

async function mayContestAt(
  runtime: Runtime,
  tx: Tx,
  connection: Connection,
): Promise<Date | null> {
  const lostAt = await selectLastLoss(tx, connection);
  const { contestRestMs } = contestTimes(runtime, connection);
  return lostAt && new Date(lostAt.getTime() + contestRestMs);
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
