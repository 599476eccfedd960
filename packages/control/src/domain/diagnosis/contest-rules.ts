import { type Contest, holdsClaim } from "../connections/connection.ts";
import { type DiagnosisFacts, isOwnershipOpen } from "./facts.ts";
import type { Draft, Rule } from "./finding.ts";
import { atDnsHost, clockTime, findDnsHost } from "./finding-text.ts";
import { ownershipForm, proofLines, proofRecord } from "./ownership-rules.ts";

/** Rules about hostnames that two connections want: for the prover, and for the holder. */

/** The prover's side. */
export const hostnameConflict: Rule = (facts) => {
  const { connection, claim } = facts;
  const isHeld = claim === "held" || connection.errorCode === "hostname_conflict";
  if (!isHeld || !isOwnershipOpen(facts)) return [];
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
    fix: `Keep the ownership record until then. If the connection that holds ${hostname} is yours too, archive it: this one then takes the name at once.`,
  };
}

/** A proof starts a contest, except right after the holder has won one. */
function withoutContest(facts: DiagnosisFacts): Pick<Draft, "actor" | "fix" | "add"> {
  const { connection, mayContestAt, now } = facts;
  const { hostname } = connection;
  const orArchive = `If the connection that holds it is yours too, archive it: this one then takes the name at once.`;
  if (mayContestAt !== null && mayContestAt > now) {
    return {
      actor: "tenant",
      fix: `Its holder has proven ${hostname} again and keeps it. A new proof counts from ${clockTime(mayContestAt, now)} on. ${orArchive}`,
    };
  }
  if (facts.dns.proof?.outcome === "match") {
    return {
      actor: "tenant",
      fix: `The ownership records of both are there, and then the holder stays. Have the record of the other connection removed if ${hostname} is no longer its. ${orArchive}`,
    };
  }
  return {
    actor: "end_customer",
    add: [proofRecord(facts)],
    fix: `Prove that ${hostname} is yours. ${atDnsHost(findDnsHost(facts))}, add a record with ${ownershipForm(facts)}. Its holder is then asked to prove it too, and loses the name if that does not happen. ${orArchive}`,
  };
}

/** The holder's side. */
export const hostnameContested: Rule = (facts) => {
  const { connection, now } = facts;
  const { contest, hostname } = connection;
  if (contest === null || !holdsClaim(connection.state)) return [];
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
