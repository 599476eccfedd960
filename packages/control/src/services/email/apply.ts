import {
  type DnsRecord,
  decideMail,
  distinctNotes,
  generateMail,
  type MailboxKey,
  type MailNote,
  type MailObservation,
  type MailPlan,
  type MailSet,
  mailNote,
  sameRecord,
} from "@mooring/dns";
import { saveEmailSetup } from "../../db/queries/sending/email-setups.ts";
import type { Connection } from "../../domain/connections/connection.ts";
import { invalid } from "../../domain/errors.ts";
import type { SpfAdvice } from "../../domain/sending/email-setup.ts";
import { withBudget } from "../budget.ts";
import { refuseArchived, requireConnection } from "../connections/read.ts";
import type { ServiceContext } from "../context.ts";
import { audit } from "../context.ts";
import type { WritableZone } from "../dns-write/writable-zone.ts";
import { requireHostname } from "../domains/hostname.ts";
import { findMailTarget } from "./mail-target.ts";
import {
  type CheckedSet,
  checkMx,
  countSpf,
  observeMail,
  policyAbove,
  spfNotes,
} from "./observe-mail.ts";
import type { ApplyEmail, GenerateEmail } from "./schemas.ts";
import {
  allByHand,
  type MailOutcome,
  mailOutcome,
  requestedAlias,
  spfAdvice,
  withManualMx,
  writeMail,
} from "./write-mail.ts";

export interface AppliedEmail {
  readonly applied: boolean;
  readonly domain: string;
  readonly provider: MailboxKey;
  readonly written: readonly DnsRecord[];
  readonly manual: readonly DnsRecord[];
  readonly spf: SpfAdvice | null;
  readonly notes: readonly MailNote[];
}

/** A person waits; what DNS has not answered by then is reported as unknown. */
const dnsBudgetMs = 5_000;

/**
 * Sets up mail for the connection's hostname only, because ownership is proven for that name only.
 * Safe records are written through the application's credential. The SPF record never is, nor any
 * record that would change or duplicate one in the zone.
 */
export async function applyEmail(
  ctx: ServiceContext,
  id: string,
  input: ApplyEmail,
): Promise<AppliedEmail> {
  const connection = await ctx.read((tx) => requireConnection(ctx, tx, id));
  refuseArchived(connection);
  const set = mailSet(connection.hostname, input);
  const { runtime, signal } = ctx;
  const [checked, found] = await Promise.all([
    withBudget(dnsBudgetMs, signal, (inner) => checkMx(runtime, connection, set, inner)),
    findMailTarget(ctx, connection, input.dns ?? null),
  ]);
  const outcome =
    found.target === null
      ? await showMail(ctx, connection, checked, found.why)
      : await writeInto(ctx, connection, found.target, checked, input);
  const spf = await countedSpf(ctx, connection, outcome.spf);
  const isDryRun = input.dry_run === true;
  const applied = outcome.written.length > 0 && !isDryRun;
  await ctx.write(async (tx) => {
    if (isDryRun) return;
    const { provider, domain, spfTerm } = checked.set;
    const records = checked.set.records.map((one) => ({
      ...one,
      isWritten: outcome.written.some((record) => sameRecord(record, one.record)),
    }));
    const setup = { connectionId: id, domain, provider, records, spfTerm, applied };
    await saveEmailSetup(tx, connection, { ...setup, updatedAt: ctx.now() });
    await audit(ctx, tx, "connection.apply_email", id, { provider, applied });
  });
  return {
    applied,
    domain: set.domain,
    provider: set.provider,
    written: outcome.written,
    manual: outcome.manual,
    spf: spfAdvice(outcome.spf),
    notes: distinctNotes([...outcome.notes, ...spf, ...set.notes]),
  };
}

async function writeInto(
  ctx: ServiceContext,
  connection: Connection,
  target: WritableZone,
  checked: CheckedSet,
  { dry_run: dryRun }: ApplyEmail,
): Promise<MailOutcome> {
  const above = await withBudget(dnsBudgetMs, ctx.signal, (inner) =>
    policyAbove(ctx.runtime, connection, inner),
  );
  const decide = (observed: MailObservation) =>
    withManualMx(decideMail(checked.set, observed), checked.manualMxReason);
  return writeMail(ctx, connection, target, above, decide, { isDryRun: dryRun === true });
}

/** Everything for a person to add by hand, given what DNS answers. */
async function showMail(
  ctx: ServiceContext,
  connection: Connection,
  { set, manualMxReason }: CheckedSet,
  why: MailNote,
): Promise<MailOutcome> {
  const { observed, isComplete } = await withBudget(dnsBudgetMs, ctx.signal, (inner) =>
    observeMail(ctx.runtime, connection, set, inner),
  );
  const aliases = requestedAlias(connection, connection.registrableDomain);
  const plan = withManualMx(
    decideMail(set, { ...observed, records: [...observed.records, ...aliases] }),
    manualMxReason,
  );
  const incomplete = mailNote("dns_incomplete", { domain: set.domain });
  return mailOutcome(allByHand(plan), () => false, isComplete ? [why] : [why, incomplete]);
}

async function countedSpf(
  ctx: ServiceContext,
  connection: Connection,
  spf: MailPlan["spf"],
): Promise<readonly MailNote[]> {
  const value = spf?.value ?? null;
  if (value === null) return [];
  const { hostname, environment } = connection;
  const resolver = ctx.runtime.dns.resolverFor(environment, hostname);
  const cost = await withBudget(dnsBudgetMs, ctx.signal, (inner) =>
    countSpf(resolver, value, hostname, inner),
  );
  return spfNotes(cost);
}

/** The records that a mailbox provider wants for a domain. Reads nothing and writes nothing. */
export async function generateEmail(ctx: ServiceContext, input: GenerateEmail): Promise<MailSet> {
  const { config } = ctx.runtime;
  const set = mailSet(
    requireHostname(config, ctx.actor.environment, input.domain, "domain"),
    input,
  );
  return { ...set, notes: [mailNote("spf_once"), ...set.notes] };
}

function mailSet(domain: string, { provider, inputs }: GenerateEmail | ApplyEmail): MailSet {
  const generated = generateMail({ domain, provider, inputs: inputs ?? {} });
  if (!generated.ok) throw invalid(generated.issues);
  return generated.set;
}
