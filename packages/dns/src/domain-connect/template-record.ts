import type { ExpandedPattern } from "./record-pattern.ts";
import type { DomainConnectRecord } from "./template.ts";

/** An expanded pattern as a record of a template; a text says why there is none. */
export function templateRecord(pattern: ExpandedPattern): DomainConnectRecord | string {
  const { type, host, value, ttl } = pattern;
  switch (type) {
    case "A":
    case "AAAA":
    case "CNAME":
    case "NS":
      return { type, host, pointsTo: value, ttl };
    case "MX":
      return pattern.priority === null
        ? `${host} MX ${value}: the priority is missing.`
        : { type, host, pointsTo: value, ttl, priority: pattern.priority };
    case "TXT":
      return txtRecord(pattern);
    case "SRV":
      return srvRecord(pattern);
    case "CAA":
      return { type, host, data: value, ttl };
    default:
      return `${host} ${type} ${value}: templates have no records of this type.`;
  }
}

/** Of some texts a name may hold one only, and templates say so in ways of their own. */
function txtRecord({ host, value, ttl }: ExpandedPattern): DomainConnectRecord | string {
  if (/^v=spf1(?:\s|$)/i.test(value)) return spfRecord(host, value);
  if (!/^v=DMARC1(?:\s|;|$)/i.test(value)) return { type: "TXT", host, data: value, ttl };
  return {
    type: "TXT",
    host,
    data: value,
    ttl,
    essential: "OnApply",
    txtConflictMatchingMode: "Prefix",
    txtConflictMatchingPrefix: "v=DMARC1",
  };
}

/** SPF is given as rules, which the provider merges into what is there. */
function spfRecord(host: string, value: string): DomainConnectRecord | string {
  const terms = value.split(/\s+/).slice(1);
  const rules = terms.filter((term) => !/^[+?~-]?all$/i.test(term));
  if (rules.length === 0 || rules.some((term) => /^[a-z][a-z0-9._-]*=/i.test(term))) {
    return `${host} TXT ${value}: only the mechanisms of an SPF record can be merged into another.`;
  }
  return { type: "SPFM", host, spfRules: rules.join(" ") };
}

/** `_service._protocol[.name]`; the value is `weight port target`. */
function srvRecord(pattern: ExpandedPattern): DomainConnectRecord | string {
  const { host, value, ttl, priority } = pattern;
  const [, service, protocol, name] = /^(_[^.]+)\.(_[^.]+)(?:\.(.+))?$/.exec(host) ?? [];
  const [, weight, port, target] = /^(\d+)\s+(\d+)\s+(\S+)$/.exec(value.trim()) ?? [];
  if (
    service === undefined ||
    protocol === undefined ||
    target === undefined ||
    priority === null
  ) {
    return `${host} SRV ${value}: the host must be _service._protocol, the value weight port target.`;
  }
  const numbers = { priority, weight: Number(weight), port: Number(port) };
  return { type: "SRV", name: name ?? "@", service, protocol, ...numbers, target, ttl };
}
