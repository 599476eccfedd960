import {
  type DnsRecord,
  derivedMicrosoftMx,
  type MailRecord,
  type MailSeen,
  type MailSet,
  MOST_SPF_LOOKUPS,
  MOST_SPF_VOIDS,
  type QueryType,
  type Resolver,
  type SpfCost,
  spfCost,
  spfQuestionKey,
} from "@mooring/dns";
import type { Connection } from "../../domain/connection.ts";
import { orElse } from "../domains/budget.ts";
import { type DomainCheckRuntime, observeName, unobserved } from "../domains/observe-name.ts";

export interface PublicMail {
  readonly seen: MailSeen;
  /** Every name could be looked at. */
  readonly isComplete: boolean;
}

/** What DNS shows at the names of a mail set, where the zone itself cannot be read. */
export async function seeMail(
  runtime: DomainCheckRuntime,
  connection: Connection,
  set: MailSet,
  signal: AbortSignal,
): Promise<PublicMail> {
  const resolver = runtime.dns.resolverFor(connection.environment, set.domain);
  const names = [
    ...new Set([...set.records.map(({ record }) => record.name), `_mta-sts.${set.domain}`]),
  ];
  const services = set.records.flatMap(({ record }) =>
    record.type === "SRV" ? [record.name] : [],
  );
  const [looks, found, above] = await Promise.all([
    Promise.all(
      names.map((name) =>
        orElse(signal, observeName(runtime, resolver, name, signal), unobserved(name)),
      ),
    ),
    Promise.all(services.map((name) => servicesAt(resolver, name, signal))),
    policyAbove(runtime, connection, signal),
  ]);
  const own = looks.filter(({ fromWildcard, name }) => !fromWildcard || name === set.domain);
  const records = [...own.flatMap((look) => look.records), ...found.flat(), ...above];
  return { seen: { records, occupied: [] }, isComplete: looks.every(({ complete }) => complete) };
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

/** The policy of the registered domain, which covers a name below it. */
export async function policyAbove(
  runtime: DomainCheckRuntime,
  { environment, hostname, registrableDomain }: Connection,
  signal: AbortSignal,
): Promise<readonly DnsRecord[]> {
  if (hostname === registrableDomain) return [];
  const name = `_dmarc.${registrableDomain}`;
  const resolver = runtime.dns.resolverFor(environment, name);
  const look = observeName(runtime, resolver, name, signal);
  const { records, fromWildcard } = await orElse(signal, look, unobserved(name));
  return fromWildcard ? [] : records;
}

export interface CheckedSet {
  readonly set: MailSet;
  /** Why the MX records are left to a person; null when they may be written. */
  readonly holdMx: string | null;
}

/**
 * A host that was typed, or that only follows from a rule, must exist before mail is led there: one
 * that does not resolve loses all of it.
 */
export async function checkMx(
  runtime: DomainCheckRuntime,
  connection: Connection,
  set: MailSet,
  signal: AbortSignal,
): Promise<CheckedSet> {
  if (set.provider !== "microsoft_365") return { set, holdMx: null };
  const given = set.records.find(({ role }) => role === "mx")?.record.value;
  if (given !== undefined) {
    const exists = await resolves(runtime, connection, given, signal);
    if (exists === true) return { set, holdMx: null };
    const why = exists === null ? "could not be looked up" : "does not exist in DNS";
    return { set, holdMx: `The MX host ${given} ${why}; compare it with the admin center.` };
  }
  const derived = derivedMicrosoftMx(set.domain);
  if (derived === null || (await resolves(runtime, connection, derived, signal)) !== true) {
    return { set, holdMx: null };
  }
  return {
    set: { ...set, records: [mxRecord(set.domain, derived), ...set.records] },
    holdMx: `The MX host ${derived} exists and probably is the domain's own; the admin center shows it for certain.`,
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

/** More than any record within the limits needs, and an end for one that is made to cost. */
const MOST_QUESTIONS = 60;

/** What an SPF record costs its receivers now: includes change without notice, so they are asked. */
export async function countSpf(
  resolver: Resolver,
  record: string,
  domain: string,
  signal: AbortSignal,
): Promise<SpfCost> {
  const answers = new Map<string, readonly string[] | null>();
  for (;;) {
    const cost = spfCost(record, domain, answers);
    const next = cost.open.slice(0, Math.max(0, MOST_QUESTIONS - answers.size));
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

/** The count in words, and what is the matter with it. */
export function spfNotes({ lookups, voids, errors, isUncertain }: SpfCost): readonly string[] {
  const count = `${isUncertain ? "at least " : ""}${lookups} of ${MOST_SPF_LOOKUPS}`;
  return [
    lookups > MOST_SPF_LOOKUPS
      ? `The SPF record costs ${count} lookups, and receivers refuse it as a whole (RFC 7208 §4.6.4): take out senders that are no longer used before publishing it.`
      : `The SPF record costs ${count} lookups.`,
    ...(voids > MOST_SPF_VOIDS
      ? [
          `${voids} of the lookups find nothing; above ${MOST_SPF_VOIDS}, receivers may refuse the record.`,
        ]
      : []),
    ...errors,
  ];
}
