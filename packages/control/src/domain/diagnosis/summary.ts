import type { Connection } from "../connection.ts";
import type { Actor, Finding } from "./finding.ts";

/** One sentence: what is going on, and whose move it is. */
export function summaryOf(connection: Connection, findings: readonly Finding[]): string {
  if (connection.state === "archived") return archived(connection, findings);
  const worst =
    findings.find(({ severity }) => severity === "error") ??
    findings.find(({ severity }) => severity === "warning");
  if (worst === undefined) return atRest(connection, findings);
  const matter = `${worst.title}; ${move(connection, worst.actor)}.`;
  const isServed = connection.state === "live" && worst.severity === "warning";
  return isServed ? `${connection.hostname} is connected, with a warning: ${matter}` : matter;
}

function archived({ hostname }: Connection, findings: readonly Finding[]): string {
  const isLeft = findings.some(({ code }) => code === "archived_still_points_here");
  const rest = isLeft ? "; its records still lead here and should be removed" : "";
  return `${hostname} is archived and no longer served${rest}.`;
}

function move({ registrableDomain }: Connection, actor: Actor): string {
  switch (actor) {
    case "end_customer":
      return `whoever manages the DNS of ${registrableDomain} acts next`;
    case "tenant":
      return "the owner of the application acts next";
    case "operator":
      return "the operator of the service acts next";
    case "wait":
      return "there is nothing to do but wait";
  }
}

/** Nothing is wrong; the state says what is awaited. */
function atRest({ state, hostname }: Connection, findings: readonly Finding[]): string {
  if (findings.some(({ code }) => code === "check_incomplete")) {
    return `Nothing wrong was found with ${hostname}, but not everything could be looked at in time; ask again in a moment.`;
  }
  const waiting = findings.find(({ actor, severity }) => actor === "wait" && severity === "info");
  switch (state) {
    case "live":
      return `${hostname} is connected and everything looks right.`;
    case "drifted":
      return `The records of ${hostname} are right again; the next check takes it up.`;
    case "issuing_cert":
      return `The certificate of ${hostname} is being obtained; there is nothing to do but wait.`;
    case "verified":
    case "dns_writing":
      return `${hostname} is verified and its records are next; the service acts next.`;
    default:
      return waiting === undefined
        ? `Nothing is wrong with ${hostname}; the next check takes it up.`
        : `${waiting.title}; there is nothing to do but wait.`;
  }
}
