import { registrableDomain } from "@mooring/dns";
import { toDnsRecord } from "../desired-records.ts";
import { checkLine, failureText, shown } from "./evidence.ts";
import { type DiagnosisFacts, isBeingWritten, isOwnershipOpen } from "./facts.ts";
import { beingWritten, type Draft, type Rule } from "./finding.ts";
import { allInForm, atProvider, formHost, placeOf } from "./place.ts";
import { type RecordProblem, type RecordProblemKind, recordProblems } from "./record-problem.ts";

/** The records that lead the name to the service. */

/** Until ownership is proven the records do not hinder yet. */
export function hindrance(facts: DiagnosisFacts): "error" | "warning" {
  return isOwnershipOpen(facts) ? "warning" : "error";
}

export function evidenceOf({ checks }: RecordProblem): string[] {
  const lines = checks.flatMap(({ record, servers }) =>
    servers.map((server) => checkLine(server, record.type)),
  );
  return [...new Set(lines)];
}

function form(facts: DiagnosisFacts, { checks }: RecordProblem): string {
  return allInForm(
    checks.map(({ record }) => record),
    placeOf(facts),
  );
}

type Words = Pick<Draft, "title" | "fix"> & Partial<Draft>;

/** A rule for one kind of problem, once for each name that has it. */
function when(
  kind: RecordProblemKind,
  words: (facts: DiagnosisFacts, problem: RecordProblem) => Words,
): Rule {
  return (facts) =>
    recordProblems(facts)
      .filter((problem) => problem.kind === kind)
      .map((problem) => ({
        severity: hindrance(facts),
        evidence: evidenceOf(problem),
        actor: "end_customer",
        ...words(facts, problem),
      }));
}

const loopAtServers = when("loop", (facts, problem) => ({
  title: `${problem.name} is an alias that leads in a circle`,
  fix: `${atProvider(placeOf(facts))}, replace the CNAME at ${problem.name} with ${form(facts, problem)}.`,
}));

/** A circle at the hostname itself hides even its zone. */
export const recordLoop: Rule = (facts) => {
  const { connection, dns } = facts;
  if (dns.zone?.outcome !== "failed" || dns.zone.reason !== "cname_loop") {
    return loopAtServers(facts);
  }
  const { hostname } = connection;
  const wanted = connection.desiredRecords.filter(({ host }) => host === hostname).map(toDnsRecord);
  return [
    {
      severity: "error",
      title: `${hostname} is an alias that leads in a circle`,
      evidence: [`Resolvers, asked for ${hostname}: ${failureText(dns.zone.reason)}`],
      actor: "end_customer",
      fix: `${atProvider(placeOf(facts))}, replace the CNAME at ${hostname} with ${allInForm(wanted, placeOf(facts))}.`,
    },
  ];
};

export const recordProxied = when("proxied", (facts, problem) => ({
  title: `${problem.name} is behind a proxy`,
  evidence: [...evidenceOf(problem), "These addresses belong to Cloudflare's proxy"],
  fix: `${atProvider(placeOf(facts))}, switch the proxy off for this record: Proxy status "DNS only", the grey cloud, with ${form(facts, problem)}. The service brings its own certificate and cannot see the record through the proxy.`,
}));

export const recordFlattened = when("flattened", (facts, problem) => ({
  title: `${problem.name} leads to the service, but by address`,
  evidence: [...evidenceOf(problem), `These are addresses of ${facts.edge.cname}`],
  fix: `${atProvider(placeOf(facts))}, replace the address records with ${form(facts, problem)}. If that record is there already, switch CNAME flattening off for it, so that the name itself shows.`,
}));

export const recordTargetDoubled = when("target_doubled", (facts, problem) => {
  const target = problem.checks[0]?.record.value ?? facts.edge.cname;
  return {
    title: `The target of ${problem.name} has ${placeOf(facts).zone} appended`,
    fix: `The DNS provider took the target as a short name. ${atProvider(placeOf(facts))}, enter it with a dot at its end (${target}.): ${form(facts, problem)}.`,
  };
});

export const recordDoubledName = when("doubled_name", (facts, problem) => {
  const { zone, manifest } = placeOf(facts);
  const strays = facts.dns.strayRecords.filter(({ wanted }) => wanted === problem.name);
  return {
    title: `The record of ${problem.name} stands at a name with ${zone} twice`,
    evidence: [
      ...strays.map(({ name, values }) => `${name}: ${shown(values)}`),
      ...evidenceOf(problem),
    ],
    fix: `The DNS provider adds ${zone} to the name by itself. ${atProvider(placeOf(facts))}, change the record so that it says only ${formHost(problem.name, zone, manifest)} there: ${form(facts, problem)}.`,
  };
});

export const privateAddress = when("private", (facts, problem) => ({
  title: `${problem.name} leads to a private address`,
  fix: `Nobody outside that network can reach it. ${atProvider(placeOf(facts))}, replace what stands at ${problem.name} with ${form(facts, problem)}.`,
}));

export const recordMismatch = when("mismatch", (facts, problem) => {
  const wasLive = facts.connection.firstLiveAt !== null;
  return {
    title: wasLive
      ? `${problem.name} no longer leads to the service`
      : `${problem.name} leads somewhere else`,
    fix: `${atProvider(placeOf(facts))}, replace what stands at ${problem.name} (${shown(problem.checks[0]?.observedValues ?? [])}) with ${form(facts, problem)}.`,
  };
});

/** DNS allows no CNAME at the top of a zone (RFC 1034 §3.6.2); some providers offer a way around it. */
function isHopelessAlias(facts: DiagnosisFacts, { checks, name }: RecordProblem): boolean {
  const { zone, manifest } = placeOf(facts);
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
      const byAddress =
        configured.length > 0 ? ` or add A and AAAA records with ${configured.join(", ")},` : "";
      return {
        severity: hindrance(facts),
        title: `${name} cannot simply follow another name`,
        evidence: [...evidenceOf(problem), `${name} is the top of its domain`],
        actor: "end_customer",
        fix: `DNS allows no CNAME at the top of a domain. ${atProvider(placeOf(facts))}, look for a record type ALIAS, ANAME or "CNAME flattening" and set ${form(facts, problem)};${byAddress} or connect www.${name} instead and redirect ${name} to it.`,
      };
    });

export const recordMissing: Rule = (facts) => {
  const rule = when("missing", (_facts, problem) => ({
    title: missingTitle(facts, problem),
    fix: `${atProvider(placeOf(facts))}, add ${problem.checks.length > 1 ? "records" : "a record"} with ${form(facts, problem)}.`,
    ...(isBeingWritten(facts) ? beingWritten : {}),
  }));
  const isHopeless = recordProblems(facts)
    .filter(({ kind }) => kind === "missing")
    .map((problem) => isHopelessAlias(facts, problem));
  return rule(facts).filter((_draft, index) => isHopeless[index] !== true);
};

function missingTitle({ connection }: DiagnosisFacts, { checks, name }: RecordProblem): string {
  const types = [...new Set(checks.map(({ record }) => record.type))].join(" and ");
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
    fix: "The others usually follow within minutes; the service looks again by itself. If one of them stays behind for hours, tell the DNS provider its name.",
  };
});

export const recordsUnanswered = when("unanswered", ({ connection }, { name }) => ({
  severity: "warning",
  title: `No nameserver could be asked for ${name}`,
  actor: "wait",
  fix: `Nothing is concluded from it: the service asks again by itself. If it stays so for an hour, ask the DNS provider of ${connection.registrableDomain}.`,
}));
