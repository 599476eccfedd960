import {
  decideSending,
  distinctNotes,
  generateSending,
  type MailObservation,
  type MailPlan,
  mailNote,
  mailNoteText,
  ProviderError,
  type SendingAccess,
  type SendingInputs,
  type SendingSet,
  sameRecord,
} from "@mooring/dns";
import {
  saveSendingDomain,
  selectSendingDomain,
} from "../../db/queries/sending/sending-domains.ts";
import type { Connection } from "../../domain/connections/connection.ts";
import { AppError, invalid } from "../../domain/errors.ts";
import { newId } from "../../domain/id.ts";
import type { SendingDomain, SendingDomainRecord } from "../../domain/sending/sending.ts";
import { withBudget } from "../budget.ts";
import { refuseArchived, requireConnection } from "../connections/read.ts";
import { audit, type ServiceContext } from "../context.ts";
import { withProviderErrors } from "../dns-write/writable-zone.ts";
import { findMailTarget } from "../email/mail-target.ts";
import { observeMail, policyAbove } from "../email/observe-mail.ts";
import {
  allByHand,
  type MailOutcome,
  mailOutcome,
  requestedAlias,
  spfAdvice,
  writeMail,
} from "../email/write-mail.ts";
import { openAccess, readAccount, requireAccess, sealAccess } from "./account.ts";
import type { ApplySending } from "./schemas.ts";

/** A person waits; what DNS has not answered by then is reported as unknown. */
const dnsBudgetMs = 5_000;

/**
 * Sets the connection's hostname up as a sending domain: the records are written like those of
 * mail, nothing in the zone is changed or duplicated, and from now on they are watched.
 */
export async function applySending(
  ctx: ServiceContext,
  connectionId: string,
  input: ApplySending,
): Promise<SendingDomain> {
  const { provider } = input;
  const { connection, before } = await ctx.read(async (tx) => ({
    connection: await requireConnection(ctx, tx, connectionId),
    before: await selectSendingDomain(tx, connectionId, provider),
  }));
  refuseArchived(connection);
  if (connection.hostname.startsWith("*.")) {
    throw new AppError("conflict", "a wildcard is no sending domain; connect the name itself");
  }
  const { inputs, access } = await valuesFor(ctx, connection, input, before);
  const set = sendingSet(connection.hostname, provider, inputs);
  const outcome = await carryOut(ctx, connection, set, input);
  const id = before?.id ?? newId(ctx.now());
  const details = distinctNotes([...outcome.notes, ...set.notes]);
  const sealedAccess =
    access === null ? null : sealAccess(ctx.runtime, connection.tenantId, id, access);
  return ctx.write(async (tx) => {
    const sending: SendingDomain = {
      ...(before ?? fresh(ctx.now())),
      id,
      connectionId,
      provider,
      domain: set.domain,
      inputs,
      records: toDomainRecords(set, outcome, before),
      advice: {
        spf: spfAdvice(outcome.spf),
        notes: details.map(mailNoteText),
        details,
      },
      spfTerm: set.spfTerm,
      sealedAccess,
    };
    if (input.dry_run === true) return sending;
    const applied = outcome.written.length > 0;
    await audit(ctx, tx, "connection.apply_sending", connectionId, { provider, applied });
    return saveSendingDomain(tx, connection, sending, ctx.now());
  });
}

function fresh(now: Date) {
  const never = { accountError: null, checkedAt: null, readyAt: null, acceptedAt: null };
  const counts = { checks: 0, misses: 0, version: 0 };
  return { ...never, ...counts, state: "waiting", dueAt: null, createdAt: now } as const;
}

interface Values {
  readonly inputs: SendingInputs;
  /** The tenant's access, to be stored; null where the values were pasted. */
  readonly access: SendingAccess | null;
}

/** Read from the account, pasted, or as they were before. */
async function valuesFor(
  ctx: ServiceContext,
  connection: Connection,
  { provider, inputs, access }: ApplySending,
  before: SendingDomain | null,
): Promise<Values> {
  if (access && inputs) {
    throw invalid([{ path: "inputs", message: "are read from the account; give one of the two" }]);
  }
  if (access) requireAccess(ctx, provider, access);
  if (inputs && before?.sealedAccess != null && ctx.actor.kind === "widget") {
    throw new AppError("conflict", "the values are read from the tenant's account");
  }
  if (inputs) return { inputs, access: null };
  return withProviderErrors(provider, ctx, async () => {
    const used = access ?? (before && openAccess(ctx.runtime, connection.tenantId, before)) ?? null;
    if (used === null) return { inputs: before?.inputs ?? {}, access: null };
    const request = { access: used, verify: false };
    const found = await readAccount(
      ctx.runtime,
      provider,
      connection.hostname,
      request,
      ctx.signal,
    );
    const made = generateSending({ domain: connection.hostname, provider, inputs: found.inputs });
    if (!made.ok) {
      // What the account shows is not what is known of the service; nothing unknown is written.
      const [issue] = made.issues;
      throw new ProviderError(
        "unsupported",
        `The account shows a value that is not known here (${issue?.path ?? ""}): paste the records instead.`,
      );
    }
    return { inputs: found.inputs, access: used };
  });
}

function sendingSet(domain: string, provider: string, inputs: SendingInputs): SendingSet {
  const generated = generateSending({ domain, provider, inputs });
  if (!generated.ok) throw invalid(generated.issues);
  return generated.set;
}

async function carryOut(
  ctx: ServiceContext,
  connection: Connection,
  set: SendingSet,
  input: ApplySending,
): Promise<MailOutcome> {
  const { runtime, signal } = ctx;
  const decide = (observed: MailObservation): MailPlan => decideSending(set, observed);
  const found = await findMailTarget(ctx, connection, input.dns ?? null);
  if (found.target !== null) {
    const above = await withBudget(dnsBudgetMs, signal, (inner) =>
      policyAbove(runtime, connection, inner),
    );
    const isDryRun = input.dry_run === true;
    return writeMail(ctx, connection, found.target, above, decide, { isDryRun });
  }
  const { observed, isComplete } = await withBudget(dnsBudgetMs, signal, (inner) =>
    observeMail(runtime, connection, set, inner),
  );
  const aliases = requestedAlias(connection, connection.registrableDomain);
  const plan = decide({ ...observed, records: [...observed.records, ...aliases] });
  const incomplete = mailNote("dns_incomplete", { domain: set.domain });
  const isThere = plan.decisions.filter(({ action }) => action === "present");
  return mailOutcome(
    allByHand(plan),
    (record) => isThere.some((one) => sameRecord(one.record, record)),
    isComplete ? [found.why] : [found.why, incomplete],
  );
}

/** What became of each record; the SPF record has the merged value. */
function toDomainRecords(
  set: SendingSet,
  { written, manual }: MailOutcome,
  before: SendingDomain | null,
): readonly SendingDomainRecord[] {
  return set.records.map(({ role, record }) => {
    const known = before?.records.find((one) => sameRecord(one.record, record));
    const status = known?.status ?? null;
    if (written.some((one) => sameRecord(one, record))) {
      return { role, record, action: "written", status };
    }
    const byHand = manual.find(
      (one) => one.name === record.name && one.type === record.type && sameKind(role, one.value),
    );
    return { role, record: byHand ?? record, action: byHand ? "manual" : "none", status };
  });
}

/** At the domain itself the SPF record and a verification are both texts. */
function sameKind(role: SendingDomainRecord["role"], value: string): boolean {
  if (role === "spf") return value.startsWith("v=spf1");
  return role !== "verification" || !value.startsWith("v=spf1");
}
