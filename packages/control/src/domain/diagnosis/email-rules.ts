import {
  type DnsRecord,
  findMailboxProvider,
  isSpf,
  type MailRole,
  mailNoteText,
  maxSpfLookups,
  maxSpfVoidLookups,
  mergeSpf,
  mxHolder,
  type Reply,
} from "@mooring/dns";
import { type DiagnosisFacts, type EmailFacts, visibleWithinMs } from "./facts.ts";
import { beingWritten, type Draft, type Rule } from "./finding.ts";
import { allInForm, atDnsHost, findDnsHost, inForm, recordLine, shown } from "./finding-text.ts";

/** Rules about the connection's email setup. An unanswered question is no finding. */

function withMail(
  rule: (email: EmailFacts, facts: DiagnosisFacts) => Omit<Draft, "severity" | "actor"> | null,
): Rule {
  return (facts) => {
    const { email } = facts;
    const found = email === null ? null : rule(email, facts);
    if (email === null || found === null) return [];
    // What was only shown may never have been requested.
    const severity = email.setup.applied ? "warning" : "info";
    return [{ severity, actor: "end_customer", ...found }];
  };
}

/** The same for records that the service has just written and that may not be visible yet. */
function written(role: MailRole, rule: Parameters<typeof withMail>[0]): Rule {
  const plain = withMail(rule);
  return (facts) => {
    const { now, email } = facts;
    const isOurs = email?.setup.records.every((one) => one.role !== role || one.isWritten);
    const age = email === null ? Number.NaN : now.getTime() - email.setup.updatedAt.getTime();
    const isOnItsWay = isOurs === true && email?.setup.applied === true && age < visibleWithinMs;
    return plain(facts).map((draft) => (isOnItsWay ? { ...draft, ...beingWritten } : draft));
  };
}

function answeredValues(reply: Reply | null): readonly string[] {
  return reply?.outcome === "records" ? reply.records.map(({ value }) => value) : [];
}

/** DNS answers that there is no such record, and no alias either. */
function isAbsent(reply: Reply | null): boolean {
  return reply?.outcome === "absent" && reply.chain.length === 0;
}

function isAnswered(reply: Reply | null): boolean {
  return reply !== null && reply.outcome !== "failed";
}

function requested({ setup }: EmailFacts, role: MailRole): readonly DnsRecord[] {
  return setup.records.flatMap((one) => (one.role === role ? [one.record] : []));
}

function providerName({ setup }: EmailFacts): string {
  return findMailboxProvider(setup.provider)?.name ?? setup.provider;
}

export const emailMxMissing: Rule = written("mx", (email, facts) => {
  if (!isAbsent(email.mx)) return null;
  const { domain } = email.setup;
  const records = requested(email, "mx");
  const add =
    records.length > 0
      ? `add ${allInForm(records, findDnsHost(facts))}`
      : `add the MX record that ${providerName(email)} shows for the domain`;
  return {
    title: `${domain} has no MX record, so that mail does not reach ${providerName(email)}`,
    evidence: [`${domain}: no MX record`],
    add: records,
    fix: `${atDnsHost(findDnsHost(facts))}, ${add}.`,
  };
});

export const emailMxElsewhere: Rule = withMail((email, facts) => {
  const hosts = answeredValues(email.mx);
  const own = new Set(requested(email, "mx").map(({ value }) => value));
  const elsewhere = hosts.filter(
    (host) => !own.has(host) && mxHolder(host).provider !== email.setup.provider,
  );
  if (elsewhere.length === 0) return null;
  const { domain } = email.setup;
  return {
    title: `Mail of ${domain} goes to ${shown(elsewhere)}`,
    evidence: [`${domain}: MX ${shown(hosts)}`],
    fix: `If the mailboxes are at ${providerName(email)} now, replace the whole set of MX records ${atDnsHost(findDnsHost(facts)).replace(/^\w/, (letter) => letter.toLowerCase())}; with both, a part of the mail is lost.`,
  };
});

export const emailSpfMultiple: Rule = withMail((email, facts) => {
  const records = answeredValues(email.spf).filter(isSpf);
  if (records.length < 2) return null;
  const { domain, spfTerm } = email.setup;
  return {
    title: `${domain} has ${records.length} SPF records, and receivers ignore all of them`,
    evidence: records.map((value) => `${domain}: TXT ${shown([`"${value}"`])}`),
    fix: `${atDnsHost(findDnsHost(facts))}, keep one SPF record with the senders of all of them and “${spfTerm}”, and remove the others.`,
  };
});

export const emailSpfMissing: Rule = withMail((email, facts) => {
  const { domain, spfTerm } = email.setup;
  const values = answeredValues(email.spf);
  if (!isAnswered(email.spf) || values.filter(isSpf).length > 1) return null;
  const { outcome, value } = mergeSpf(values, [spfTerm]);
  if (outcome === "noop") return null;
  const [present] = values.filter(isSpf);
  const record = { name: domain, type: "TXT", ttl: 3_600, priority: null } as const;
  const form = value === null ? null : inForm({ ...record, value }, findDnsHost(facts));
  const how =
    form === null
      ? `decide about “${spfTerm}” in the SPF record`
      : `${present === undefined ? "add" : "replace the SPF record by"} ${form}`;
  return {
    title:
      present === undefined
        ? `${domain} has no SPF record`
        : `The SPF record of ${domain} does not name ${providerName(email)}`,
    evidence: [
      present === undefined
        ? `${domain}: no SPF record`
        : `${domain}: TXT ${shown([`"${present}"`])}`,
    ],
    fix: `${atDnsHost(findDnsHost(facts))}, ${how}.`,
  };
});

export const emailSpfBroken: Rule = withMail((email, facts) => {
  const { cost, setup } = email;
  if (cost === null) return null;
  const evidence = [
    ...(cost.lookups > maxSpfLookups
      ? [`The SPF record costs ${cost.lookups} lookups, of ${maxSpfLookups} that are allowed`]
      : []),
    ...(cost.voids > maxSpfVoidLookups
      ? [`${cost.voids} of its lookups find nothing, of ${maxSpfVoidLookups} that are allowed`]
      : []),
    ...cost.errors.map(mailNoteText),
  ];
  if (evidence.length === 0) return null;
  return {
    title: `Receivers refuse the SPF record of ${setup.domain}`,
    evidence,
    fix: `${atDnsHost(findDnsHost(facts))}, take senders that are no longer used out of the SPF record of ${setup.domain}, and those that lead nowhere.`,
  };
});

export const emailDkimMissing: Rule = written("dkim", (email, facts) => {
  const missing = email.dkim.filter(({ reply }) => isAbsent(reply)).map(({ record }) => record);
  if (missing.length === 0) return null;
  return {
    title: `${email.setup.domain} lacks a DKIM record, so that its mail is not trusted as its own`,
    evidence: missing.map(({ name, type }) => `${name}: no ${type} record`),
    add: missing,
    fix: `${atDnsHost(findDnsHost(facts))}, add ${allInForm(missing, findDnsHost(facts))}.`,
  };
});

export const emailDmarcMissing: Rule = written("dmarc", (email, facts) => {
  const [record] = requested(email, "dmarc");
  if (record === undefined || !isAnswered(email.dmarc)) return null;
  const isAlias = email.dmarc?.outcome === "absent" && email.dmarc.chain.length > 0;
  const policies = answeredValues(email.dmarc).filter((value) =>
    /^v=DMARC1(?:\s|;|$)/i.test(value),
  );
  if (isAlias || policies.length === 1 || email.hasPolicyAbove) return null;
  const isSeveral = policies.length > 1;
  return {
    title: isSeveral
      ? `${record.name} has several policies, and receivers ignore all of them`
      : `${email.setup.domain} has no DMARC policy`,
    evidence: isSeveral
      ? policies.map((value) => recordLine({ ...record, value }))
      : [`${record.name}: no DMARC policy`],
    fix: isSeveral
      ? `${atDnsHost(findDnsHost(facts))}, keep one of them and remove the others.`
      : `${atDnsHost(findDnsHost(facts))}, add ${inForm(record, findDnsHost(facts))}.`,
  };
});
