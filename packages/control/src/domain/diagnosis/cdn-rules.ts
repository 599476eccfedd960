import { cdnName, type DnsRecord, isProxyAddress } from "@mooring/dns";
import { validationAlias } from "../certificates/validation.ts";
import { holdsClaim } from "../connections/connection.ts";
import { type Front, isBehindCdn } from "../connections/front.ts";
import { defaultTtlSeconds } from "../records/record-template.ts";
import type { DiagnosisFacts } from "./facts.ts";
import type { Draft, Rule } from "./finding.ts";
import { allInForm, atDnsHost, findDnsHost, shown } from "./finding-text.ts";

/** Rules about a CDN that stays in front of a name, where the application accepts that. */

export function cdnParam({ by }: Pick<Front, "by">): string {
  return by === "unknown" ? "CDN" : cdnName(by);
}

/** The front of a name that is served or on its way, where such names are accepted. */
function frontIn({ application, connection }: DiagnosisFacts): Front | null {
  const isAccepted = application.proxied === "accept" && holdsClaim(connection.state);
  return isAccepted ? connection.front : null;
}

function ruleFor(make: (facts: DiagnosisFacts, front: Front) => Draft | null): Rule {
  return (facts) => {
    const front = frontIn(facts);
    const draft = front === null || front.since === null ? null : make(facts, front);
    if (front === null || draft === null) return [];
    return [{ ...draft, params: { cdn: cdnParam(front), ...draft.params } }];
  };
}

/** What the probe of the name got instead of an answer of an edge. */
export function probeLine({ connection: { hostname } }: DiagnosisFacts, front: Front): string {
  const status = front.status === null ? "" : ` with status ${front.status}`;
  const what = {
    ours: "the edge answers",
    stale: "an old answer of the edge comes back, from a cache",
    blocked: `the CDN refuses the service${status}`,
    other: `somebody else answers${status}`,
    failed: front.status === null ? "nobody answers" : `the CDN answers${status}`,
  } as const;
  return `Probe of ${hostname} through ${cdnParam(front)}: ${what[front.seen]}`;
}

export const cdnTlsFlexible = ruleFor((facts, front) => {
  if (front.tls !== "flexible") return null;
  const { hostname } = facts.connection;
  const cdn = cdnParam(front);
  return {
    severity: "error",
    title: `${cdn} reaches the service for ${hostname} without TLS`,
    evidence: [`Probe of https://${hostname} arrives at the edge's port without TLS`],
    actor: "end_customer",
    fix: `At ${cdn}, set the encryption mode to "Full (strict)": with "Flexible" the edge sends visitors to https, and ${cdn} brings them back by http, in a circle.`,
  };
});

export const cdnHidesChallenge = ruleFor((facts, front) => {
  const { connection, certificate } = facts;
  if (front.challenge !== "hidden" || front.seen !== "ours") return null;
  if (connection.validationStatus === "right") return null;
  const add = validationRecord(facts);
  const cdn = cdnParam(front);
  const hasCertificate = certificate?.status === "issued" || certificate?.status === "renewing";
  const record =
    add.length === 0
      ? ""
      : ` Or ${lowered(atDnsHost(findDnsHost(facts)))}, add ${allInForm(add, findDnsHost(facts))}: the certificate is then validated by DNS.`;
  return {
    severity: hasCertificate ? "warning" : "error",
    title: `${cdn} answers the certificate authority for ${connection.hostname} itself`,
    evidence: [
      `Probe of http://${connection.hostname}/.well-known/acme-challenge/ does not arrive at the edge`,
    ],
    actor: "end_customer",
    add,
    fix: `At ${cdn}, let requests below /.well-known/acme-challenge/ pass to the service: no redirect, no cache, no page of its own.${record}`,
  };
});

function lowered(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}

/** The CNAME that delegates validation; none where the service has no zone for it. */
function validationRecord({ connection, edge }: DiagnosisFacts): readonly DnsRecord[] {
  const alias = validationAlias(edge.validationZone, connection);
  if (alias === null) return [];
  const { name, target: value } = alias;
  return [{ name, type: "CNAME", value, ttl: defaultTtlSeconds, priority: null }];
}

export const cdnCachesProbe = ruleFor((facts, front) => {
  if (!front.is_cached && front.seen !== "stale") return null;
  const { hostname } = facts.connection;
  const cdn = cdnParam(front);
  return {
    severity: "warning",
    title: `${cdn} caches answers of ${hostname} that must not be cached`,
    evidence: [probeLine(facts, front), "The edge forbids caching of this answer"],
    actor: "end_customer",
    fix: `At ${cdn}, have its cache obey the Cache-Control of the service, and exclude /.well-known/ from rules that cache everything. Until then visitors may see pages of others, and a renewal of the certificate may fail.`,
  };
});

/** That is all right, and good to know. */
export const behindCdn = ruleFor((facts, front) => {
  const isSpoilt = [cdnTlsFlexible, cdnHidesChallenge, cdnCachesProbe].some(
    (rule) => rule(facts).length > 0,
  );
  if (front.seen !== "ours" || isSpoilt) return null;
  const { hostname } = facts.connection;
  const cdn = cdnParam(front);
  return {
    severity: "info",
    title: `${hostname} is behind ${cdn}, and requests arrive here`,
    evidence: [probeLine(facts, front)],
    actor: "wait",
    fix: `Nothing: that is fine. At ${cdn}, keep the encryption mode "Full (strict)" and the target of the record.`,
  };
});

/** Whether what DNS shows of the name says nothing, because a CDN shows its own addresses. */
export function isHiddenByCdn(facts: DiagnosisFacts): boolean {
  const front = frontIn(facts);
  return front !== null && isBehindCdn({ front }) && front.seen !== "other";
}

/** Cloudflare refuses to forward from one account's proxy to another's (its error 1014). */
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
          params: { name },
          tenantFix: `Cloudflare answers such visitors with its error 1014. Ask the operator of the service to add ${name} as a custom hostname there, or have the record of ${name} set to "DNS only".`,
          fix: `Cloudflare answers such visitors with its error 1014. Add ${name} as a custom hostname (Cloudflare for SaaS) in the service's account; if the owner of ${name} has a zone hold, it must be released there. Or have the record of ${name} set to "DNS only" and take ${facts.edge.cname} off the proxy.`,
        },
      ];
    });
};
