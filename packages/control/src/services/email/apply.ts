import {
  type DnsRecord,
  decideMail,
  generateMail,
  type MailboxKey,
  type MailPlan,
  type MailSet,
  sameRecord,
} from "@mooring/dns";
import { saveEmailSetup } from "../../db/queries/email-setups.ts";
import { type Connection, holdsClaim } from "../../domain/connection.ts";
import { invalid } from "../../domain/errors.ts";
import { actorLabel } from "../../domain/tenancy.ts";
import { refuseArchived, requireConnection } from "../connections/read.ts";
import type { ServiceContext } from "../context.ts";
import { audit } from "../context.ts";
import {
  chooseTarget,
  findWritableZone,
  type WritableZone,
  withProviderErrors,
} from "../dns-write/writable-zone.ts";
import { withBudget } from "../domains/budget.ts";
import { requireHostname } from "../domains/hostname.ts";
import {
  type CheckedSet,
  checkMx,
  countSpf,
  observeMail,
  policyAbove,
  spfNotes,
} from "./observe-mail.ts";
import type { ApplyEmail, GenerateEmail } from "./schemas.ts";
import { type MailOutcome, outcomeOf, wantedAlias, withManualMx, writeMail } from "./write-mail.ts";

export interface AppliedEmail {
  readonly applied: boolean;
  readonly domain: string;
  readonly provider: MailboxKey;
  readonly written: readonly DnsRecord[];
  readonly manual: readonly DnsRecord[];
  readonly spf: SpfAdvice | null;
  readonly notes: readonly string[];
}

/** What to do about the domain's one SPF record; never a second one. */
export interface SpfAdvice {
  /** `decide`: it cannot be merged without a person; the notes say why. */
  readonly action: "add" | "replace" | "keep" | "decide";
  readonly current: string | null;
  readonly value: string | null;
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
  const [checked, place] = await Promise.all([
    withBudget(dnsBudgetMs, signal, (inner) => checkMx(runtime, connection, set, inner)),
    writablePlace(ctx, connection, input.dns ?? null),
  ]);
  const outcome =
    typeof place === "string"
      ? await showMail(ctx, connection, checked, place)
      : await writeInto(ctx, connection, place, checked);
  const spf = await countedSpf(ctx, connection, outcome.spf);
  const applied = outcome.written.length > 0;
  await ctx.write(async (tx) => {
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
    notes: [...new Set([...outcome.notes, ...spf, ...set.notes])],
  };
}

function spfAdvice({ outcome, value, current }: MailPlan["spf"]): SpfAdvice {
  if (value === null) return { action: "decide", current, value };
  if (outcome === "noop") return { action: "keep", current, value };
  return { action: current === null ? "add" : "replace", current, value };
}

/** The zone to write to, or a sentence that says why there is none. */
async function writablePlace(
  ctx: ServiceContext,
  connection: Connection,
  given: ApplyEmail["dns"],
): Promise<WritableZone | string> {
  const { actor } = ctx;
  if (!holdsClaim(connection.state)) {
    return `Nothing was written: it is not proven yet that ${connection.hostname} is yours.`;
  }
  if (given) {
    return withProviderErrors(given.provider, ctx, () => chooseTarget(ctx, connection, given));
  }
  // A stored credential is for keys and for tokens bound to this hostname; otherwise any visitor could
  // write into the tenant's zones.
  const isTrusted = actor.kind !== "widget" || actor.domain === connection.hostname;
  if (!connection.mayUseCredentials || !isTrusted) {
    return "Nothing was written: no stored credential may be used here.";
  }
  const search = await withProviderErrors(connection.provider, ctx, () =>
    findWritableZone(ctx.runtime, connection, actorLabel(actor), ctx.signal),
  );
  if (search.outcome === "found") return search.target;
  return search.isRefused
    ? "Nothing was written: the DNS provider refuses the stored credential."
    : `Nothing was written: no stored credential sees the zone of ${connection.hostname}.`;
}

async function writeInto(
  ctx: ServiceContext,
  connection: Connection,
  target: WritableZone,
  checked: CheckedSet,
): Promise<MailOutcome> {
  const above = await withBudget(dnsBudgetMs, ctx.signal, (inner) =>
    policyAbove(ctx.runtime, connection, inner),
  );
  return writeMail(ctx, connection, target, checked, above);
}

/** Everything for a person to add by hand, given what DNS answers. */
async function showMail(
  ctx: ServiceContext,
  connection: Connection,
  { set, manualMxReason }: CheckedSet,
  why: string,
): Promise<MailOutcome> {
  const { observed, isComplete } = await withBudget(dnsBudgetMs, ctx.signal, (inner) =>
    observeMail(ctx.runtime, connection, set, inner),
  );
  const aliases = wantedAlias(connection, connection.registrableDomain);
  const plan = withManualMx(
    decideMail(set, { ...observed, records: [...observed.records, ...aliases] }),
    manualMxReason,
  );
  const incomplete = `Not all of DNS answered in time: check yourself what is at ${set.domain} before adding anything.`;
  return outcomeOf(allByHand(plan), () => false, isComplete ? [why] : [why, incomplete]);
}

function allByHand(plan: MailPlan): MailPlan {
  const decisions = plan.decisions.map((one) =>
    one.action === "leave" ? one : { ...one, action: "manual" as const },
  );
  return { ...plan, decisions };
}

async function countedSpf(
  ctx: ServiceContext,
  connection: Connection,
  { value }: MailPlan["spf"],
): Promise<readonly string[]> {
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
  const once =
    "A domain has one SPF record: if there is one already, put the mechanism into it instead of adding a second record.";
  return { ...set, notes: [once, ...set.notes] };
}

function mailSet(domain: string, { provider, inputs }: ApplyEmail): MailSet {
  const generated = generateMail({ domain, provider, inputs: inputs ?? {} });
  if (!generated.ok) throw invalid(generated.issues);
  return generated.set;
}
