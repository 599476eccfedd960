import { type DiagnosisFacts, isOwnershipOpen } from "./facts.ts";

/** The one thing that is the matter with the ownership record. */
export type OwnershipProblem =
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
  | "seen";

export function ownershipProblem(facts: DiagnosisFacts): OwnershipProblem | null {
  const { proof } = facts.dns;
  if (!isOwnershipOpen(facts) || proof === null) return null;
  if (proof.reason === "not_registered") return null;
  if (proof.outcome === "match") return "seen";
  if (proof.outcome === "unknown") return proof.servers.length > 0 ? "unanswered" : null;
  if (proof.reason === "cname" || proof.reason === "wildcard") return proof.reason;
  if (proof.outcome === "partial") return "partial";
  return valueProblem(facts, proof.observed);
}

const tokenPrefix = "service-verify=";

function valueProblem(facts: DiagnosisFacts, observed: readonly string[]): OwnershipProblem {
  const { challenge } = facts.connection;
  if (observed.some((value) => alterationOf(challenge, value) !== null)) return "altered";
  const [stray] = facts.dns.strayProofs;
  if (stray !== undefined) return stray.isDoubled ? "doubled_name" : "wrong_name";
  if (observed.some((value) => value.startsWith(tokenPrefix))) return "other_token";
  return observed.length > 0 ? "mismatch" : "missing";
}

/** Shorter beginnings than this are no evidence that the value was meant. */
const tellingLength = tokenPrefix.length + 8;

/** How the expected value was changed on its way; null when this is it, or something else altogether. */
export function alterationOf(expected: string, seen: string): string | null {
  const token = expected.slice(expected.indexOf("=") + 1);
  if (seen === expected) return null;
  if (seen.replace(quotes, "") === expected) return "it has quotation marks in it";
  if (seen.replace(/\s/g, "") === expected) return "it has spaces in it";
  if (seen.toLowerCase() === expected.toLowerCase())
    return "capital and small letters were changed";
  if (seen === token) return `its beginning "${tokenPrefix}" is missing`;
  if (plain(seen) === plain(expected)) return "quotation marks, spaces or letter case were changed";
  if (seen.length >= tellingLength && expected.startsWith(seen)) return "its end is missing";
  return seen.includes(token) ? "there is other text around it" : null;
}

const quotes = /["'\u2018\u2019\u201c\u201d\\]/g;

function plain(text: string): string {
  return text.replace(quotes, "").replace(/\s/g, "").toLowerCase();
}
