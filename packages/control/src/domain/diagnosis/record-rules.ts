import { type DnsRecord, isProxyAddress, type RecordCheck, registrableDomain } from "@mooring/dns";
import { isTraffic } from "../connections/observation.ts";
import { isTargetOfAnother } from "../ownership/target.ts";
import { fromDesired } from "../records/desired-records.ts";
import { cdnParam, isHiddenByCdn, probeLine } from "./cdn-rules.ts";
import {
  type DiagnosisFacts,
  decisiveChecks,
  factsNeeded,
  isBeingWritten,
  isOwnershipOpen,
} from "./facts.ts";
import { beingWritten, type Draft, type Rule } from "./finding.ts";
import {
  allInForm,
  atDnsHost,
  checkLine,
  failureText,
  findDnsHost,
  formHost,
  listed,
  shown,
} from "./finding-text.ts";

/** Rules about the desired records, and about other records that conflict with them. */

/**
 * Before ownership is proven, missing records do not block the connection, unless they prove it.
 */
export function recordSeverity(facts: DiagnosisFacts): "error" | "warning" {
  return isOwnershipOpen(facts) && factsNeeded(facts).proof === "txt" ? "warning" : "error";
}

function collectEvidence({ checks }: RecordProblem): string[] {
  const lines = checks.flatMap(({ record, servers }) =>
    servers.map((server) => checkLine(server, record.type)),
  );
  return [...new Set(lines)];
}

function form(facts: DiagnosisFacts, { checks }: RecordProblem): string {
  return allInForm(
    checks.map(({ record }) => record),
    findDnsHost(facts),
  );
}

function observedBy({ checks }: RecordProblem): readonly string[] {
  return [...new Set(checks.flatMap(({ observedValues }) => observedValues))];
}

type DraftText = Pick<Draft, "title" | "fix"> & Partial<Draft>;

/** A rule for one kind of problem, once for each name that has it. */
function when(
  kind: RecordProblemKind,
  text: (facts: DiagnosisFacts, problem: RecordProblem) => DraftText,
): Rule {
  return (facts) =>
    recordProblems(facts)
      .filter((problem) => problem.kind === kind)
      .map((problem) => ({
        severity: recordSeverity(facts),
        evidence: collectEvidence(problem),
        actor: "end_customer",
        params: { name: problem.name, observed: listed(observedBy(problem)) },
        add: problem.checks.map(({ record }) => record),
        ...text(facts, problem),
      }));
}

const loopAtServers = when("loop", (facts, problem) => ({
  title: `${problem.name} is an alias that leads in a circle`,
  fix: `${atDnsHost(findDnsHost(facts))}, replace the CNAME at ${problem.name} with ${form(facts, problem)}.`,
}));

/** With a CNAME loop at the hostname itself, not even its zone is found. */
export const recordLoop: Rule = (facts) => {
  const { connection, dns } = facts;
  if (dns.zone?.outcome !== "failed" || dns.zone.reason !== "cname_loop") {
    return loopAtServers(facts);
  }
  const { hostname } = connection;
  const requested = connection.desiredRecords
    .filter(({ host }) => host === hostname)
    .map(fromDesired);
  return [
    {
      severity: "error",
      title: `${hostname} is an alias that leads in a circle`,
      evidence: [`Resolvers, asked for ${hostname}: ${failureText(dns.zone.reason)}`],
      actor: "end_customer",
      add: requested,
      fix: `${atDnsHost(findDnsHost(facts))}, replace the CNAME at ${hostname} with ${allInForm(requested, findDnsHost(facts))}.`,
    },
  ];
};

export const recordProxied = when("proxied", (facts, problem) => ({
  title: `${problem.name} is behind a proxy`,
  evidence: [...collectEvidence(problem), "These addresses belong to Cloudflare's proxy"],
  // The record is there, behind the proxy.
  add: [],
  fix: `${atDnsHost(findDnsHost(facts))}, switch the proxy off for this record: Proxy status "DNS only", the grey cloud, with ${form(facts, problem)}. The service brings its own certificate and cannot see the record through the proxy.`,
}));

/** A CDN may stay, when it passes requests on; before ownership is proven that is not asked. */
export const cdnNotForwarding = when("cdn", (facts, problem) => {
  const { front } = facts.connection;
  const cdn = front === null ? "CDN" : cdnParam(front);
  return {
    title: `${problem.name} is behind ${cdn}, which does not pass requests on to the service`,
    evidence: [...collectEvidence(problem), ...(front === null ? [] : [probeLine(facts, front)])],
    params: { name: problem.name, cdn, observed: listed(observedBy(problem)) },
    fix: `At ${cdn}, set the target of ${problem.name} to the service: ${form(facts, problem)}. Its proxy may stay on, with the encryption mode "Full (strict)". If the target is right, see that no rule there redirects, blocks or answers requests below /.well-known/.`,
  };
});

export const recordFlattened = when("flattened", (facts, problem) => ({
  title: `${problem.name} leads to the service, but by address`,
  evidence: [...collectEvidence(problem), `These are addresses of ${facts.edge.cname}`],
  fix: `${atDnsHost(findDnsHost(facts))}, replace the address records with ${form(facts, problem)}. If that record is there already, switch CNAME flattening off for it, so that the name itself shows.`,
}));

export const recordTargetDoubled = when("target_doubled", (facts, problem) => {
  const target = problem.checks[0]?.record.value ?? facts.edge.cname;
  return {
    title: `The target of ${problem.name} has ${findDnsHost(facts).zone} appended`,
    fix: `The DNS provider took the target as a short name. ${atDnsHost(findDnsHost(facts))}, enter it with a dot at its end (${target}.): ${form(facts, problem)}.`,
  };
});

export const recordDoubledName = when("doubled_name", (facts, problem) => {
  const dnsHost = findDnsHost(facts);
  const { zone } = dnsHost;
  const strays = facts.dns.strayRecords.filter(({ requested }) => requested === problem.name);
  return {
    title: `The record of ${problem.name} is at a name with ${zone} twice`,
    evidence: [
      ...strays.map(({ name, values }) => `${name}: ${shown(values)}`),
      ...collectEvidence(problem),
    ],
    fix: `The DNS provider adds ${zone} to the name by itself. ${atDnsHost(findDnsHost(facts))}, change the record so that it says only ${formHost(problem.name, zone, dnsHost.form)} there: ${form(facts, problem)}.`,
  };
});

export const privateAddress = when("private", (facts, problem) => ({
  title: `${problem.name} leads to a private address`,
  fix: `Nobody outside that network can reach it. ${atDnsHost(findDnsHost(facts))}, replace what is at ${problem.name} with ${form(facts, problem)}.`,
}));

export const recordOfAnother = when("another", (facts, problem) => ({
  title: `${problem.name} has the record of another connection`,
  evidence: [
    ...collectEvidence(problem),
    "The service: each connection has a target of its own, and proves nothing for others",
  ],
  remove: othersAt(facts, problem.name),
  fix: `The name leads to the service, but by a record that was made for another connection: of another customer, or of one that was archived. ${atDnsHost(findDnsHost(facts))}, replace it with ${form(facts, problem)}.`,
}));

export const recordMismatch = when("mismatch", (facts, problem) => {
  const wasLive = facts.connection.firstLiveAt !== null;
  return {
    title: wasLive
      ? `${problem.name} no longer leads to the service`
      : `${problem.name} leads somewhere else`,
    remove: othersAt(facts, problem.name),
    fix: `${atDnsHost(findDnsHost(facts))}, replace what is at ${problem.name} (${shown(problem.checks[0]?.observedValues ?? [])}) with ${form(facts, problem)}.`,
  };
});

/** The records that send visitors of a name elsewhere. */
function othersAt(facts: DiagnosisFacts, name: string): readonly DnsRecord[] {
  const present = facts.dns.names.find((one) => one.name === name);
  if (present === undefined || present.fromWildcard) return [];
  const leading = present.records.filter(({ type }) => isAddressLike(type));
  const others = new Set(
    otherValues(
      facts,
      name,
      leading.map(({ value }) => value),
    ),
  );
  return leading.filter(({ value }) => others.has(value));
}

/** DNS allows no CNAME at the apex (RFC 1034 §3.6.2), and this provider offers no alternative. */
function isHopelessAlias(facts: DiagnosisFacts, { checks, name }: RecordProblem): boolean {
  const { zone, manifest } = findDnsHost(facts);
  const isTop = name === zone || name === registrableDomain(name);
  const isFollower = checks.some(({ record }) => ["CNAME", "ALIAS"].includes(record.type));
  return isTop && isFollower && (manifest === null || manifest.apexFlattening === "none");
}

export const apexNeedsAlias: Rule = (facts) =>
  recordProblems(facts)
    .filter(({ kind }) => kind === "missing")
    .filter((problem) => isHopelessAlias(facts, problem))
    .map((problem) => {
      const { name } = problem;
      const { configured } = facts.edge;
      const draft = {
        severity: recordSeverity(facts),
        title: `${name} cannot simply follow another name`,
        evidence: [...collectEvidence(problem), `${name} is the top of its domain`],
        params: { name },
      };
      if (configured.length === 0) return { ...draft, ...withoutAddresses(name) };
      const byAddress = ` or add A and AAAA records with ${configured.join(", ")},`;
      return {
        ...draft,
        actor: "end_customer",
        fix: `DNS allows no CNAME at the top of a domain. ${atDnsHost(findDnsHost(facts))}, find a record type ALIAS, ANAME or "CNAME flattening" and set ${form(facts, problem)};${byAddress} or connect www.${name} instead and redirect ${name} to it.`,
      };
    });

/** The edge is known by its name only: nobody but the operator can offer addresses. */
function withoutAddresses(name: string): Pick<Draft, "actor" | "fix" | "tenantFix"> {
  return {
    actor: "operator",
    tenantFix: `DNS allows no CNAME at the top of a domain, and the service offers no fixed addresses yet: ask its operator for some. Without them the domain needs a DNS provider with ALIAS records, or www.${name} is connected and ${name} redirected to it.`,
    fix: `DNS allows no CNAME at the top of a domain, and the service offers no fixed addresses. Set EDGE_IPV4, and EDGE_IPV6 where there is one, to addresses of the edge that stay: ${name} then gets A and AAAA records. Without them the domain needs a DNS provider with ALIAS records, or www.${name} is connected and ${name} redirected to it.`,
  };
}

export const recordMissing: Rule = (facts) => {
  const rule = when("missing", (_facts, problem) => ({
    title: missingTitle(facts, problem),
    params: { name: problem.name, type: missingTypes(problem).join("/") },
    fix: `${atDnsHost(findDnsHost(facts))}, add ${problem.checks.length > 1 ? "records" : "a record"} with ${form(facts, problem)}.`,
    ...(isBeingWritten(facts) ? beingWritten : {}),
  }));
  const isHopeless = recordProblems(facts)
    .filter(({ kind }) => kind === "missing")
    .map((problem) => isHopelessAlias(facts, problem));
  return rule(facts).filter((_draft, index) => isHopeless[index] !== true);
};

function missingTypes({ checks }: Pick<RecordProblem, "checks">): readonly string[] {
  return [...new Set(checks.map(({ record }) => record.type))];
}

function missingTitle({ connection }: DiagnosisFacts, { checks, name }: RecordProblem): string {
  const types = missingTypes({ checks }).join(" and ");
  const since = connection.firstLiveAt === null ? "is not there yet" : "is gone";
  return `The ${types} record of ${name} ${since}`;
}

export const serversDisagree = when("disagree", (_facts, { name, checks }) => {
  const right = checks[0]?.servers.filter(({ outcome }) => outcome === "match").length ?? 0;
  const all = checks[0]?.servers.length ?? 0;
  return {
    severity: "info",
    title: `${name} is right at ${right} of ${all} nameservers`,
    actor: "wait",
    fix: "The others usually follow within minutes; the service checks again by itself. If one of them stays behind for hours, tell the DNS provider its name.",
  };
});

export const recordsUnanswered = when("unanswered", ({ connection }, { name }) => ({
  severity: "warning",
  title: `No nameserver could be asked for ${name}`,
  actor: "wait",
  fix: `Nothing is concluded from it: the service asks again by itself. If it stays so for an hour, ask the DNS provider of ${connection.registrableDomain}.`,
}));

export const aaaaLeftover: Rule = (facts) =>
  leftovers(facts, (value) => value.includes(":")).map(({ name, values, evidence }) => ({
    severity: recordSeverity(facts),
    title: `There is still an old IPv6 address at ${name}`,
    evidence,
    actor: "end_customer",
    params: { name, observed: listed(values) },
    fix: `${atDnsHost(findDnsHost(facts))}, remove the AAAA record ${values.join(", ")} at ${name}: visitors with IPv6 and the certificate authority, which tries IPv6 first, go there instead.`,
  }));

export const aLeftover: Rule = (facts) =>
  leftovers(facts, (value) => !value.includes(":")).map(({ name, values, evidence }) => ({
    severity: recordSeverity(facts),
    title: `Another server's address is beside the service's at ${name}`,
    evidence,
    actor: "end_customer",
    params: { name, observed: listed(values) },
    fix: `${atDnsHost(findDnsHost(facts))}, remove ${values.join(", ")} at ${name}: a part of the visitors, and perhaps the certificate authority, goes there instead.`,
  }));

interface Leftover {
  readonly name: string;
  readonly values: readonly string[];
  readonly evidence: readonly string[];
}

function leftovers(
  facts: DiagnosisFacts,
  isIncluded: (value: string) => boolean,
): readonly Leftover[] {
  return recordProblems(facts)
    .filter(({ kind }) => kind === "leftover")
    .flatMap((problem) => {
      const observed = problem.checks.flatMap(({ observedValues }) => observedValues);
      const others = otherValues(facts, problem.name, [...new Set(observed)]);
      const values = others.filter(isIncluded);
      if (values.length === 0) return [];
      return [{ name: problem.name, values, evidence: collectEvidence(problem) }];
    });
}

/** What is wrong with the desired records of a name. */
type RecordProblemKind =
  | "unanswered"
  | "loop"
  | "disagree"
  | "proxied"
  | "cdn"
  | "flattened"
  | "leftover"
  | "target_doubled"
  | "doubled_name"
  | "private"
  | "another"
  | "mismatch"
  | "missing";

interface RecordProblem {
  readonly kind: RecordProblemKind;
  readonly name: string;
  readonly checks: readonly RecordCheck[];
}

/** Records of one name with the same problem are grouped: A and AAAA are fixed together. */
function recordProblems(facts: DiagnosisFacts): readonly RecordProblem[] {
  // Without nameservers to ask, the delegation rules report the problem.
  if (facts.dns.zone !== null && facts.dns.zone.outcome !== "found") return [];
  const grouped = new Map<string, RecordProblem>();
  for (const check of decisiveChecks(facts)) {
    const kind = classify(facts, check);
    if (kind === null) continue;
    const { name } = check.record;
    const key = `${kind} ${name}`;
    const before = grouped.get(key)?.checks ?? [];
    grouped.set(key, { kind, name, checks: [...before, check] });
  }
  return [...grouped.values()];
}

/** Whether the desired records of a name are there, with nothing in their way. */
export function isNameRight(facts: DiagnosisFacts, name: string): boolean {
  const checks = (facts.dns.records?.records ?? []).filter(({ record }) => record.name === name);
  const isThere = checks.length > 0 && checks.every(({ outcome }) => outcome === "match");
  const isTroubled =
    recordProblems(facts).some((problem) => problem.name === name) ||
    facts.dns.conflicts.some(({ host }) => host === name);
  return isThere && !isTroubled;
}

function classify(facts: DiagnosisFacts, check: RecordCheck): RecordProblemKind | null {
  const outcomes = new Set(check.servers.map(({ outcome }) => outcome));
  if (isAliasLoop(facts, check)) return "loop";
  switch (check.outcome) {
    case "match":
      return null;
    case "unknown":
      return "unanswered";
    case "absent":
      if (outcomes.has("match")) return "disagree";
      return isStray(facts, check.record) ? "doubled_name" : "missing";
    case "conflict":
    case "mismatch":
      return outcomes.has("match") ? "disagree" : behindCdnKind(facts, check);
  }
}

/** The kind of a wrong record where names behind a CDN are accepted; null where all is well. */
function behindCdnKind(facts: DiagnosisFacts, check: RecordCheck): RecordProblemKind | null {
  const kind = wrongKind(facts, check);
  const { connection, application } = facts;
  const isAtCdn = isTraffic(connection.hostname, check.record) && kind !== "flattened";
  if (application.proxied === "refuse" || !isAtCdn) return kind;
  if (isHiddenByCdn(facts)) return null;
  // Where the name leads behind a proxy is not known before it was asked.
  if (connection.front === null) return kind === "proxied" ? null : kind;
  return isOwnershipOpen(facts) ? null : "cdn";
}

function isAliasLoop({ dns }: DiagnosisFacts, { record, servers }: RecordCheck): boolean {
  return (
    dns.aliasLoops.includes(record.name) || servers.some(({ reason }) => reason === "cname_loop")
  );
}

function isStray({ dns }: DiagnosisFacts, record: DnsRecord): boolean {
  return dns.strayRecords.some(({ requested }) => requested === record.name);
}

function wrongKind(facts: DiagnosisFacts, check: RecordCheck): RecordProblemKind {
  const { record, observedValues } = check;
  // Of other types a name may have several records, so other values do not conflict.
  if (!isAddressLike(record.type)) return record.type === "MX" ? "mismatch" : "missing";
  const others = otherValues(facts, record.name, observedValues);
  if (others.some(isProxyAddress)) return "proxied";
  // The name has no record of its own that could be replaced.
  if (facts.dns.names.some(({ name, fromWildcard }) => fromWildcard && name === record.name)) {
    return "missing";
  }
  const { connection, edge } = facts;
  const isTraffic = record.name === connection.hostname;
  if (isTraffic && others.some((value) => isTargetOfAnother(edge.cname, connection, value))) {
    return "another";
  }
  const isFollower = record.type === "CNAME" || record.type === "ALIAS";
  if (isFollower && others.length === 0) return "flattened";
  if (check.outcome === "conflict") return "leftover";
  if (others.includes(`${record.value}.${findDnsHost(facts).zone}`)) return "target_doubled";
  return others.some(isPrivateAddress) ? "private" : "mismatch";
}

export function isAddressLike(type: string): boolean {
  return type === "A" || type === "AAAA" || type === "CNAME" || type === "ALIAS";
}

/** The present values at the name that are neither desired nor the edge's. */
function otherValues(
  facts: DiagnosisFacts,
  name: string,
  values: readonly string[],
): readonly string[] {
  const ours = facts.connection.desiredRecords.filter(({ host }) => host === name);
  return values.filter(
    (value) => !facts.edge.addresses.has(value) && !ours.some((record) => record.value === value),
  );
}

const privateRanges: readonly RegExp[] = [
  // RFC 1918, RFC 6598, RFC 1122 §3.2.1.3, RFC 3927.
  /^(?:10|127|0)\.|^192\.168\.|^172\.(?:1[6-9]|2\d|3[01])\.|^169\.254\./,
  /^100\.(?:6[4-9]|[7-9]\d|1[01]\d|12[0-7])\./,
  // RFC 4291 §2.5.2, §2.5.3, §2.5.6; RFC 4193.
  /^::1?$|^f[cd][0-9a-f]{2}:|^fe[89ab][0-9a-f]:/,
];

/** True for canonical private addresses; false for public ones and for other values. */
function isPrivateAddress(value: string): boolean {
  return /^[0-9.]+$|:/.test(value) && privateRanges.some((range) => range.test(value));
}
