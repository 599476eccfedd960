import type { DnsRecord, MailObservation, MailSet, Resolver } from "@mooring/dns";
import type { Connection } from "../../domain/connection.ts";
import { orElse } from "../domains/budget.ts";
import { lookAtName, unseen } from "../domains/look-at-name.ts";
import type { LookRuntime } from "../domains/recent-facts.ts";

export interface PublicMail {
  readonly seen: MailObservation;
  /** Every name could be looked at. */
  readonly isComplete: boolean;
}

/** What DNS shows at the names of a mail set, where the zone itself cannot be read. */
export async function seeMail(
  runtime: LookRuntime,
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
        orElse(signal, lookAtName(runtime, resolver, name, signal), unseen(name)),
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
  runtime: LookRuntime,
  { environment, hostname, registrableDomain }: Connection,
  signal: AbortSignal,
): Promise<readonly DnsRecord[]> {
  if (hostname === registrableDomain) return [];
  const name = `_dmarc.${registrableDomain}`;
  const resolver = runtime.dns.resolverFor(environment, name);
  const look = lookAtName(runtime, resolver, name, signal);
  const { records, fromWildcard } = await orElse(signal, look, unseen(name));
  return fromWildcard ? [] : records;
}
