import type { DnsRecord } from "@mooring/dns";
import { challengePrefix, ownershipRecord } from "../ownership/ownership-challenge.ts";
import { proofRecords } from "../ownership/proofs.ts";
import { type DiagnosisFacts, isBeingWritten, isOwnershipOpen } from "./facts.ts";
import { beingWritten, type Draft, type Rule } from "./finding.ts";
import { atDnsHost, findDnsHost, formHost, inForm, proofLine } from "./finding-text.ts";

/** Rules about the record that proves ownership of the hostname. */

/** The record by which ownership is to be proven: the TXT record unless another one does. */
export function proofRecord(facts: DiagnosisFacts): DnsRecord {
  const { connection, application, edge, dns } = facts;
  if (dns.proof !== null && dns.proof.method !== "txt") return dns.proof.record;
  const zones = { edgeCname: edge.cname, validationZone: edge.validationZone };
  const [first] = proofRecords(connection, application.proofs, zones);
  return first?.record ?? ownershipRecord(connection);
}

/** The whole record in the terms of the provider's form. */
export function ownershipForm(facts: DiagnosisFacts): string {
  return inForm(proofRecord(facts), findDnsHost(facts));
}

export function proofLines(facts: DiagnosisFacts): string[] {
  const { type } = proofRecord(facts);
  return (facts.dns.proof?.servers ?? []).map((server) => proofLine(server, type));
}

/** A rule for one problem; by default an error that the customer must fix. */
function when(problem: OwnershipProblem, draft: (facts: DiagnosisFacts) => Partial<Draft>): Rule {
  return (facts) => {
    if (ownershipProblem(facts) !== problem) return [];
    const at = atDnsHost(findDnsHost(facts));
    return [
      {
        severity: "error",
        title: `The ownership record of ${facts.connection.hostname} is not right yet`,
        evidence: proofLines(facts),
        actor: "end_customer",
        fix: `${at}, set a record with ${ownershipForm(facts)}.`,
        params: { name: proofRecord(facts).name },
        add: problem === "published" ? [] : [proofRecord(facts)],
        ...draft(facts),
      },
    ];
  };
}

export const ownershipUnanswered = when("unanswered", ({ connection }) => ({
  title: `Too few nameservers answer for the ownership record of ${connection.hostname}`,
  actor: "wait",
  fix: `Nothing is lost: the service asks again by itself. If it stays so for an hour, ask the DNS provider of ${connection.registrableDomain} whether its nameservers answer over TCP.`,
}));

export const ownershipCname = when("cname", (facts) => {
  const { name } = ownershipRecord(facts.connection);
  return {
    title: `A CNAME is where the ownership record of ${facts.connection.hostname} belongs`,
    fix: `${atDnsHost(findDnsHost(facts))}, remove the CNAME record at ${name} (or the wildcard CNAME that answers for it), then add a record with ${ownershipForm(facts)}.`,
  };
});

export const ownershipWildcard = when("wildcard", (facts) => ({
  title: "The ownership value comes from a wildcard record",
  fix: `${atDnsHost(findDnsHost(facts))}, remove the wildcard ${proofRecord(facts).type} record that has the value and add one at the exact name: ${ownershipForm(facts)}.${orByText(facts)}`,
}));

/** A wildcard that has to stay leaves the TXT record, where that is allowed. */
function orByText({ application, connection, dns }: DiagnosisFacts): string {
  if (dns.proof?.method === "txt" || !application.proofs.includes("txt")) return "";
  const { name, value } = ownershipRecord(connection);
  return ` If the wildcard has to stay, add a TXT record at ${name} with the value ${value} instead.`;
}

export const ownershipPartial = when("partial", (facts) => ({
  severity: "info",
  title: `The ownership record of ${facts.connection.hostname} is on its way`,
  actor: "wait",
  fix: "Some nameservers have the record and the others usually follow within minutes; the service checks again by itself. If one of them stays behind for hours, tell the DNS provider its name.",
}));

export const ownershipAltered = when("altered", (facts) => {
  const { challenge } = facts.connection;
  const observed = facts.dns.proof?.observed ?? [];
  const how = observed
    .map((value) => describeAlteration(challenge, value))
    .find((one) => one !== null);
  return {
    title: `The ownership value was changed on its way: ${how ?? "it is not the same"}`,
    fix: `${atDnsHost(findDnsHost(facts))}, set the value again exactly as it is here, without quotation marks or spaces: ${ownershipForm(facts)}.`,
  };
});

export const ownershipDoubledName = when("doubled_name", (facts) => {
  const { zone, form } = findDnsHost(facts);
  const host = formHost(ownershipRecord(facts.connection).name, zone, form);
  return {
    title: `The ownership record is at a name with ${zone} twice`,
    evidence: [...strayLines(facts), ...proofLines(facts)],
    fix: `The DNS provider adds ${zone} to the name by itself. ${atDnsHost(findDnsHost(facts))}, change the record so that it says only ${host} there: ${ownershipForm(facts)}.`,
  };
});

export const ownershipWrongName = when("wrong_name", (facts) => ({
  title: `The ownership record is at ${facts.dns.strayProofs[0]?.name ?? "another name"}`,
  params: {
    name: ownershipRecord(facts.connection).name,
    observed: facts.dns.strayProofs[0]?.name ?? "",
  },
  evidence: [...strayLines(facts), ...proofLines(facts)],
  fix: `The value is right, the name is not. ${atDnsHost(findDnsHost(facts))}, move the record to ${ownershipRecord(facts.connection).name}: ${ownershipForm(facts)}.`,
}));

function strayLines({ dns }: DiagnosisFacts): string[] {
  return dns.strayProofs.map(({ name }) => `${name}: has the TXT value`);
}

export const ownershipOtherToken = when("other_token", (facts) => ({
  title: "The ownership record has the value of another connection",
  fix: `Each connection has a value of its own. ${atDnsHost(findDnsHost(facts))}, add this one, beside or instead of the other: ${ownershipForm(facts)}.`,
}));

export const ownershipMismatch = when("mismatch", (facts) => ({
  title: `There is another TXT value at ${ownershipRecord(facts.connection).name}`,
  fix: `${atDnsHost(findDnsHost(facts))}, add a record with ${ownershipForm(facts)}.`,
}));

export const ownershipMissing = when("missing", (facts) => ({
  title: `The ownership record of ${facts.connection.hostname} is not there yet`,
  fix: `${atDnsHost(findDnsHost(facts))}, add a record with ${ownershipForm(facts)}.`,
  ...(isBeingWritten(facts) ? beingWritten : {}),
}));

const publishedEverywhere = when("published", ({ connection }) => {
  const hasFailed = connection.state === "failed";
  return {
    severity: "info",
    title: `All nameservers have the ownership record of ${connection.hostname}`,
    actor: hasFailed ? "tenant" : "wait",
    fix: hasFailed
      ? "Verify the connection again: its record is found now."
      : "Nothing to do: the next check, within minutes, takes it up.",
  };
});

export const ownershipSeen: Rule = (facts) =>
  facts.claim === "held" ? [] : publishedEverywhere(facts);

/** What is wrong with the ownership record; `published` is not a problem. */
type OwnershipProblem =
  | "unanswered"
  | "cname"
  | "wildcard"
  | "partial"
  | "altered"
  | "doubled_name"
  | "wrong_name"
  | "other_token"
  | "mismatch"
  | "missing"
  | "published";

function ownershipProblem(facts: DiagnosisFacts): OwnershipProblem | null {
  const { proof } = facts.dns;
  if (!isOwnershipOpen(facts) || proof === null) return null;
  if (proof.reason === "not_registered") return null;
  if (proof.outcome === "match") return "published";
  if (proof.outcome === "unknown") return proof.servers.length > 0 ? "unanswered" : null;
  if (proof.reason === "wildcard_answer") return "wildcard";
  if (proof.reason === "cname" || proof.reason === "wildcard") return proof.reason;
  if (proof.outcome === "partial") return "partial";
  // Of a desired record the rules about records say what is wrong.
  if (proof.method !== "txt") return null;
  return valueProblem(facts, proof.observed);
}

function valueProblem(facts: DiagnosisFacts, observed: readonly string[]): OwnershipProblem {
  const { challenge } = facts.connection;
  if (observed.some((value) => describeAlteration(challenge, value) !== null)) return "altered";
  const [stray] = facts.dns.strayProofs;
  if (stray !== undefined) return stray.isDoubled ? "doubled_name" : "wrong_name";
  if (observed.some((value) => value.startsWith(challengePrefix))) return "other_token";
  return observed.length > 0 ? "mismatch" : "missing";
}

/** A shorter prefix is no evidence that the expected value was meant. */
const minPrefixLength = challengePrefix.length + 8;

/** How the expected value was altered; null when it is unaltered, or an unrelated value. */
export function describeAlteration(expected: string, observed: string): string | null {
  const token = expected.slice(expected.indexOf("=") + 1);
  if (observed === expected) return null;
  if (observed.replace(quotes, "") === expected) return "it has quotation marks in it";
  if (observed.replace(/\s/g, "") === expected) return "it has spaces in it";
  if (observed.toLowerCase() === expected.toLowerCase())
    return "capital and small letters were changed";
  if (observed === token) return `its beginning "${challengePrefix}" is missing`;
  if (plain(observed) === plain(expected))
    return "quotation marks, spaces or letter case were changed";
  if (observed.length >= minPrefixLength && expected.startsWith(observed))
    return "its end is missing";
  return observed.includes(token) ? "there is other text around it" : null;
}

const quotes = /["'\u2018\u2019\u201c\u201d\\]/g;

function plain(text: string): string {
  return text.replace(quotes, "").replace(/\s/g, "").toLowerCase();
}
