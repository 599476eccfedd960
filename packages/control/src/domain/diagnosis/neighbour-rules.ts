import { isProxyAddress } from "@mooring/dns";
import type { DesiredRecord } from "../connection.ts";
import { toDnsRecord } from "../desired-records.ts";
import { recordLine, shown } from "./evidence.ts";
import { type DiagnosisFacts, isSettled } from "./facts.ts";
import type { Draft, Rule } from "./finding.ts";
import { allInForm, atProvider, inForm, placeOf } from "./place.ts";
import { foreignValues, isAddressLike, recordProblems } from "./record-problem.ts";
import { evidenceOf, hindrance } from "./record-rules.ts";

/** What stands beside the wanted records and spoils them. */

export const aaaaLeftover: Rule = (facts) =>
  leftovers(facts, (value) => value.includes(":")).map(({ name, values, evidence }) => ({
    severity: hindrance(facts),
    title: `An old IPv6 address still stands at ${name}`,
    evidence,
    actor: "end_customer",
    fix: `${atProvider(placeOf(facts))}, remove the AAAA record ${values.join(", ")} at ${name}: visitors with IPv6 and the certificate authority, which tries IPv6 first, go there instead.`,
  }));

export const aLeftover: Rule = (facts) =>
  leftovers(facts, (value) => !value.includes(":")).map(({ name, values, evidence }) => ({
    severity: hindrance(facts),
    title: `Another server's address stands beside the service's at ${name}`,
    evidence,
    actor: "end_customer",
    fix: `${atProvider(placeOf(facts))}, remove ${values.join(", ")} at ${name}: a part of the visitors, and perhaps the certificate authority, goes there instead.`,
  }));

interface Leftover {
  readonly name: string;
  readonly values: readonly string[];
  readonly evidence: readonly string[];
}

function leftovers(
  facts: DiagnosisFacts,
  isMeant: (value: string) => boolean,
): readonly Leftover[] {
  return recordProblems(facts)
    .filter(({ kind }) => kind === "leftover")
    .flatMap((problem) => {
      const observed = problem.checks.flatMap(({ observedValues }) => observedValues);
      const foreign = foreignValues(facts, problem.name, [...new Set(observed)]);
      const values = foreign.filter(isMeant);
      if (values.length === 0) return [];
      return [{ name: problem.name, values, evidence: evidenceOf(problem) }];
    });
}

/** Cloudflare refuses to lead from one account's proxy to another's (its error 1014). */
export const proxyToProxy: Rule = (facts) => {
  const isEdgeProxied = [...facts.edge.addresses].some(isProxyAddress);
  if (!isEdgeProxied) return [];
  return facts.dns.names
    .filter(({ name }) => facts.connection.desiredRecords.some(({ host }) => host === name))
    .flatMap(({ name, records }): Draft[] => {
      // The service's own addresses at the name are no proxy of the customer's.
      const hidden = records.filter(
        ({ value }) => isProxyAddress(value) && !facts.edge.addresses.has(value),
      );
      if (hidden.length === 0) return [];
      return [
        {
          severity: "warning",
          title: `${name} and the service are both behind Cloudflare, in different accounts`,
          evidence: [
            `${name}: ${shown(hidden.map(({ value }) => value))}`,
            `${facts.edge.cname}: ${shown([...facts.edge.addresses].filter(isProxyAddress))}`,
          ],
          actor: "operator",
          fix: `Cloudflare answers such visitors with its error 1014. Add ${name} as a custom hostname (Cloudflare for SaaS) in the service's account; if the owner of ${name} has a zone hold, it must be released there. Or have the record of ${name} set to "DNS only" and take ${facts.edge.cname} off the proxy.`,
        },
      ];
    });
};

const policy = /^v=(?:spf1|DMARC1)\b/i;

function isPolicy({ type, value }: DesiredRecord): boolean {
  return type === "TXT" && policy.test(value);
}

export const policyDuplicate: Rule = (facts) =>
  facts.dns.conflicts.filter(isPolicy).map((present) => ({
    severity: "warning",
    title: `${present.host} would have two ${/spf/i.test(present.value) ? "SPF" : "DMARC"} policies`,
    evidence: [recordLine(toDnsRecord(present))],
    actor: "end_customer",
    fix: `A name may have one such policy only; with two, receivers ignore both. ${atProvider(placeOf(facts))}, merge the wanted value into the record that is there instead of adding a second one.`,
  }));

/** Addresses that are in the way show as records that lead elsewhere; this is about all else. */
export const recordConflict: Rule = (facts) => {
  const strangers = facts.dns.conflicts.filter(
    (record) => !isPolicy(record) && !isAddressLike(record.type),
  );
  const hosts = [...new Set(strangers.map(({ host }) => host))];
  return hosts.map((host) => {
    const records = strangers.filter((record) => record.host === host).map(toDnsRecord);
    const wanted = facts.connection.desiredRecords.filter((record) => record.host === host);
    const forms = allInForm(wanted.map(toDnsRecord), placeOf(facts));
    return {
      severity: hindrance(facts),
      title: `Other records stand at ${host}, where the wanted one must stand alone`,
      evidence: records.map(recordLine),
      actor: "end_customer",
      fix: `${atProvider(placeOf(facts))}, move or remove ${records.map(({ type }) => type).join(", ")} at ${host} if nothing depends on it (MX receives mail), then set ${forms}. Otherwise connect another name.`,
    };
  });
};

export const wildcardAnswers: Rule = (facts) => {
  if (isSettled(facts)) return [];
  return facts.dns.names
    .filter(({ fromWildcard }) => fromWildcard)
    .map(({ name, records }) => {
      const wanted = facts.connection.desiredRecords.filter(({ host }) => host === name);
      const forms = wanted.map((record) => inForm(toDnsRecord(record), placeOf(facts)));
      return {
        severity: "warning",
        title: `A wildcard record answers for ${name}`,
        evidence: records.map(recordLine),
        actor: "end_customer",
        fix: `${atProvider(placeOf(facts))}, add the ownership record and ${forms.join("; and ")} together: the wildcard stops answering for ${name} as soon as any record at or below it exists.`,
      };
    });
};
