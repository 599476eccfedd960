import { type FailureReason, findProvider, isAtOrBelow } from "@mooring/dns";
import { type DiagnosisFacts, isBeingWritten, isSettled, type NameserverFacts } from "./facts.ts";
import type { Draft, Rule } from "./finding.ts";
import { detectFromFacts, failureText, findDnsHost, shown } from "./finding-text.ts";

/** Rules about the domain's registration and its nameservers. */

export const notRegistered: Rule = ({ connection, dns }) => {
  if (dns.zone?.outcome !== "unregistered") return [];
  const domain = connection.registrableDomain;
  return [
    {
      severity: "error",
      title: `${domain} is not registered, or its registration has lapsed`,
      evidence: [`DNS: ${domain} does not exist (NXDOMAIN)`],
      actor: "end_customer",
      fix: `Register or renew ${domain} at a registrar, or check its spelling. After a renewal it can take a few hours to come back.`,
    },
  ];
};

const silent: ReadonlySet<FailureReason> = new Set(["timeout", "unreachable"]);
const failing: ReadonlySet<FailureReason> = new Set(["servfail", "refused", "malformed"]);
const lame: ReadonlySet<FailureReason> = new Set(["lame"]);

export const nsUnreachable: Rule = (facts) =>
  serverTrouble(facts, silent, {
    title: (zone, which) => `${which} of ${zone} cannot be reached`,
    fix: (zone) =>
      `Check the list of nameservers of ${zone} at its registrar and remove those that no longer exist; if they are right, ask the DNS provider about an outage.`,
  });

export const nsServfail: Rule = (facts) =>
  serverTrouble(facts, failing, {
    title: (zone, which) => `${which} of ${zone} answer with an error`,
    fix: (zone) =>
      `Ask the DNS provider of ${zone} why its nameservers fail; often the zone was removed there, or was never set up.`,
  });

export const nsLame: Rule = (facts) =>
  serverTrouble(facts, lame, {
    title: (zone, which) => `${which} of ${zone} do not serve it`,
    fix: (zone) =>
      `At the registrar of ${zone}, set exactly the nameservers that the DNS provider names, or set the zone up at the provider whose nameservers are there now.`,
  });

interface TroubleText {
  readonly title: (zone: string, which: string) => string;
  readonly fix: (zone: string) => string;
}

/** An error when all servers fail, a warning when some do: those affect a part of the visitors. */
function serverTrouble(
  facts: DiagnosisFacts,
  reasons: ReadonlySet<FailureReason>,
  text: TroubleText,
): readonly Draft[] {
  const { dns } = facts;
  const { zone } = findDnsHost(facts);
  const base = { actor: "end_customer", fix: text.fix(zone) } as const;
  if (dns.zone?.outcome === "failed" && reasons.has(dns.zone.reason)) {
    const evidence = [`Resolvers, asked for ${zone}: ${failureText(dns.zone.reason)}`];
    const title = text.title(zone, "The nameservers");
    return [{ ...base, severity: "error", title, evidence }];
  }
  const troubled = dns.servers.flatMap(({ host, reply }) =>
    reply.outcome === "failed" && reasons.has(reply.reason) ? [{ host, reason: reply.reason }] : [],
  );
  if (troubled.length === 0) return [];
  const isAll = troubled.length === dns.servers.length;
  return [
    {
      ...base,
      severity: isAll ? "error" : "warning",
      title: text.title(zone, isAll ? "The nameservers" : "Some nameservers"),
      evidence: troubled.map(({ host, reason }) => `${host}: ${failureText(reason)}`),
    },
  ];
}

export const nsDisagree: Rule = (facts) => {
  const { dns } = facts;
  if (dns.zone?.outcome !== "found") return [];
  const listed = dns.servers.flatMap((server) => ownList(server));
  const delegated = dns.zone.servers.map(({ host }) => host);
  const lists = new Set([delegated, ...listed.map(({ hosts }) => hosts)].map(key));
  if (listed.length === 0 || lists.size === 1) return [];
  const { zone } = findDnsHost(facts);
  return [
    {
      severity: "warning",
      title: `The nameservers of ${zone} do not agree on who they are`,
      evidence: [
        `Delegation: ${[...delegated].sort().join(", ")}`,
        ...listed.map(({ host, hosts }) => `${host}: ${shown(hosts)}`),
      ],
      actor: "end_customer",
      fix: `Make the list of nameservers of ${zone} at the registrar and the NS records in the zone the same. Until then a part of the visitors may not see a change.`,
    },
  ];
};

function ownList({ host, reply }: NameserverFacts): { host: string; hosts: readonly string[] }[] {
  if (reply.outcome !== "records") return [];
  return [{ host, hosts: reply.records.map(({ value }) => value).sort() }];
}

function key(hosts: readonly string[]): string {
  return [...new Set(hosts)].sort().join(" ");
}

function delegationLines({ dns }: DiagnosisFacts): string[] {
  if (dns.zone?.outcome !== "found") return [];
  const { zone, servers } = dns.zone;
  return [`Nameservers of ${zone}: ${shown(servers.map(({ host }) => host))}`];
}

export const nsMixedOperators: Rule = (facts) => {
  const detection = detectFromFacts(facts);
  if (detection === null || !detection.mixed || isSettled(facts)) return [];
  const { zone } = findDnsHost(facts);
  const names = detection.ambiguous.map(({ name }) => name);
  const known = names.length > 1 ? names.join(", ") : `${names.join("")} and another provider`;
  return [
    {
      severity: "warning",
      title: `The DNS of ${zone} is spread over several providers`,
      evidence: [...delegationLines(facts), `Recognised: ${known}`],
      actor: "end_customer",
      fix: `Add the records at every one of them, or set nameservers of only one provider at the registrar of ${zone}.`,
    },
  ];
};

export const dnsMoved: Rule = (facts) => {
  const { connection } = facts;
  const now = detectFromFacts(facts)?.provider ?? null;
  const hasMoved = now !== null && connection.provider !== null && now.slug !== connection.provider;
  if (!hasMoved || isSettled(facts)) return [];
  const before = findProvider(connection.provider)?.name ?? connection.provider;
  const { zone } = findDnsHost(facts);
  return [
    {
      severity: "warning",
      title: `The DNS of ${zone} has moved to ${now.name}`,
      evidence: [...delegationLines(facts), `When the connection was made: ${before}`],
      actor: "end_customer",
      fix: `Add the records at ${now.name}; what is changed at the earlier DNS provider no longer has an effect.`,
    },
  ];
};

/** One finding for the one who runs the domain, one for the one who stored the credential. */
export const providerNotDelegated: Rule = (facts) => {
  if (facts.connection.errorCode !== "provider_not_delegated") return [];
  const { zone, provider } = findDnsHost(facts);
  const where = provider === null ? "the nameservers below" : provider;
  const evidence = [
    ...delegationLines(facts),
    `The stored credential: sees a zone for ${facts.connection.hostname} at other nameservers`,
  ];
  const title = `The zone that the service can write is not the one that ${zone} is delegated to`;
  return [
    {
      severity: "warning",
      title,
      evidence,
      actor: "end_customer",
      fix: `Add the records at ${where}, which answers for ${zone}. If ${zone} is meant to be served by the other DNS provider, set its nameservers at the registrar first.`,
    },
    {
      severity: "warning",
      title,
      evidence,
      actor: "tenant",
      fix: `Nothing was written. Store a credential of ${where} for ${zone}, or ask its owner to change the nameservers; then apply the records again.`,
    },
  ];
};

export const zoneDelegated: Rule = (facts) => {
  const { dns, connection } = facts;
  if (dns.zone?.outcome !== "found" || isSettled(facts)) return [];
  const { zone } = dns.zone;
  if (isAtOrBelow(connection.registrableDomain, zone)) return [];
  return [
    {
      severity: "warning",
      title: `${zone} is a zone of its own`,
      evidence: delegationLines(facts),
      actor: "end_customer",
      fix: `Add the records in the zone ${zone}, not in the zone ${connection.registrableDomain}: records there for names below ${zone} has no effect.`,
    },
  ];
};

/** Before this the record has probably not been added yet. */
const reportAfterMs = 15 * 60_000;

export const wrongDnsProvider: Rule = (facts) => {
  const { connection, now, dns } = facts;
  const waitedMs = now.getTime() - connection.phaseStartedAt.getTime();
  const isNothingThere = dns.proof?.outcome === "absent" && dns.proof.reason === undefined;
  if (!isNothingThere || dns.strayProofs.length > 0 || waitedMs < reportAfterMs) return [];
  if (isBeingWritten(facts)) return [];
  const { provider, zone } = findDnsHost(facts);
  const whose = provider === null ? "the nameservers below" : provider;
  return [
    {
      severity: "info",
      title: `Only records at ${whose} count for ${zone}`,
      evidence: delegationLines(facts),
      actor: "end_customer",
      fix: `If the record was added already, check where: the registrar or web host where ${zone} was bought may show a DNS form that has no effect, because its DNS is run by ${whose}.`,
    },
  ];
};
