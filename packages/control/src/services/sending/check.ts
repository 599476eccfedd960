import {
  findSendingProvider,
  type MailObservation,
  ProviderError,
  type SendingSet,
  sendingStatus,
} from "@mooring/dns";
import type { DueRows } from "@mooring/postgres";
import type { Tx } from "../../db/engine/transaction.ts";
import { lockConnection, selectConnection } from "../../db/queries/connections/connections.ts";
import {
  claimDueSending,
  deleteSendingDomain,
  extendSending,
  nextSequence,
  releaseSending,
  type SendingCheck,
  storeSendingCheck,
} from "../../db/queries/sending/sending-domains.ts";
import { insertEvent } from "../../db/queries/webhooks/events.ts";
import type { Connection } from "../../domain/connections/connection.ts";
import { toDesired } from "../../domain/records/desired-records.ts";
import {
  decideSendingState,
  type SendingDecision,
  type SendingDomain,
  type SendingDomainRecord,
} from "../../domain/sending/sending.ts";
import { withBudget } from "../budget.ts";
import { askForTenant } from "../dns-view.ts";
import { observeMail } from "../email/observe-mail.ts";
import type { Runtime } from "../runtime.ts";
import { openAccess, readAccount } from "./account.ts";

const dnsBudgetMs = 8_000;

/** Sending domains whose next check is due. */
export function dueSending(runtime: Runtime): DueRows<SendingDomain> {
  const { database } = runtime;
  return {
    table: "sending_domains",
    idOf: ({ id }) => id,
    versionOf: ({ version }) => version,
    claim: (now, until, limit) => claimDueSending(database, now, until, limit),
    extend: (leased, until) => extendSending(database, leased, until),
    release: (sending, dueAt) => releaseSending(database, sending, dueAt),
  };
}

/** Checks a row that a worker has leased; returns whether its result was stored. */
export async function checkLeasedSending(
  runtime: Runtime,
  sending: SendingDomain,
  signal: AbortSignal,
): Promise<boolean> {
  const { connectionId, provider } = sending;
  const connection = await runtime.system((tx) => selectConnection(tx, connectionId));
  if (connection === null || connection.state === "archived") {
    await runtime.system((tx) => deleteSendingDomain(tx, connectionId, provider));
    return true;
  }
  const checked = await askForTenant(connection, () =>
    examine(runtime, connection, sending, signal),
  );
  return (await runtime.system((tx) => storeChecked(tx, checked))) !== null;
}

export interface CheckedSending {
  readonly check: SendingCheck;
  readonly decision: SendingDecision;
  /** The records that the service insists on and does not find. */
  readonly missing: readonly SendingDomainRecord[];
}

/** What DNS and, with access to it, the service say; writes nothing. */
export async function examine(
  runtime: Runtime,
  connection: Connection,
  sending: SendingDomain,
  signal: AbortSignal,
): Promise<CheckedSending> {
  const { observed, isComplete } = await withBudget(dnsBudgetMs, signal, (inner) =>
    observeMail(runtime, connection, sending, inner),
  );
  signal.throwIfAborted();
  const records = sending.records.map((row) => withStatus(row, sending, observed, isComplete));
  const missing = records.filter(
    ({ role, status }) => status !== "right" && insistsOn(sending, role),
  );
  const isRight = missing.length === 0;
  const account = await askAccount(runtime, connection, sending, isRight, signal);
  const decision = decideSendingState(sending, {
    isRight,
    isComplete,
    isAccepted: account.isAccepted,
  });
  const now = runtime.clock.now();
  const { state, misses, nextCheckMs } = decision;
  const isGood = state === "ready" || state === "accepted";
  const check = {
    sending: {
      ...sending,
      records,
      state,
      misses,
      checks: state === sending.state ? sending.checks + 1 : 0,
      accountError: account.error,
      readyAt: isGood ? (sending.readyAt ?? now) : null,
      acceptedAt: state === "accepted" ? (sending.acceptedAt ?? now) : null,
    },
    dueAt: new Date(now.getTime() + nextCheckMs),
    now,
  };
  return { check, decision, missing };
}

function insistsOn({ provider }: SendingDomain, role: SendingDomainRecord["role"]): boolean {
  return role !== "dmarc" || findSendingProvider(provider)?.needsDmarc === true;
}

function withStatus(
  row: SendingDomainRecord,
  { provider, domain, spfTerm, records }: SendingDomain,
  observed: MailObservation,
  isComplete: boolean,
): SendingDomainRecord {
  const set: SendingSet = { provider, domain, spfTerm, records, notes: [] };
  const status = sendingStatus(row, set, observed);
  return { ...row, status: status === "right" || isComplete ? status : null };
}

interface AccountAnswer {
  readonly isAccepted: boolean | null;
  readonly error: string | null;
}

/** The service is asked to check DNS again once the records are right, and only then. */
async function askAccount(
  runtime: Runtime,
  { tenantId, hostname }: Connection,
  sending: SendingDomain,
  isRight: boolean,
  signal: AbortSignal,
): Promise<AccountAnswer> {
  const verify = isRight && sending.state !== "accepted";
  if (!isRight && sending.state === "waiting") return { isAccepted: null, error: null };
  try {
    const access = openAccess(runtime, tenantId, sending);
    if (access === null) return { isAccepted: null, error: null };
    const request = { access, verify };
    const found = await readAccount(runtime, sending.provider, hostname, request, signal);
    return { isAccepted: found.isAccepted, error: null };
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    return { isAccepted: null, error: error.message };
  }
}

/**
 * The row, and an event for each change of its state; null when the row was written since it was
 * read.
 */
export async function storeChecked(tx: Tx, checked: CheckedSending): Promise<SendingDomain | null> {
  const { check, decision, missing } = checked;
  // The connection first: every writer takes the locks in this order.
  const locked =
    decision.events.length > 0 ? await lockConnection(tx, check.sending.connectionId) : null;
  const stored = await storeSendingCheck(tx, check);
  if (stored === null || locked === null) return stored;
  const { provider, domain, state } = stored;
  for (const type of decision.events) {
    await nextSequence(tx, locked.id, check.now);
    const connection = await lockConnection(tx, locked.id);
    if (connection === null) return stored;
    await insertEvent(tx, connection, {
      type,
      sequence: connection.sequence,
      at: check.now,
      data: {
        sending: {
          provider,
          domain,
          status: state,
          missing: missing.map(({ record }) => toDesired(record)),
        },
      },
    });
  }
  return stored;
}
