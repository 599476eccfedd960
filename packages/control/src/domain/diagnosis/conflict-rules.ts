import type { DesiredRecord } from "../connections/connection.ts";
import { fromDesired } from "../records/desired-records.ts";
import { isSettled } from "./facts.ts";
import type { Rule } from "./finding.ts";
import {
  allInForm,
  atDnsHost,
  findDnsHost,
  inForm,
  listed,
  recordLine,
  shown,
} from "./finding-text.ts";
import { isAddressLike, recordSeverity } from "./record-rules.ts";

/** Rules about records that are there and conflict with the desired ones. */

/** Browsers only: neither a certificate nor the state of the connection depends on it. */
export const httpsLeftover: Rule = (facts) =>
  facts.dns.conflicts
    .filter(({ type }) => type === "HTTPS")
    .map(({ host, value, priority }) => ({
      severity: recordSeverity(facts),
      title: `There is still an old HTTPS record at ${host}`,
      evidence: [`${host}: HTTPS ${priority} ${shown([value])}`],
      actor: "end_customer",
      params: { name: host, observed: listed([value]) },
      fix: `${atDnsHost(findDnsHost(facts))}, remove the HTTPS record at ${host}: browsers that read it go to another server, or do not connect.`,
    }));

const policy = /^v=(?:spf1|DMARC1)\b/i;

function isPolicy({ type, value }: DesiredRecord): boolean {
  return type === "TXT" && policy.test(value);
}

export const policyDuplicate: Rule = (facts) =>
  facts.dns.conflicts.filter(isPolicy).map((present) => ({
    severity: "warning",
    title: `${present.host} would have two ${/spf/i.test(present.value) ? "SPF" : "DMARC"} policies`,
    evidence: [recordLine(fromDesired(present))],
    actor: "end_customer",
    params: { name: present.host },
    fix: `A name may have one such policy only; with two, receivers ignore both. ${atDnsHost(findDnsHost(facts))}, merge the wanted value into the record that is there instead of adding a second one.`,
  }));

/** Conflicting addresses are reported as leftovers or mismatches; this covers all other types. */
export const recordConflict: Rule = (facts) => {
  const conflicting = facts.dns.conflicts.filter(
    (record) => !isPolicy(record) && !isAddressLike(record.type) && record.type !== "HTTPS",
  );
  const hosts = [...new Set(conflicting.map(({ host }) => host))];
  return hosts.map((host) => {
    const records = conflicting.filter((record) => record.host === host).map(fromDesired);
    const requested = facts.connection.desiredRecords.filter((record) => record.host === host);
    const forms = allInForm(requested.map(fromDesired), findDnsHost(facts));
    return {
      severity: recordSeverity(facts),
      title: `There are other records at ${host}, where the wanted one must be alone`,
      evidence: records.map(recordLine),
      actor: "end_customer",
      params: { name: host, observed: records.map(({ type }) => type).join(", ") },
      add: requested.map(fromDesired),
      remove: records,
      fix: `${atDnsHost(findDnsHost(facts))}, move or remove ${records.map(({ type }) => type).join(", ")} at ${host} if nothing depends on it (MX receives mail), then set ${forms}. Otherwise connect another name.`,
    };
  });
};

export const wildcardAnswers: Rule = (facts) => {
  if (isSettled(facts)) return [];
  return facts.dns.names
    .filter(({ fromWildcard }) => fromWildcard)
    .map(({ name, records }) => {
      const requested = facts.connection.desiredRecords.filter(({ host }) => host === name);
      const forms = requested.map((record) => inForm(fromDesired(record), findDnsHost(facts)));
      return {
        severity: "warning",
        title: `A wildcard record answers for ${name}`,
        evidence: records.map(recordLine),
        actor: "end_customer",
        params: { name },
        add: requested.map(fromDesired),
        fix: `${atDnsHost(findDnsHost(facts))}, add the ownership record and ${forms.join("; and ")} together: the wildcard stops answering for ${name} as soon as any record at or below it exists.`,
      };
    });
};
