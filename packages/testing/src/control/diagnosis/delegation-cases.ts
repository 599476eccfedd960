import { nothingObserved } from "@mooring/dns";
import type { DnsFacts } from "../../../../control/src/domain/diagnosis/facts.ts";
import {
  absent,
  ada,
  answer,
  bob,
  type Case,
  failure,
  healthy,
  later,
  makeProof,
  pending,
  proof,
  propagating,
  toEdge,
  withRecords,
} from "./facts.ts";

function servedBy(...hosts: readonly string[]): Pick<DnsFacts, "zone" | "servers"> {
  const servers = hosts.map((host) => ({ host, addresses: [] }));
  return {
    zone: { outcome: "found", zone: "acme.example", servers },
    servers: hosts.map((host) => ({ host, reply: answer("NS", ...hosts) })),
  };
}

const missing = withRecords(absent(toEdge));

export const delegationCases = {
  not_registered: {
    facts: pending({
      dns: {
        zone: { outcome: "unregistered" },
        proof: { ...makeProof(), servers: [], reason: "not_registered" },
        ...withRecords({ record: toEdge, outcome: "absent", ...nothingObserved }),
      },
    }),
    severity: "error",
    actor: "end_customer",
    title: "acme.example is not registered, or its registration has lapsed",
    evidence: ["DNS: acme.example does not exist (NXDOMAIN)"],
    fix: /^Register or renew acme\.example at a registrar, or check its spelling\./,
  },
  dnssec_ds_stale: {
    facts: healthy({
      dns: {
        dnssec: {
          status: "bogus",
          fault: null,
          ds: ["2371 13 2 1F98"],
          keys: [
            { host: ada, hasKeys: false },
            { host: bob, hasKeys: false },
          ],
        },
      },
    }),
    severity: "error",
    actor: "end_customer",
    title: "DNSSEC of acme.example is left over from an earlier DNS provider",
    evidence: [
      "Registry: DS 2371 13 2 1F98",
      `${ada}: no DNSKEY record`,
      `${bob}: no DNSKEY record`,
    ],
    fix: /^At the registrar of acme\.example, remove the DS record/,
  },
  dnssec_broken: {
    facts: healthy({
      dns: {
        dnssec: {
          status: "bogus",
          fault: null,
          ds: ["1 13 2 AB"],
          keys: [{ host: ada, hasKeys: true }],
        },
      },
    }),
    severity: "error",
    actor: "end_customer",
    title: "DNSSEC of acme.example is broken",
    evidence: [
      "Validating resolvers: the answers for acme.example fail DNSSEC validation",
      "Registry: DS 1 13 2 AB",
    ],
    fix: /^At the registrar of acme\.example, correct the DS record/,
  },
  ns_unreachable: {
    facts: healthy({
      dns: {
        servers: [
          { host: ada, reply: answer("NS", ada, bob) },
          { host: bob, reply: failure("timeout") },
        ],
      },
    }),
    severity: "warning",
    actor: "end_customer",
    title: "Some nameservers of acme.example cannot be reached",
    evidence: [`${bob}: no answer in time`],
    fix: /^Check the list of nameservers of acme\.example at its registrar/,
  },
  ns_servfail: {
    facts: pending({
      dns: {
        servers: [
          { host: ada, reply: failure("servfail") },
          { host: bob, reply: failure("refused") },
        ],
      },
    }),
    severity: "error",
    actor: "end_customer",
    title: "The nameservers of acme.example answer with an error",
    evidence: [`${ada}: answers with a failure (SERVFAIL)`, `${bob}: refuses to answer (REFUSED)`],
    fix: /^Ask the DNS provider of acme\.example why its nameservers fail/,
  },
  ns_lame: {
    facts: pending({ dns: { zone: { outcome: "failed", reason: "lame" }, servers: [] } }),
    severity: "error",
    actor: "end_customer",
    title: "The nameservers of acme.example do not serve it",
    evidence: ["Resolvers, asked for acme.example: does not serve this domain"],
    fix: /^At the registrar of acme\.example, set exactly the nameservers/,
  },
  ns_disagree: {
    facts: healthy({
      dns: {
        servers: [
          { host: ada, reply: answer("NS", bob, ada) },
          { host: bob, reply: answer("NS", "ns1.old-host.example", bob) },
        ],
      },
    }),
    severity: "warning",
    actor: "end_customer",
    title: "The nameservers of acme.example do not agree on who they are",
    evidence: [
      `Delegation: ${ada}, ${bob}`,
      `${ada}: ${ada}, ${bob}`,
      `${bob}: ${bob}, ns1.old-host.example`,
    ],
    fix: /^Make the list of nameservers of acme\.example at the registrar/,
  },
  ns_mixed_operators: {
    facts: pending({ dns: servedBy(ada, "ns1.desec.io") }),
    severity: "warning",
    actor: "end_customer",
    title: "The DNS of acme.example is spread over several providers",
    evidence: [
      `Nameservers of acme.example: ${ada}, ns1.desec.io`,
      "Recognised: Cloudflare, deSEC",
    ],
    fix: /^Add the records at every one of them/,
  },
  dns_moved: {
    facts: propagating({ dns: { ...servedBy("ns1.desec.io", "ns2.desec.org"), ...missing } }),
    severity: "warning",
    actor: "end_customer",
    title: "The DNS of acme.example has moved to deSEC",
    evidence: [
      "Nameservers of acme.example: ns1.desec.io, ns2.desec.org",
      "When the connection was made: Cloudflare",
    ],
    fix: /^Add the records at deSEC; what is changed at the earlier DNS provider/,
  },
  zone_delegated: {
    facts: propagating({
      connection: { hostname: "a.shop.acme.example" },
      dns: {
        zone: {
          outcome: "found",
          zone: "shop.acme.example",
          servers: [{ host: ada, addresses: [] }],
        },
        servers: [{ host: ada, reply: answer("NS", ada) }],
        ...missing,
      },
    }),
    severity: "warning",
    actor: "end_customer",
    title: "shop.acme.example is a zone of its own",
    evidence: [`Nameservers of shop.acme.example: ${ada}`],
    fix: /^Add the records in the zone shop\.acme\.example, not in the zone acme\.example/,
  },
  wrong_dns_provider: {
    facts: pending({
      connection: { phaseStartedAt: later(-16 * 60_000) },
      dns: { proof: proof("absent", { [ada]: [], [bob]: [] }) },
    }),
    severity: "info",
    actor: "end_customer",
    title: "Only records at Cloudflare count for acme.example",
    evidence: [`Nameservers of acme.example: ${ada}, ${bob}`],
    fix: /^If the record was added already, check where: .* its DNS is run by Cloudflare\.$/,
  },
} as const satisfies Readonly<Record<string, Case>>;
