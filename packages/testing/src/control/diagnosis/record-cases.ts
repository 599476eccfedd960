import type { Connection } from "../../../../control/src/domain/connections/connection.ts";
import type { Front } from "../../../../control/src/domain/connections/front.ts";
import {
  absent,
  ada,
  beside,
  bob,
  type Case,
  check,
  cloudflareFront,
  desired,
  edgeName,
  healthy,
  hostname,
  now,
  propagating,
  record,
  right,
  toEdge,
  withRecords,
  wrong,
} from "./facts.ts";

const form = "Type: CNAME, Name: shop, Content: edge\\.mooring\\.example, TTL: 300";
const both = (line: string) => [`${ada}: ${line}`, `${bob}: ${line}`];
const apex = { hostname: "acme.example", kind: "apex" } as const;
const byAddress = record("A", "192.0.2.10");

/** A live name behind Cloudflare, whose own addresses DNS shows. */
function behind(front: Partial<Front>, connection: Partial<Connection> = {}) {
  return healthy({
    connection: { ...connection, front: { ...cloudflareFront, ...front } },
    dns: withRecords(wrong(toEdge, "104.16.1.1")),
  });
}

export const recordCases = {
  record_loop: {
    facts: propagating({
      dns: withRecords(check(toEdge, "unknown", { [ada]: "cname_loop", [bob]: "cname_loop" })),
    }),
    severity: "error",
    actor: "end_customer",
    title: `${hostname} is an alias that leads in a circle`,
    evidence: both("leads through aliases in a circle"),
    fix: new RegExp(`^At Cloudflare, replace the CNAME at ${hostname} with ${form}\\.$`),
  },
  record_proxied: {
    facts: propagating({
      application: {
        originUrl: "https://app.example",
        recordTemplate: [],
        proofs: ["txt"],
        proxied: "refuse",
      },
      dns: withRecords(wrong(toEdge, "104.16.1.1", "2606:4700::1")),
    }),
    severity: "error",
    actor: "end_customer",
    title: `${hostname} is behind a proxy`,
    evidence: [...both("104.16.1.1, 2606:4700::1"), "These addresses belong to Cloudflare's proxy"],
    fix: new RegExp(`^At Cloudflare, switch the proxy off .*"DNS only".* with ${form}\\.`),
  },
  cdn_not_forwarding: {
    facts: propagating({
      connection: { front: { ...cloudflareFront, since: null, seen: "other", status: 404 } },
      dns: withRecords(wrong(toEdge, "104.16.1.1")),
    }),
    severity: "error",
    actor: "end_customer",
    title: `${hostname} is behind Cloudflare, which does not pass requests on to the service`,
    evidence: [
      ...both("104.16.1.1"),
      `Probe of ${hostname} through Cloudflare: somebody else answers with status 404`,
    ],
    fix: new RegExp(
      `^At Cloudflare, set the target of ${hostname} to the service: ${form}\\. Its proxy`,
    ),
  },
  cdn_tls_flexible: {
    facts: behind({ tls: "flexible" }),
    severity: "error",
    actor: "end_customer",
    title: `Cloudflare reaches the service for ${hostname} without TLS`,
    evidence: [`Probe of https://${hostname} arrives at the edge's port without TLS`],
    fix: /^At Cloudflare, set the encryption mode to "Full \(strict\)"/,
  },
  cdn_hides_challenge: {
    facts: behind({ challenge: "hidden" }, { validationLabel: "abc" }),
    severity: "warning",
    actor: "end_customer",
    title: `Cloudflare answers the certificate authority for ${hostname} itself`,
    evidence: [
      `Probe of http://${hostname}/.well-known/acme-challenge/ does not arrive at the edge`,
    ],
    fix: /no page of its own\. Or at Cloudflare, add Type: CNAME, Name: _acme-challenge\.shop, Content: abc\.v\.mooring\.example/,
  },
  cdn_caches_probe: {
    facts: behind({ is_cached: true }),
    severity: "warning",
    actor: "end_customer",
    title: `Cloudflare caches answers of ${hostname} that must not be cached`,
    evidence: [
      `Probe of ${hostname} through Cloudflare: the edge answers`,
      "The edge forbids caching of this answer",
    ],
    fix: /^At Cloudflare, have its cache obey the Cache-Control/,
  },
  behind_cdn: {
    facts: behind({}),
    severity: "info",
    actor: "wait",
    title: `${hostname} is behind Cloudflare, and requests arrive here`,
    evidence: [`Probe of ${hostname} through Cloudflare: the edge answers`],
    fix: /^Nothing: that is fine/,
  },
  proxy_to_proxy: {
    facts: healthy({
      edge: {
        cname: edgeName,
        configured: [],
        addresses: new Set(["104.16.9.9"]),
        validationZone: null,
      },
      dns: {
        names: [
          {
            name: hostname,
            records: [record("A", "104.16.1.1")],
            fromWildcard: false,
            complete: true,
          },
        ],
      },
    }),
    severity: "warning",
    actor: "operator",
    title: `${hostname} and the service are both behind Cloudflare, in different accounts`,
    evidence: [`${hostname}: 104.16.1.1`, `${edgeName}: 104.16.9.9`],
    fix: /error 1014\. Add shop\.acme\.example as a custom hostname .* zone hold/,
  },
  record_flattened: {
    facts: propagating({ dns: withRecords(wrong(toEdge, "192.0.2.10")) }),
    severity: "error",
    actor: "end_customer",
    title: `${hostname} leads to the service, but by address`,
    evidence: [...both("192.0.2.10"), `These are addresses of ${edgeName}`],
    fix: new RegExp(`^At Cloudflare, replace the address records with ${form}\\. .*flattening off`),
  },
  aaaa_leftover: {
    facts: propagating({
      connection: { desiredRecords: [desired("A", "192.0.2.10")] },
      dns: withRecords(beside(byAddress, "192.0.2.10", "2001:db8:f::5")),
    }),
    severity: "error",
    actor: "end_customer",
    title: `There is still an old IPv6 address at ${hostname}`,
    evidence: both("192.0.2.10, 2001:db8:f::5"),
    fix: /^At Cloudflare, remove the AAAA record 2001:db8:f::5 at shop\.acme\.example/,
  },
  a_leftover: {
    facts: propagating({
      connection: { desiredRecords: [desired("A", "192.0.2.10")] },
      dns: withRecords(beside(byAddress, "192.0.2.10", "203.0.113.9")),
    }),
    severity: "error",
    actor: "end_customer",
    title: `Another server's address is beside the service's at ${hostname}`,
    evidence: both("192.0.2.10, 203.0.113.9"),
    fix: /^At Cloudflare, remove 203\.0\.113\.9 at shop\.acme\.example/,
  },
  https_leftover: {
    facts: propagating({
      dns: {
        conflicts: [{ ...desired("HTTPS", ". alpn=h2 ipv4hint=203.0.113.9"), priority: 1 }],
      },
    }),
    severity: "error",
    actor: "end_customer",
    title: `There is still an old HTTPS record at ${hostname}`,
    evidence: [`${hostname}: HTTPS 1 . alpn=h2 ipv4hint=203.0.113.9`],
    fix: /^At Cloudflare, remove the HTTPS record at shop\.acme\.example/,
  },
  policy_duplicate: {
    facts: propagating({
      dns: { conflicts: [desired("TXT", "v=spf1 include:old.example -all", "acme.example")] },
    }),
    severity: "warning",
    actor: "end_customer",
    title: "acme.example would have two SPF policies",
    evidence: ['acme.example: TXT "v=spf1 include:old.example -all"'],
    fix: /merge the wanted value into the record that is there/,
  },
  record_conflict: {
    facts: propagating({
      dns: {
        ...withRecords(absent(toEdge)),
        conflicts: [{ ...desired("MX", "mail.acme.example"), priority: 10 }],
      },
    }),
    severity: "error",
    actor: "end_customer",
    title: `There are other records at ${hostname}, where the wanted one must be alone`,
    evidence: [`${hostname}: MX 10 mail.acme.example`],
    fix: new RegExp(`^At Cloudflare, move or remove MX at ${hostname} .* then set ${form}`),
  },
  record_target_doubled: {
    facts: propagating({ dns: withRecords(wrong(toEdge, `${edgeName}.acme.example`)) }),
    severity: "error",
    actor: "end_customer",
    title: `The target of ${hostname} has acme.example appended`,
    evidence: both(`${edgeName}.acme.example`),
    fix: /enter it with a dot at its end \(edge\.mooring\.example\.\): Type: CNAME, Name: shop/,
  },
  record_doubled_name: {
    facts: propagating({
      dns: {
        ...withRecords(absent(toEdge)),
        strayRecords: [
          { requested: hostname, name: `${hostname}.acme.example`, values: [edgeName] },
        ],
      },
    }),
    severity: "error",
    actor: "end_customer",
    title: `The record of ${hostname} is at a name with acme.example twice`,
    evidence: [`${hostname}.acme.example: ${edgeName}`, ...both("no CNAME record")],
    fix: new RegExp(`change the record so that it says only shop there: ${form}\\.$`),
  },
  private_address: {
    facts: propagating({ dns: withRecords(wrong(toEdge, "192.168.1.20")) }),
    severity: "error",
    actor: "end_customer",
    title: `${hostname} leads to a private address`,
    evidence: both("192.168.1.20"),
    fix: new RegExp(`replace what is at ${hostname} with ${form}\\.$`),
  },
  apex_needs_alias: {
    facts: propagating({
      connection: {
        ...apex,
        provider: null,
        desiredRecords: [desired("ALIAS", edgeName, "acme.example")],
      },
      dns: {
        ...withRecords(absent(record("ALIAS", edgeName, "acme.example"))),
        zone: {
          outcome: "found",
          zone: "acme.example",
          servers: [{ host: "ns1.acme.example", addresses: [] }],
        },
        servers: [],
      },
    }),
    severity: "error",
    actor: "end_customer",
    title: "acme.example cannot simply follow another name",
    evidence: [...both("no ALIAS record"), "acme.example is the top of its domain"],
    fix: /^DNS allows no CNAME at the top of a domain\. Where the DNS of acme\.example is managed, .*Type: ALIAS, Name: @, Value: edge\.mooring\.example.* A and AAAA records with 192\.0\.2\.10, 2001:db8::10.*www\.acme\.example/,
  },
  record_of_another: {
    facts: propagating({
      connection: { targetLabel: "abcdefghijklmnopqrstuvwxyz" },
      dns: withRecords(wrong(toEdge, `bcdefghijklmnopqrstuvwxyza.${edgeName}`)),
    }),
    severity: "error",
    actor: "end_customer",
    title: `${hostname} has the record of another connection`,
    evidence: [
      ...both(`bcdefghijklmnopqrstuvwxyza.${edgeName}`),
      "The service: each connection has a target of its own, and proves nothing for others",
    ],
    fix: new RegExp(`made for another connection.* replace it with ${form}\\.$`),
  },
  record_mismatch: {
    facts: healthy({
      connection: { state: "drifted" },
      dns: withRecords(wrong(toEdge, "old-host.example")),
    }),
    severity: "error",
    actor: "end_customer",
    title: `${hostname} no longer leads to the service`,
    evidence: both("old-host.example"),
    fix: new RegExp(`replace what is at ${hostname} \\(old-host\\.example\\) with ${form}\\.$`),
  },
  record_missing: {
    facts: propagating({ dns: withRecords(absent(toEdge)) }),
    severity: "error",
    actor: "end_customer",
    title: `The CNAME record of ${hostname} is not there yet`,
    evidence: both("no CNAME record"),
    fix: new RegExp(`^At Cloudflare, add a record with ${form}\\.$`),
  },
  servers_disagree: {
    facts: propagating({
      dns: withRecords(
        check(toEdge, "mismatch", {
          [ada]: { outcome: "match", values: [edgeName] },
          [bob]: ["old-host.example"],
        }),
      ),
    }),
    severity: "info",
    actor: "wait",
    title: `${hostname} is right at 1 of 2 nameservers`,
    evidence: [`${ada}: ${edgeName}`, `${bob}: old-host.example`],
    fix: /^The others usually follow within minutes/,
  },
  records_unanswered: {
    facts: propagating({
      dns: withRecords(check(toEdge, "unknown", { [ada]: "timeout", [bob]: "servfail" })),
    }),
    severity: "warning",
    actor: "wait",
    title: `No nameserver could be asked for ${hostname}`,
    evidence: [`${ada}: no answer in time`, `${bob}: answers with a failure (SERVFAIL)`],
    fix: /^Nothing is concluded from it/,
  },
  wildcard_answers: {
    facts: propagating({
      dns: {
        ...withRecords(wrong(toEdge, "203.0.113.9")),
        names: [
          {
            name: hostname,
            records: [record("A", "203.0.113.9")],
            fromWildcard: true,
            complete: true,
          },
        ],
      },
    }),
    severity: "warning",
    actor: "end_customer",
    title: `A wildcard record answers for ${hostname}`,
    evidence: [`${hostname}: A 203.0.113.9`],
    fix: new RegExp(`add the ownership record and ${form} together`),
  },
  archived_still_points_here: {
    facts: healthy({
      connection: { state: "archived" },
      claim: "free",
      dns: withRecords(right(toEdge)),
    }),
    severity: "warning",
    actor: "end_customer",
    title: `${hostname} is archived, but still leads to the service`,
    evidence: [`${hostname}: CNAME ${edgeName}`],
    fix: /^Remove these records where the DNS of acme\.example is managed/,
  },
  slow_to_change: {
    facts: propagating({
      dns: {
        records: {
          records: [wrong(toEdge, "old-host.example")],
          visibleEverywhereBy: new Date(now.getTime() + 86_400_000),
        },
      },
    }),
    severity: "info",
    actor: "wait",
    title: "The present records are cached for up to 24 hours",
    evidence: [`${hostname}: old-host.example`],
    fix: /some visitors may see the old ones for up to 24 hours/,
  },
} as const satisfies Readonly<Record<string, Case>>;
