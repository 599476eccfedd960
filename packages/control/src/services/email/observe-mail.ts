import { orElse } from "@mooring/concurrency";
import {
  type DnsRecord,
  derivedMicrosoftMx,
  type MailNote,
  type MailObservation,
  type MailRecord,
  type MailSet,
  mailNote,
  maxSpfLookups,
  maxSpfVoidLookups,
  type QueryType,
  type Resolver,
  type SpfCost,
  spfCost,
  spfQuestionKey,
} from "@mooring/dns";
import type { Connection } from "../../domain/connections/connection.ts";
import { type DomainCheckRuntime, observeName, unobserved } from "../domains/observe-name.ts";

export interface PublicMail {
  readonly observed: MailObservation;
  /** Every name was answered. */
  readonly isComplete: boolean;
}

/** What DNS answers for the names of a mail set, for a zone that cannot be read at its provider. */
export async function observeMail(
  runtime: DomainCheckRuntime,
  connection: Connection,
  set: { readonly domain: string; readonly records: readonly { readonly record: DnsRecord }[] },
  signal: AbortSignal,
): Promise<PublicMail> {
  const resolver = runtime.dns.resolverFor(connection.environment, set.domain);
  const names = [
    ...new Set([...set.records.map(({ record }) => record.name), `_mta-sts.${set.domain}`]),
  ];
  const services = set.records.flatMap(({ record }) =>
    record.type === "SRV" ? [record.name] : [],
  );
  const [observations, found, above] = await Promise.all([
    Promise.all(
      names.map((name) =>
        orElse(signal, observeName(runtime, resolver, name, signal), unobserved(name)),
      ),
    ),
    Promise.all(services.map((name) => servicesAt(resolver, name, signal))),
    policyAbove(runtime, connection, signal),
  ]);
  const own = observations.filter(({ fromWildcard, name }) => !fromWildcard || name === set.domain);
  const records = [...own.flatMap((name) => name.records), ...found.flat(), ...above];
  return {
    observed: { records, occupied: [] },
    isComplete: observations.every(({ complete }) => complete),
  };
}

async function servicesAt(
  resolver: Resolver,
  name: string,
  signal: AbortSignal,
): Promise<readonly DnsRecord[]> {
  const reply = await orElse(signal, resolver.resolve(name, "SRV", signal), null);
  if (reply?.outcome !== "records") return [];
  return reply.records
    .filter((record) => record.name === name)
    .map((record) => ({ ...record, type: "SRV" }));
}

/** The DMARC policy of the registrable domain, which covers the names below it. */
export async function policyAbove(
  runtime: DomainCheckRuntime,
  { environment, hostname, registrableDomain }: Connection,
  signal: AbortSignal,
): Promise<readonly DnsRecord[]> {
  if (hostname === registrableDomain) return [];
  const name = `_dmarc.${registrableDomain}`;
  const resolver = runtime.dns.resolverFor(environment, name);
  const policy = observeName(runtime, resolver, name, signal);
  const { records, fromWildcard } = await orElse(signal, policy, unobserved(name));
  return fromWildcard ? [] : records;
}

export interface CheckedSet {
  readonly set: MailSet;
  /** Why the MX records are left to a person; null when they may be written. */
  readonly manualMxReason: MailNote | null;
}

/**
 * Checks that a Microsoft 365 MX host resolves before it is written, because it was typed by hand
 * or derived by a rule: a host that does not exist loses all mail.
 */
export async function checkMx(
  runtime: DomainCheckRuntime,
  connection: Connection,
  set: MailSet,
  signal: AbortSignal,
): Promise<CheckedSet> {
  if (set.provider !== "microsoft_365") return { set, manualMxReason: null };
  const mx = set.records.find(({ role }) => role === "mx")?.record.value;
  if (mx !== undefined) {
    const exists = await resolves(runtime, connection, mx, signal);
    if (exists === true) return { set, manualMxReason: null };
    const why = exists === null ? "mx_host_unknown" : "mx_host_missing";
    return { set, manualMxReason: mailNote(why, { host: mx }) };
  }
  const derived = derivedMicrosoftMx(set.domain);
  if (derived === null || (await resolves(runtime, connection, derived, signal)) !== true) {
    return { set, manualMxReason: null };
  }
  return {
    set: { ...set, records: [mxRecord(set.domain, derived), ...set.records] },
    manualMxReason: mailNote("mx_host_derived", { host: derived }),
  };
}

function mxRecord(domain: string, value: string): MailRecord {
  return { role: "mx", record: { name: domain, type: "MX", value, ttl: 3_600, priority: 0 } };
}

/** Null when DNS does not answer. */
async function resolves(
  runtime: DomainCheckRuntime,
  { environment }: Connection,
  host: string,
  signal: AbortSignal,
): Promise<boolean | null> {
  const resolver = runtime.dns.resolverFor(environment, host);
  const replies = await Promise.all(
    (["A", "AAAA"] as const).map((type) =>
      orElse(signal, resolver.resolve(host, type, signal), null),
    ),
  );
  if (replies.some((reply) => reply?.outcome === "records")) return true;
  return replies.every((reply) => reply?.outcome === "absent") ? false : null;
}

/** More than any valid record needs, and a limit for a record made to cause many queries. */
const maxQuestions = 60;

/**
 * Counts the lookups that an SPF record costs now. Includes are resolved, since they can change.
 */
export async function countSpf(
  resolver: Resolver,
  record: string,
  domain: string,
  signal: AbortSignal,
): Promise<SpfCost> {
  const answers = new Map<string, readonly string[] | null>();
  for (;;) {
    const cost = spfCost(record, domain, answers);
    const next = cost.open.slice(0, Math.max(0, maxQuestions - answers.size));
    if (next.length === 0)
      return { ...cost, isUncertain: cost.isUncertain || cost.open.length > 0 };
    await Promise.all(
      next.map(async (question) => {
        const values = await ask(resolver, question.name, question.type, signal);
        answers.set(spfQuestionKey(question), values);
      }),
    );
  }
}

async function ask(
  resolver: Resolver,
  name: string,
  type: QueryType,
  signal: AbortSignal,
): Promise<readonly string[] | null> {
  const reply = await orElse(signal, resolver.resolve(name, type, signal), null);
  if (reply === null || reply.outcome === "failed") return null;
  return reply.outcome === "absent" ? [] : reply.records.map(({ value }) => value);
}

/** The count, and its problems. */
export function spfNotes({ lookups, voids, errors, isUncertain }: SpfCost): readonly MailNote[] {
  const counted = isUncertain ? "spf_lookups_least" : "spf_lookups";
  const code = lookups > maxSpfLookups ? "spf_lookups_over" : counted;
  const empty = { count: voids, limit: maxSpfVoidLookups };
  return [
    mailNote(code, { count: lookups, limit: maxSpfLookups }),
    ...(voids > maxSpfVoidLookups ? [mailNote("spf_lookups_void", empty)] : []),
    ...errors,
  ];
}
