import type { FoundZone } from "@mooring/dns";
import { dnssecRepair } from "./dnssec-repair.ts";
import type { DiagnosisFacts } from "./facts.ts";
import type { Draft, Rule } from "./finding.ts";
import { findDnsHost, shown } from "./finding-text.ts";

/** Rules about DNSSEC: what our own validation found, and what resolvers say. */

/** RFC 4035 §5: with DS records at the parent, a zone without keys cannot be valid. */
function staleZone(facts: DiagnosisFacts): string | null {
  const { ds, keys, fault } = facts.dns.dnssec;
  if (fault !== null) return fault.reason === "dnskey_missing" ? fault.zone : null;
  const isStale = ds.length > 0 && keys.length > 0 && keys.every(({ hasKeys }) => !hasKeys);
  return isStale ? findDnsHost(facts).zone : null;
}

export const dnssecDsStale: Rule = (facts) => {
  const zone = staleZone(facts);
  if (zone === null) return [];
  const { ds, keys, fault } = facts.dns.dnssec;
  const repair = fault === null ? null : dnssecRepair(fault, facts.connection.hostname);
  return [
    {
      severity: "error",
      title: `DNSSEC of ${zone} is left over from an earlier DNS provider`,
      evidence: [
        ...ds.map((data) => `Registry: DS ${shown([data])}`),
        ...keys.map(({ host }) => `${host}: no DNSKEY record`),
        ...(repair === null || ds.length > 0 ? [] : [repair.why]),
      ],
      actor: repair?.actor ?? "end_customer",
      fix:
        repair?.fix ??
        `At the registrar of ${zone}, remove the DS record (switch DNSSEC off). It can be switched on again later with the keys of the present DNS provider.`,
    },
  ];
};

export const dnssecBroken: Rule = (facts) => {
  if (staleZone(facts) !== null) return [];
  return facts.dns.dnssec.fault === null ? refusedByResolvers(facts) : foundByUs(facts);
};

function foundByUs({ dns, connection }: DiagnosisFacts): readonly Draft[] {
  const { fault, ds } = dns.dnssec;
  if (fault === null) return [];
  const { why, actor, fix } = dnssecRepair(fault, connection.hostname);
  const isAboutDs = fault.reason === "ds_mismatch";
  return [
    {
      severity: "error",
      title: `DNSSEC of ${fault.zone} is broken`,
      evidence: [why, ...(isAboutDs ? ds.map((data) => `Registry: DS ${shown([data])}`) : [])],
      actor,
      fix: `${fix} Until then many visitors and every certificate authority are turned away.`,
    },
  ];
}

function refusedByResolvers(facts: DiagnosisFacts): readonly Draft[] {
  const { dns } = facts;
  const bogusNames = dns.caches.filter(({ reply }) => isBogus(reply)).map(({ record }) => record);
  const isBroken = dns.dnssec.status === "bogus" || isBogus(dns.zone) || bogusNames.length > 0;
  if (!isBroken) return [];
  const { zone } = findDnsHost(facts);
  return [
    {
      severity: "error",
      title: `DNSSEC of ${zone} is broken`,
      evidence: [
        `Validating resolvers: the answers for ${bogusNames[0]?.name ?? zone} fail DNSSEC validation`,
        ...dns.dnssec.ds.map((ds) => `Registry: DS ${shown([ds])}`),
      ],
      actor: "end_customer",
      fix: `At the registrar of ${zone}, correct the DS record so that it fits the keys of the DNS provider, or remove it to switch DNSSEC off. Until then many visitors and every certificate authority are turned away.`,
    },
  ];
}

function isBogus(
  answer: FoundZone | { readonly outcome: string; readonly reason?: string } | null,
): boolean {
  return answer?.outcome === "failed" && "reason" in answer && answer.reason === "bogus";
}
