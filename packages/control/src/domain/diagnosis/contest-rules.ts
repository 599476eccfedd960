import { type Contest, holdsClaim } from "../connections/connection.ts";
import { type DiagnosisFacts, isOwnershipOpen } from "./facts.ts";
import type { Draft, Rule } from "./finding.ts";
import { atDnsHost, clockTime, findDnsHost, listed, recordLine } from "./finding-text.ts";
import { ownershipForm, proofLines, proofRecord } from "./ownership-rules.ts";

/** Rules about hostnames that two connections want: for the prover, and for the holder. */

/** The prover's side. */
export const hostnameConflict: Rule = (facts) => {
  const { connection, claim } = facts;
  if (claim !== "held" || !isOwnershipOpen(facts) || isProvenByBoth(facts)) return [];
  const { hostname, contest } = connection;
  return [
    {
      severity: "error",
      title: `${hostname} is connected already`,
      evidence: [`The service: another connection holds ${hostname}`],
      ...(contest === null ? withoutContest(facts) : duringContest(facts, contest)),
    },
  ];
};

function duringContest({ connection, now }: DiagnosisFacts, contest: Contest): Draft {
  const { hostname } = connection;
  const deadline = clockTime(contest.deadline, now);
  return {
    severity: "info",
    title: `${hostname} passes to this connection at ${deadline}, unless its holder proves it again`,
    evidence: [`The service: ownership was proven at ${clockTime(contest.since, now)}`],
    actor: "wait",
    params: { time: contest.deadline.toISOString() },
    fix: `Keep the ownership record until then. ${orArchive(hostname)}`,
  };
}

function orArchive(hostname: string): string {
  return `If the connection that holds ${hostname} is yours too, archive it: this one then takes the name at once.`;
}

/** A proof starts a contest, except right after the holder has won one. */
function withoutContest(facts: DiagnosisFacts): Partial<Draft> & Pick<Draft, "actor" | "fix"> {
  const { connection, mayContestAt, now } = facts;
  const { hostname } = connection;
  if (mayContestAt !== null && mayContestAt > now) {
    return {
      actor: "tenant",
      params: { time: mayContestAt.toISOString() },
      fix: `Its holder has proven ${hostname} again and keeps it. A new proof counts from ${clockTime(mayContestAt, now)} on. ${orArchive(hostname)}`,
    };
  }
  if (facts.dns.proof?.outcome === "match") {
    const passesAt = contestEnd(facts);
    return {
      severity: "info",
      actor: "wait",
      params: { time: passesAt.toISOString() },
      fix: `The ownership record is there. From the next check on its holder is asked to prove ${hostname} too: unless that happens, the name passes at about ${clockTime(passesAt, now)}. Keep the record until then. ${orArchive(hostname)}`,
    };
  }
  return {
    actor: "end_customer",
    add: [proofRecord(facts)],
    fix: `Prove that ${hostname} is yours. ${atDnsHost(findDnsHost(facts))}, add a record with ${ownershipForm(facts)}. Its holder is then asked to prove it too, and loses the name if that does not happen. ${orArchive(hostname)}`,
  };
}

/** When the name passes if the holder's proof is gone from now on. */
function contestEnd({ mayContestAt, contestAfterMs, now }: DiagnosisFacts): Date {
  const begin = Math.max(now.getTime(), mayContestAt?.getTime() ?? 0);
  return new Date(begin + contestAfterMs);
}

/** A check has seen the proof and no contest began: the holder's proof was there too. */
function isProvenByBoth({ connection, claim, dns }: DiagnosisFacts): boolean {
  if (dns.proof?.outcome !== "match" || dns.otherProofs.length === 0) return false;
  const isHolder = holdsClaim(connection.state);
  if (isHolder) return connection.contest !== null;
  const wasRefused = claim === "held" && connection.errorCode === "hostname_conflict";
  return wasRefused && connection.contest === null;
}

/**
 * Both sides have a record in the zone. Of the other side only what anybody can read in DNS is
 * reported: its record.
 */
export const hostnameProvenByBoth: Rule = (facts) => {
  const { connection, dns } = facts;
  const [other] = dns.otherProofs;
  if (!isProvenByBoth(facts) || other === undefined || dns.proof === null) return [];
  const { record: own } = dns.proof;
  const same = dns.otherProofs.filter(
    ({ name, type }) => name === other.name && type === other.type,
  );
  const draft = {
    evidence: [
      `${recordLine(own)} (of this connection)`,
      ...dns.otherProofs.map((record) => `${recordLine(record)} (of another connection)`),
    ],
    params: {
      name: other.name,
      type: other.type,
      observed: listed(same.map(({ value }) => value)),
      expected: own.value,
    },
  };
  const contest = holdsClaim(connection.state) ? connection.contest : null;
  return [contest === null ? forProver(facts, draft) : forHolder(facts, draft, contest)];
};

type BothDraft = Pick<Draft, "evidence"> & { readonly params: Readonly<Record<string, string>> };

function forProver(facts: DiagnosisFacts, draft: BothDraft): Draft {
  const { connection, dns, now } = facts;
  const { hostname } = connection;
  const { expected } = draft.params;
  const passesAt = contestEnd(facts);
  const dnsHost = findDnsHost(facts);
  return {
    ...draft,
    severity: "error",
    title: `Two connections have proven ${hostname}, and its holder keeps it`,
    actor: "end_customer",
    params: { ...draft.params, time: passesAt.toISOString() },
    remove: dns.otherProofs,
    fix: `While the records of both are there, the holder stays. If ${hostname} is to pass to this connection: ${lowerFirst(atDnsHost(dnsHost))}, delete ${otherText(facts)} and keep the one with the value ${expected}; if that is done now, the name passes at ${clockTime(passesAt, now)}, unless its holder proves it once more. If it is to stay where it is, delete the one with the value ${expected} instead. ${orArchive(hostname)}`,
  };
}

function forHolder(facts: DiagnosisFacts, draft: BothDraft, { deadline }: Contest): Draft {
  const { connection, now } = facts;
  const { hostname } = connection;
  const { expected } = draft.params;
  return {
    ...draft,
    severity: "info",
    title: `Somebody else has proven ${hostname} too, and it stays with this connection`,
    actor: "wait",
    params: { ...draft.params, time: deadline.toISOString() },
    fix: `The record with the value ${expected} is there: the next check, within minutes and before ${clockTime(deadline, now)}, ends the contest. Keep it until then. ${upperFirst(otherText(facts))} is of no use to this connection: delete it, unless the name is to pass to whom it was made for.`,
  };
}

function otherText({ dns }: DiagnosisFacts): string {
  return dns.otherProofs
    .map(({ name, type, value }) => `the ${type} record at ${name} with the value ${value}`)
    .join(" and ");
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}

function upperFirst(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** The holder's side. */
export const hostnameContested: Rule = (facts) => {
  const { connection, now } = facts;
  const { contest, hostname } = connection;
  if (contest === null || !holdsClaim(connection.state) || isProvenByBoth(facts)) return [];
  const deadline = clockTime(contest.deadline, now);
  const isSeen = facts.dns.proof?.outcome === "match";
  return [
    {
      severity: isSeen ? "info" : "error",
      title: `Somebody else has proven that ${hostname} is theirs`,
      evidence: [
        `The service: proven at ${clockTime(contest.since, now)}, to be decided at ${deadline}`,
        ...proofLines(facts),
      ],
      actor: isSeen ? "wait" : "end_customer",
      params: { time: contest.deadline.toISOString() },
      add: isSeen ? [] : [proofRecord(facts)],
      fix: isSeen
        ? "Nothing to do: the ownership record is there, and the next check takes it up."
        : `Prove it again before ${deadline}, or the name is lost. ${atDnsHost(findDnsHost(facts))}, add a record with ${ownershipForm(facts)}.`,
    },
  ];
};
