import { type DnssecFault, isAtOrBelow, registrableDomain } from "@mooring/dns";
import type { Finding } from "./finding.ts";

/** What is wrong with a zone's DNSSEC, in a sentence; who repairs it, and how. */
export interface DnssecRepair {
  readonly why: string;
  readonly actor: Finding["actor"];
  readonly fix: string;
}

/**
 * The repair of a fault that was found on the way to a hostname's answers. It may be in a zone that
 * an alias points to: that of the edge is the operator's.
 */
export function dnssecRepair(fault: DnssecFault, hostname: string): DnssecRepair {
  const { zone } = fault;
  const why = describeFault(fault);
  if (zone === "." || registrableDomain(zone) === null) {
    return {
      why,
      actor: "wait",
      fix: `Wait for the registry of ${zone} to repair its DNSSEC: nobody else can.`,
    };
  }
  if (!isAtOrBelow(hostname, zone)) {
    return {
      why,
      actor: "operator",
      fix: `Repair DNSSEC of ${zone}, which ${hostname} leads to: ${describeRepair(fault)}`,
    };
  }
  return { why, actor: "end_customer", fix: capitalized(describeRepair(fault)) };
}

function describeFault({ zone, name, type, reason, at }: DnssecFault): string {
  const when = at?.toISOString().slice(0, 16).replace("T", " ");
  switch (reason) {
    case "dnskey_missing":
      return `The registry announces DNSSEC keys for ${zone}, and ${zone} has none.`;
    case "ds_mismatch":
      return `The DS record of ${zone} at the registry fits none of its keys.`;
    case "signature_expired":
      return `The signatures of ${zone} (${type} of ${name}) expired on ${when} UTC.`;
    case "signature_early":
      return `The signatures of ${zone} (${type} of ${name}) are valid only from ${when} UTC on.`;
    case "signature_missing":
      return `The ${type} records of ${name} are not signed, although ${zone} is.`;
    case "signature_invalid":
      return `The signature of the ${type} records of ${name} does not fit the keys of ${zone}.`;
    case "denial_missing":
      return `The nameservers of ${zone} do not prove that ${name} has no ${type} records.`;
    case "too_complex":
      return `${zone} has more keys or signatures than a resolver tries.`;
  }
}

function describeRepair({ zone, reason }: DnssecFault): string {
  switch (reason) {
    case "dnskey_missing":
      return `at the registrar of ${zone}, remove the DS record (switch DNSSEC off). It can be switched on again later with the keys of the present DNS provider.`;
    case "ds_mismatch":
      return `at the registrar of ${zone}, replace the DS record by the one that the DNS provider shows, or remove it to switch DNSSEC off.`;
    case "signature_expired":
    case "signature_early":
      return `ask the DNS provider of ${zone} to sign the zone again. Until then the DS record can be removed at the registrar, which switches DNSSEC off.`;
    case "signature_missing":
    case "signature_invalid":
    case "denial_missing":
    case "too_complex":
      return `ask the DNS provider of ${zone} to sign the whole zone again with its present keys, or remove the DS record at the registrar, which switches DNSSEC off.`;
  }
}

function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
